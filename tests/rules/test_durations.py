"""Durations: what reads, what is asked about, and days by the calendar."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.errors import Told
from bot.rules import durations
from bot.rules.durations import Duration


@pytest.mark.parametrize(
    ("text", "days", "seconds"),
    [
        ("30m", 0, 1800),
        ("5s", 0, 5),
        ("2h", 0, 7200),
        ("1d", 1, 0),
        ("1h30m", 0, 5400),
        ("1d12h", 1, 43_200),
        ("0m", 0, 0),
        ("90m", 0, 5400),
    ],
)
def test_durations_and_their_sums_read(text: str, days: int, seconds: int) -> None:
    assert durations.parse(text) == Duration(days, seconds)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("30", "E-DURATION-UNIT"),
        ("", "E-DURATION-FORM"),
        ("m", "E-DURATION-FORM"),
        ("-5m", "E-DURATION-FORM"),
        ("5M", "E-DURATION-FORM"),
        ("1w", "E-DURATION-FORM"),
        ("1.5h", "E-DURATION-FORM"),
        ("30m1h", "E-DURATION-FORM"),
        ("5m5m", "E-DURATION-FORM"),
        ("2 h", "E-DURATION-FORM"),
        ("٣d", "E-DURATION-FORM"),
        ("٣", "E-DURATION-UNIT"),
        ("4000d", "E-DURATION-LONG"),
        ("999999999h", "E-DURATION-LONG"),
    ],
)
def test_whatever_could_mean_something_else_is_refused(text: str, code: str) -> None:
    with pytest.raises(Told) as told:
        durations.parse(text)

    assert told.value.code == code
    assert told.value.instead


@settings(deadline=None)
@given(
    st.builds(Duration, st.integers(0, 3000), st.integers(0, 3000 * 86_400 - 1).map(lambda seconds: seconds % 86_400))
)
def test_what_is_written_reads_the_same(duration: Duration) -> None:
    assert durations.parse(durations.text(duration)) == duration


def test_a_day_is_a_day_of_the_calendar_where_the_clocks_go_back() -> None:
    deadline = datetime(2026, 10, 24, 21, 59, tzinfo=UTC)  # Saturday 23:59 in Zurich, an hour longer than usual

    moved = durations.add(deadline, Duration(days=1), "Europe/Zurich")

    assert moved == datetime(2026, 10, 25, 22, 59, tzinfo=UTC)


def test_24_hours_are_exact_where_the_clocks_go_back() -> None:
    deadline = datetime(2026, 10, 24, 21, 59, tzinfo=UTC)

    moved = durations.add(deadline, Duration(seconds=24 * 3600), "Europe/Zurich")

    assert moved == deadline + timedelta(hours=24)


def test_the_hours_of_a_sum_count_from_the_end_of_its_days() -> None:
    moved = durations.add(datetime(2027, 3, 27, 22, 59, tzinfo=UTC), durations.parse("1d1h"), "Europe/Zurich")

    assert moved == datetime(2027, 3, 28, 22, 59, tzinfo=UTC)


@pytest.mark.parametrize(
    ("start", "code"),
    [
        (datetime(2027, 3, 27, 1, 30, tzinfo=UTC), "E-WHEN-GAP"),
        (datetime(2026, 10, 24, 0, 30, tzinfo=UTC), "E-WHEN-TWICE"),
    ],
)
def test_a_day_that_ends_where_the_clocks_turn_is_refused(start: datetime, code: str) -> None:
    with pytest.raises(Told) as told:
        durations.add(start, Duration(days=1), "Europe/Zurich")

    assert told.value.code == code
    assert "02:30" in told.value.reason


def test_hours_across_a_turn_of_the_clocks_are_never_refused() -> None:
    start = datetime(2027, 3, 28, 0, 30, tzinfo=UTC)

    assert durations.add(start, Duration(seconds=1800), "Europe/Zurich") == datetime(2027, 3, 28, 1, 0, tzinfo=UTC)


def test_exact_seconds_know_no_calendar() -> None:
    assert durations.exact_seconds(durations.parse("1d30m")) == 86_400 + 1800

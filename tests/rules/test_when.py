"""WHEN: each form, each trap, and which end of a command's words is the time."""

import contextlib
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.errors import Told
from bot.rules import when
from bot.rules.when import When

ZONE = "Europe/Zurich"
NOW = datetime(2026, 11, 30, 13, 0, tzinfo=UTC)  # Monday 14:00 in Zurich
BASE = datetime(2026, 12, 1, 22, 59, tzinfo=UTC)


def read(text: str, now: datetime = NOW, base: datetime | None = BASE) -> When:
    return when.parse(text, zone=ZONE, now=now, base=base)


def refused(text: str, base: datetime | None = BASE) -> Told:
    with pytest.raises(Told) as told:
        read(text, base=base)
    return told.value


@pytest.mark.parametrize(
    ("text", "at", "wall", "zone"),
    [
        ("2026-12-01 23:59", "2026-12-01T22:59:00", "2026-12-01 23:59:00", ZONE),
        ("2026-12-01 23:59:30", "2026-12-01T22:59:30", "2026-12-01 23:59:30", ZONE),
        (" 2026-12-01   23:59 ", "2026-12-01T22:59:00", "2026-12-01 23:59:00", ZONE),
        ("2027-07-01 23:59", "2027-07-01T21:59:00", "2027-07-01 23:59:00", ZONE),
        ("2026-12-01 23:59 America/New_York", "2026-12-02T04:59:00", "2026-12-01 23:59:00", "America/New_York"),
        ("2026-12-01 23:59 Asia/Taipei", "2026-12-01T15:59:00", "2026-12-01 23:59:00", "Asia/Taipei"),
        ("2026-12-01 23:59 UTC", "2026-12-01T23:59:00", "2026-12-01 23:59:00", "UTC"),
        ("2026-12-01T22:59:00Z", "2026-12-01T22:59:00", "2026-12-01 23:59:00", ZONE),
        ("2026-12-01T22:59Z", "2026-12-01T22:59:00", "2026-12-01 23:59:00", ZONE),
        ("2026-12-01T23:59:00+01:00", "2026-12-01T22:59:00", "2026-12-01 23:59:00", ZONE),
        ("2026-12-01T17:29:00-05:30", "2026-12-01T22:59:00", "2026-12-01 23:59:00", ZONE),
        ("2026-10-25T01:30:00Z", "2026-10-25T01:30:00", "2026-10-25 02:30:00", ZONE),
        ("fri 18:00", "2026-12-04T17:00:00", "2026-12-04 18:00:00", ZONE),
        ("Friday 18:00", "2026-12-04T17:00:00", "2026-12-04 18:00:00", ZONE),
        ("mon 14:01", "2026-11-30T13:01:00", "2026-11-30 14:01:00", ZONE),
        ("mon 14:00", "2026-12-07T13:00:00", "2026-12-07 14:00:00", ZONE),
        ("mon 08:00 America/New_York", "2026-12-07T13:00:00", "2026-12-07 08:00:00", "America/New_York"),
        ("+2d", "2026-12-03T22:59:00", "2026-12-03 23:59:00", ZONE),
        ("+36h", "2026-12-03T10:59:00", "2026-12-03 11:59:00", ZONE),
        ("+45m", "2026-12-01T23:44:00", "2026-12-02 00:44:00", ZONE),
        ("+30s", "2026-12-01T22:59:30", "2026-12-01 23:59:30", ZONE),
        ("+1d12h", "2026-12-03T10:59:00", "2026-12-03 11:59:00", ZONE),
    ],
)
def test_each_form_reads_as_one_instant(text: str, at: str, wall: str, zone: str) -> None:
    assert read(text) == When(datetime.fromisoformat(at).replace(tzinfo=UTC), wall, zone)


@pytest.mark.parametrize(
    ("text", "code", "says"),
    [
        ("", "E-WHEN-MISSING", "needed"),
        ("now", "E-WHEN-FORM", "`now`"),
        ("tomorrow 18:00", "E-WHEN-FORM", "tomorrow 18:00"),
        ("next friday 18:00", "E-WHEN-FORM", "next friday"),
        ("23:59", "E-WHEN-FORM", "23:59"),
        ("10", "E-WHEN-FORM", "10"),
        ("may", "E-WHEN-FORM", "may"),
        ("2d", "E-WHEN-FORM", "2d"),
        ("-2d", "E-WHEN-FORM", "-2d"),
        ("+", "E-WHEN-FORM", "+"),
        ("2026-12-1 23:59", "E-WHEN-FORM", "2026-12-1"),
        ("2026-12-01 23:59 Europe/Zurich please", "E-WHEN-FORM", "please"),
        ("+2", "E-DURATION-UNIT", "`2`"),
        ("+1w", "E-DURATION-FORM", "`1w`"),
        ("2026-12-01", "E-WHEN-NO-TIME", "2026-12-01"),
        ("fri", "E-WHEN-NO-TIME", "fri"),
        ("2026-12-01 6pm", "E-WHEN-CLOCK", "6pm"),
        ("2026-12-01 9:00", "E-WHEN-CLOCK", "9:00"),
        ("2026-12-01 24:00", "E-WHEN-CLOCK", "24:00"),
        ("2026-12-01 23:59:60", "E-WHEN-CLOCK", "23:59:60"),
        ("2026-12-01T23:59:00.5Z", "E-WHEN-CLOCK", "23:59:00.5"),
        ("2026-12-01 ２３:59", "E-WHEN-CLOCK", "59"),
        ("2026-13-01 23:59", "E-WHEN-NO-SUCH-DAY", "2026-13-01"),
        ("2026-02-29 23:59", "E-WHEN-NO-SUCH-DAY", "2026-02-29"),
        ("2026-12-01T23:59", "E-WHEN-OFFSET", "zone"),
        ("2026-12-01T23:59 Europe/Zurich", "E-WHEN-OFFSET", "zone"),
        ("2026-12-01T22:59Z Europe/Zurich", "E-WHEN-FORM", "Europe/Zurich"),
        ("2026-12-01T22:59:00+25:00", "E-WHEN-FORM", "+25:00"),
        ("2026-12-01 23:59 CET", "E-ZONE-ABBREVIATION", "CET"),
        ("2026-12-01 23:59 CST", "E-ZONE-ABBREVIATION", "CST"),
        ("2026-12-01 23:59 Europe/Zürich", "E-ZONE-UNKNOWN", "Zürich"),
        ("2027-03-28 02:30", "E-WHEN-GAP", "28 March 2027"),
        ("2026-10-25 02:30", "E-WHEN-TWICE", "25 October 2026"),
        ("3026-12-01 23:59", "E-WHEN-FAR", "3026"),
        ("0026-12-01 23:59", "E-WHEN-FAR", "0026"),
        ("9999-12-31 23:59 America/New_York", "E-WHEN-FAR", "9999"),
        ("2062-12-01 23:59", "E-WHEN-FAR", "2062"),
    ],
)
def test_nothing_is_guessed(text: str, code: str, says: str) -> None:
    told = refused(text)

    assert told.code == code
    assert says in told.reason
    assert told.instead


@pytest.mark.parametrize(
    ("text", "reason", "instead"),
    [
        ("03/12/2026", "can be read as 3 December or 12 March", "`2026-12-03 23:59` (a time is needed too)"),
        ("03.12.2026 18:00", "can be read as 3 December or 12 March", "`2026-12-03 18:00`."),
        ("3-12-26 18:00", "can be read as 3 December or 12 March", "`2026-12-03 18:00`."),
        ("13/12/2026 18:00", "seems to be 13 December 2026", "`2026-12-13 18:00`."),
        ("12/13/2026 18:00", "seems to be 13 December 2026", "`2026-12-13 18:00`."),
        ("2026/12/03 18:00", "seems to be 3 December 2026", "`2026-12-03 18:00`."),
    ],
)
def test_another_order_of_the_date_is_refused_with_its_readings(text: str, reason: str, instead: str) -> None:
    told = refused(text)

    assert told.code == "E-WHEN-ORDER"
    assert reason in told.reason
    assert instead in told.instead


def test_a_distance_needs_a_deadline_to_count_from() -> None:
    assert refused("+2d", base=None).code == "E-WHEN-NO-BASE"


def test_a_distance_in_days_keeps_the_wall_time_over_a_turn_of_the_clocks() -> None:
    moved = read("+7d", base=datetime(2026, 10, 20, 21, 59, tzinfo=UTC))

    assert moved.wall == "2026-10-27 23:59:00"
    assert moved.at == datetime(2026, 10, 27, 22, 59, tzinfo=UTC)


def test_parts_of_a_second_in_the_deadline_are_dropped() -> None:
    assert read("+1m", base=BASE.replace(microsecond=999_999)).at == datetime(2026, 12, 1, 23, 0, tzinfo=UTC)


def test_a_weekday_whose_time_still_comes_again_today_is_asked_about() -> None:
    between = datetime(2026, 10, 25, 0, 45, tzinfo=UTC)  # 02:45 in summer time; 02:30 has been once and comes once more

    with pytest.raises(Told) as told:
        read("sun 02:30", now=between)

    assert told.value.code == "E-WHEN-TWICE"


def test_a_weekday_after_a_turn_of_the_clocks_today_is_next_week() -> None:
    assert read("sun 02:30", now=datetime(2026, 10, 25, 1, 30, tzinfo=UTC)).wall == "2026-11-01 02:30:00"


@pytest.mark.parametrize(
    ("words", "who", "wall"),
    [
        (["2026-12-01", "23:59"], [], "2026-12-01 23:59:00"),
        (["@amy", "2026-12-01", "23:59"], ["@amy"], "2026-12-01 23:59:00"),
        (["@amy", "2026-12-01 23:59"], ["@amy"], "2026-12-01 23:59:00"),
        (["@amy", "2026-12-01", "23:59", "Asia/Taipei"], ["@amy"], "2026-12-01 23:59:00"),
        (["lab1-*", "@bo", "fri", "18:00"], ["lab1-*", "@bo"], "2026-12-04 18:00:00"),
        (["fri", "fri", "18:00"], ["fri"], "2026-12-04 18:00:00"),
        (["@amy", "+2d"], ["@amy"], "2026-12-03 23:59:00"),
        (["@amy", "2026-12-01T22:59:00Z"], ["@amy"], "2026-12-01 23:59:00"),
    ],
)
def test_the_longest_end_that_reads_is_the_time(words: list[str], who: list[str], wall: str) -> None:
    rest, found = when.split(words, zone=ZONE, now=NOW, base=BASE)

    assert rest == who
    assert found.wall == wall


@pytest.mark.parametrize(
    ("words", "code"),
    [
        ([], "E-WHEN-MISSING"),
        (["@amy"], "E-WHEN-FORM"),
        (["@amy", "03/12/2026"], "E-WHEN-ORDER"),
        (["@amy", "2026-12-01"], "E-WHEN-NO-TIME"),
        (["@amy", "2026-12-01", "6pm"], "E-WHEN-CLOCK"),
        (["2026-12-01", "23:59", "CET"], "E-ZONE-ABBREVIATION"),
        (["@amy", "2027-03-28", "02:30"], "E-WHEN-GAP"),
        (["@amy", "+2"], "E-DURATION-UNIT"),
    ],
)
def test_where_no_end_reads_the_one_that_tried_is_explained(words: list[str], code: str) -> None:
    with pytest.raises(Told) as told:
        when.split(words, zone=ZONE, now=NOW, base=BASE)

    assert told.value.code == code


def test_what_a_person_typed_cannot_ping_from_a_refusal() -> None:
    assert "``a`@prog1/teachers``" in refused("a`@prog1/teachers").reason


@settings(deadline=None)
@given(st.text(max_size=40))
def test_any_text_is_a_time_in_whole_seconds_or_told(text: str) -> None:
    with contextlib.suppress(Told):
        assert read(text).at.microsecond == 0


@settings(deadline=None)
@given(st.integers(0, 2 * 365 * 86_400).map(lambda seconds: NOW + timedelta(seconds=seconds)))
def test_an_instant_reads_back_as_itself(at: datetime) -> None:
    assert read(f"{at:%Y-%m-%dT%H:%M:%SZ}").at == at

"""How answers name times."""

from datetime import UTC, datetime, timedelta

import pytest

from bot.text import when

DEADLINE = datetime(2026, 12, 1, 22, 59, tzinfo=UTC)


@pytest.mark.parametrize(
    ("zone", "expected"),
    [
        ("Europe/Zurich", "**Tue 1 Dec 2026, 23:59:00 Europe/Zurich** (22:59:00 UTC)"),
        ("Asia/Taipei", "**Wed 2 Dec 2026, 06:59:00 Asia/Taipei** (Tue 1 Dec 2026, 22:59:00 UTC)"),
        ("UTC", "**Tue 1 Dec 2026, 22:59:00 UTC**"),
    ],
)
def test_a_time_is_named_in_the_zone_and_in_utc_with_its_date_where_it_differs(zone: str, expected: str) -> None:
    assert when.at(DEADLINE, zone) == expected


def test_a_time_that_comes_twice_is_told_apart_by_utc() -> None:
    first = datetime(2026, 10, 25, 0, 30, tzinfo=UTC)

    assert when.at(first, "Europe/Zurich") == "**Sun 25 Oct 2026, 02:30:00 Europe/Zurich** (00:30:00 UTC)"
    assert when.at(first + timedelta(hours=1), "Europe/Zurich").endswith("(01:30:00 UTC)")


def test_the_short_forms_stand_beside_a_full_one() -> None:
    assert when.short(DEADLINE, "Europe/Zurich") == "Tue 1 Dec 23:59:00"
    assert when.clock(DEADLINE, "Europe/Zurich") == "23:59:00"


def test_in_the_hour_that_comes_twice_the_short_forms_name_utc_too() -> None:
    first = datetime(2026, 10, 25, 0, 30, tzinfo=UTC)

    assert when.short(first, "Europe/Zurich") == "Sun 25 Oct 02:30:00 (00:30:00 UTC)"
    assert when.clock(first + timedelta(hours=1), "Europe/Zurich") == "02:30:00 (01:30:00 UTC)"
    assert when.clock(first + timedelta(hours=2), "Europe/Zurich") == "03:30:00"


def test_the_last_microsecond_of_a_second_belongs_to_that_second() -> None:
    assert when.clock(DEADLINE - timedelta(microseconds=1), "UTC") == "22:58:59"


@pytest.mark.parametrize(
    ("seconds", "expected"),
    [
        (0, "0 s"),
        (0.4, "less than a second"),
        (1, "1 s"),
        (59.9, "59 s"),
        (60, "1 min"),
        (740, "12 min 20 s"),
        (7_200, "2 h"),
        (7_205, "2 h"),
        (7_500, "2 h 5 min"),
        (86_400, "1 day"),
        (86_400 + 300, "1 day"),
        (8 * 86_400 + 7_200, "8 days 2 h"),
    ],
)
def test_lengths_are_told_in_two_neighbouring_units(seconds: float, expected: str) -> None:
    assert when.lasting(seconds) == expected


@pytest.mark.parametrize(
    ("seconds", "expected"),
    [(7_200, "in 2 h"), (-740, "12 min 20 s ago"), (0, "now"), (0.5, "now"), (-1, "1 s ago")],
)
def test_a_distance_says_which_way(seconds: float, expected: str) -> None:
    assert when.until(DEADLINE + timedelta(seconds=seconds), DEADLINE) == expected

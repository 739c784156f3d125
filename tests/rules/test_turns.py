"""The nights of 2026 and 2027 on which the clocks are turned: what a deadline means before, in and after each of them.

A wall time that does not exist or comes twice is refused with both readings, each of which can be typed.
"""

import re
from datetime import UTC, datetime, timedelta

import pytest

from bot.errors import Told
from bot.rules import durations, when, zones
from bot.rules.durations import Duration
from bot.text import when as text

HOUR, HALF = timedelta(hours=1), timedelta(minutes=30)
DAY = timedelta(days=1)

Turn = tuple[str, datetime, str, str, timedelta]
"""A zone, the instant at which its clocks are turned, the wall time they leave, the one they show next, by how much."""


def turn(zone: str, at: str, leaves: str, shows: str, by: timedelta) -> Turn:
    return zone, datetime.fromisoformat(at).replace(tzinfo=UTC), leaves, shows, by


AHEAD = [
    turn("Europe/Zurich", "2026-03-29 01:00", "2026-03-29 02:00", "2026-03-29 03:00", HOUR),
    turn("Europe/Zurich", "2027-03-28 01:00", "2027-03-28 02:00", "2027-03-28 03:00", HOUR),
    turn("America/New_York", "2026-03-08 07:00", "2026-03-08 02:00", "2026-03-08 03:00", HOUR),
    turn("America/New_York", "2027-03-14 07:00", "2027-03-14 02:00", "2027-03-14 03:00", HOUR),
    turn("Australia/Lord_Howe", "2026-10-03 15:30", "2026-10-04 02:00", "2026-10-04 02:30", HALF),
    turn("Australia/Lord_Howe", "2027-10-02 15:30", "2027-10-03 02:00", "2027-10-03 02:30", HALF),
]
BACK = [
    turn("Europe/Zurich", "2026-10-25 01:00", "2026-10-25 03:00", "2026-10-25 02:00", -HOUR),
    turn("Europe/Zurich", "2027-10-31 01:00", "2027-10-31 03:00", "2027-10-31 02:00", -HOUR),
    turn("America/New_York", "2026-11-01 06:00", "2026-11-01 02:00", "2026-11-01 01:00", -HOUR),
    turn("America/New_York", "2027-11-07 06:00", "2027-11-07 02:00", "2027-11-07 01:00", -HOUR),
    turn("Australia/Lord_Howe", "2026-04-04 15:00", "2026-04-05 02:00", "2026-04-05 01:30", -HALF),
    turn("Australia/Lord_Howe", "2027-04-03 15:00", "2027-04-04 02:00", "2027-04-04 01:30", -HALF),
]
# Where no clock is turned, the same nights are nights like others.
STILL = [
    turn("Asia/Taipei", "2027-03-27 18:00", "2027-03-28 02:00", "2027-03-28 02:00", timedelta()),
    turn("Asia/Taipei", "2026-10-24 18:00", "2026-10-25 02:00", "2026-10-25 02:00", timedelta()),
]
EVERY = [*AHEAD, *BACK, *STILL]
PARTS = ("zone", "at", "leaves", "shows", "by")


def read(words: str, zone: str, now: datetime, base: datetime | None = None) -> datetime:
    return when.parse(words, zone=zone, now=now, base=base).at


def evening(wall: str, zone: str, days: int = 0, clock: str = "23:59") -> datetime:
    """That time of day, so many days after the date of `wall`, where no clock is being turned."""
    day = (datetime.fromisoformat(wall) + days * DAY).date()
    return zones.instant(datetime.fromisoformat(f"{day} {clock}"), zone)


@pytest.mark.parametrize(PARTS, AHEAD)
def test_a_wall_time_that_does_not_exist_is_refused_and_both_readings_can_be_typed(
    zone: str, at: datetime, leaves: str, shows: str, by: timedelta
) -> None:
    missing = datetime.fromisoformat(leaves) + by / 2

    with pytest.raises(Told) as told:
        read(f"{missing:%Y-%m-%d %H:%M}", zone, at - 3 * DAY)

    assert told.value.code == "E-WHEN-GAP"
    assert f"jump from {leaves[11:]} to {shows[11:]}, so {missing:%H:%M} does not exist" in told.value.reason
    typed = re.findall("`(.+?)`", told.value.instead)
    assert [read(words, "UTC", at - 3 * DAY) for words in typed] == [at - timedelta(minutes=1), at]


@pytest.mark.parametrize(PARTS, BACK)
def test_a_wall_time_that_comes_twice_is_refused_and_both_readings_can_be_typed(
    zone: str, at: datetime, leaves: str, shows: str, by: timedelta
) -> None:
    twice = datetime.fromisoformat(shows) - by / 2

    with pytest.raises(Told) as told:
        read(f"{twice:%Y-%m-%d %H:%M}", zone, at - 3 * DAY)

    assert told.value.code == "E-WHEN-TWICE"
    assert f"go back from {leaves[11:]} to {shows[11:]}, so {twice:%H:%M} comes twice" in told.value.reason
    typed = re.findall("`(.+?)`", told.value.instead)
    assert [read(words, zone, at - 3 * DAY) for words in typed] == [at + by / 2, at - by / 2]


@pytest.mark.parametrize(PARTS, EVERY)
def test_the_last_second_before_and_the_first_one_after_are_read(
    zone: str, at: datetime, leaves: str, shows: str, by: timedelta
) -> None:
    # When the clocks go back these two come twice themselves: the first that does not lies by as much farther off.
    last, first = (datetime.fromisoformat(wall) for wall in sorted((leaves, shows)))
    outside = -by if by < timedelta() else timedelta()

    assert read(f"{last - timedelta(seconds=1)}", zone, at - 3 * DAY) == at - outside - timedelta(seconds=1)
    assert read(f"{first}", zone, at - 3 * DAY) == at + outside


@pytest.mark.parametrize(PARTS, EVERY)
def test_days_keep_the_wall_time_and_hours_the_time_that_passes(
    zone: str, at: datetime, leaves: str, shows: str, by: timedelta
) -> None:
    deadline = evening(leaves, zone, -1)

    by_days, by_hours = (read(words, zone, at - 3 * DAY, deadline) for words in ("+2d", "+48h"))

    assert zones.wall(by_days, zone) == zones.wall(deadline, zone) + 2 * DAY
    assert by_days - deadline == 2 * DAY - by
    assert by_hours - deadline == 2 * DAY
    assert zones.wall(by_hours, zone) == zones.wall(deadline, zone) + 2 * DAY + by


@pytest.mark.parametrize(PARTS, EVERY)
def test_a_weekday_in_the_week_of_the_turn_is_that_time_of_day_by_the_clock_of_that_day(
    zone: str, at: datetime, leaves: str, shows: str, by: timedelta
) -> None:
    monday = evening(leaves, zone, -6, "09:00")

    friday, sunday = (read(words, zone, monday) for words in ("fri 18:00", "sun 18:00"))

    assert friday == evening(leaves, zone, -2, "18:00")
    assert sunday - friday == 2 * DAY - by
    assert read("fri 18:00", zone, sunday) - friday == 7 * DAY - by


@pytest.mark.parametrize(PARTS, EVERY)
def test_what_is_read_is_kept_as_wall_time_zone_and_instant_and_told_with_utc(
    zone: str, at: datetime, leaves: str, shows: str, by: timedelta
) -> None:
    for days in (-1, 1):
        instant = evening(leaves, zone, days)
        read_there = when.parse(f"{zones.wall(instant, zone)}", zone=zone, now=at, base=None)

        assert (read_there.at, read_there.zone) == (instant, zone)
        assert read_there.wall.endswith("23:59:00")
        offset = timedelta(hours=23, minutes=59) - timedelta(hours=instant.hour, minutes=instant.minute)
        assert offset % DAY == (instant.astimezone(zones.zone_of(zone)).utcoffset() or timedelta()) % DAY
        assert f"23:59:00 {zone}" in text.at(instant, zone)
        assert f"{instant:%H:%M:%S} UTC)" in text.at(instant, zone)


@pytest.mark.parametrize(PARTS, EVERY)
def test_three_days_before_is_the_same_wall_time_and_24_hours_before_are_exact(
    zone: str, at: datetime, leaves: str, shows: str, by: timedelta
) -> None:
    deadline = evening(leaves, zone, 1)

    three_days = durations.before(deadline, Duration(days=3), zone)

    assert zones.wall(three_days, zone) == zones.wall(deadline, zone) - 3 * DAY
    assert deadline - three_days == 3 * DAY - by
    assert durations.before(evening(leaves, zone), Duration(seconds=86_400), zone) == evening(leaves, zone) - DAY


def test_a_checkpoint_follows_a_deadline_moved_across_the_clock_change_to_73_hours_before() -> None:
    moved = datetime(2026, 10, 26, 22, 59, tzinfo=UTC)  # Monday 23:59 in Zurich, the clocks went back on Sunday

    assert durations.before(moved, Duration(days=3), "Europe/Zurich") == moved - timedelta(hours=73)


@pytest.mark.parametrize(PARTS, [*AHEAD, *BACK])
def test_days_before_that_end_where_the_clocks_are_turned_are_the_later_instant(
    zone: str, at: datetime, leaves: str, shows: str, by: timedelta
) -> None:
    inside = min(datetime.fromisoformat(leaves), datetime.fromisoformat(shows)) + abs(by) / 2
    deadline = zones.instant(inside + 3 * DAY, zone)

    assert durations.before(deadline, Duration(days=3), zone) == at + abs(by) / 2

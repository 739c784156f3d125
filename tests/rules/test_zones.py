"""Zones and the days on which clocks are turned."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.errors import Told
from bot.rules import zones

PLACES = ("Europe/Zurich", "America/New_York", "Australia/Lord_Howe", "Asia/Taipei", "America/Santiago", "UTC")


@pytest.mark.parametrize("name", PLACES)
def test_iana_names_are_zones(name: str) -> None:
    assert zones.valid_zone(name)


@pytest.mark.parametrize(
    "name", ["CET", "EST", "GMT", "Z", "Etc/GMT+1", "GMT+1", "Europe", "../Europe/Zurich", "", "localtime"]
)
def test_abbreviations_and_offsets_are_no_zones(name: str) -> None:
    assert not zones.valid_zone(name)


@pytest.mark.parametrize(
    ("name", "code", "instead"),
    [
        ("CET", "E-ZONE-ABBREVIATION", "IANA"),
        ("cst", "E-ZONE-ABBREVIATION", "IANA"),
        ("AEDT", "E-ZONE-ABBREVIATION", "IANA"),
        ("Europe/Zürich", "E-ZONE-UNKNOWN", "`Europe/Zurich`"),
        ("europe/zurich", "E-ZONE-UNKNOWN", "`Europe/Zurich`"),
        ("Zurich", "E-ZONE-UNKNOWN", "`Europe/Zurich`"),
        ("Paris", "E-ZONE-UNKNOWN", "`Europe/Paris`"),
        ("GMT+1", "E-ZONE-UNKNOWN", "`UTC`"),
    ],
)
def test_a_stranger_is_refused_with_the_name_to_write(name: str, code: str, instead: str) -> None:
    with pytest.raises(Told) as told:
        zones.zone_of(name)

    assert told.value.code == code
    assert instead in told.value.instead


GAPS = [
    ("Europe/Zurich", "2027-03-28 02:30", "from 02:00 to 03:00", ("2027-03-28 01:59", "2027-03-28 03:00")),
    ("America/New_York", "2027-03-14 02:00", "from 02:00 to 03:00", ("2027-03-14 01:59", "2027-03-14 03:00")),
    ("Australia/Lord_Howe", "2026-10-04 02:29", "from 02:00 to 02:30", ("2026-10-04 01:59", "2026-10-04 02:30")),
    ("America/Santiago", "2026-09-06 00:01", "from 00:00 to 01:00", ("2026-09-05 23:59", "2026-09-06 01:00")),
]


@pytest.mark.parametrize(("zone", "local", "turned", "readings"), GAPS)
def test_a_time_that_does_not_exist_is_refused_with_both_readings(
    zone: str, local: str, turned: str, readings: tuple[str, str]
) -> None:
    with pytest.raises(Told) as told:
        zones.instant(datetime.fromisoformat(local), zone)

    assert told.value.code == "E-WHEN-GAP"
    assert turned in told.value.reason
    assert all(f"`{reading} {zone}`" in told.value.instead for reading in readings)


FOLDS = [
    ("Europe/Zurich", "2026-10-25 02:30", "from 03:00 to 02:00", ("2026-10-25T00:30:00Z", "2026-10-25T01:30:00Z")),
    ("America/New_York", "2026-11-01 01:00", "from 02:00 to 01:00", ("2026-11-01T05:00:00Z", "2026-11-01T06:00:00Z")),
    (
        "Australia/Lord_Howe",
        "2027-04-04 01:45",
        "from 02:00 to 01:30",
        ("2027-04-03T14:45:00Z", "2027-04-03T15:15:00Z"),
    ),
    ("America/Santiago", "2027-04-03 23:30", "from 00:00 to 23:00", ("2027-04-04T02:30:00Z", "2027-04-04T03:30:00Z")),
]


@pytest.mark.parametrize(("zone", "local", "turned", "readings"), FOLDS)
def test_a_time_that_comes_twice_is_refused_with_both_readings(
    zone: str, local: str, turned: str, readings: tuple[str, str]
) -> None:
    with pytest.raises(Told) as told:
        zones.instant(datetime.fromisoformat(local), zone)

    assert told.value.code == "E-WHEN-TWICE"
    assert turned in told.value.reason
    assert all(f"`{reading}`" in told.value.instead for reading in readings)


@pytest.mark.parametrize(
    ("zone", "local", "at"),
    [
        ("Europe/Zurich", "2027-03-28 01:59:59", datetime(2027, 3, 28, 0, 59, 59, tzinfo=UTC)),
        ("Europe/Zurich", "2027-03-28 03:00", datetime(2027, 3, 28, 1, 0, tzinfo=UTC)),
        ("Europe/Zurich", "2026-10-25 01:59:59", datetime(2026, 10, 24, 23, 59, 59, tzinfo=UTC)),
        ("Europe/Zurich", "2026-10-25 03:00", datetime(2026, 10, 25, 2, 0, tzinfo=UTC)),
        ("Asia/Taipei", "2027-03-28 02:30", datetime(2027, 3, 27, 18, 30, tzinfo=UTC)),
    ],
)
def test_the_last_and_first_second_around_a_turn_exist_once(zone: str, local: str, at: datetime) -> None:
    assert zones.instant(datetime.fromisoformat(local), zone) == at


@settings(deadline=None)
@given(st.integers(0, 2 * 365 * 86_400), st.sampled_from(PLACES))
def test_every_instant_is_among_the_readings_of_its_wall_time(seconds: int, zone: str) -> None:
    at = datetime(2026, 1, 1, tzinfo=UTC) + timedelta(seconds=seconds)
    local = zones.wall(at, zone)

    if len(set(zones.readings(local, zone))) == 1:
        assert zones.instant(local, zone) == at
    else:
        assert at in zones.readings(local, zone)

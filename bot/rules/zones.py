"""Wall time, IANA zones and instants (docs/design.md section 3): a local time is never guessed."""

import functools
from datetime import UTC, date, datetime, timedelta
from difflib import get_close_matches
from zoneinfo import ZoneInfo, available_timezones

from bot.errors import Told
from bot.rules.quoting import code

# English names of our own: strftime and calendar answer in the locale of the machine.
DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)


@functools.cache
def _names() -> frozenset[str]:
    """The names we take: `Area/City` and UTC.

    The database holds more: `EST` and `CET`, by which people mean a zone with summer time, and `Etc/GMT+1`, which lies
    an hour *behind* UTC.
    """
    places = (name for name in available_timezones() if "/" in name and not name.startswith("Etc/"))
    return frozenset(places) | {"UTC"}


def valid_zone(name: str) -> bool:
    """Whether `name` is an IANA zone name, such as Europe/Zurich or UTC; never an abbreviation."""
    return name in _names()


def zone_of(name: str) -> ZoneInfo:
    """The zone called `name`. Raises Told for an abbreviation (`E-ZONE-ABBREVIATION`), else `E-ZONE-UNKNOWN`."""
    if valid_zone(name):
        return ZoneInfo(name)
    if name.isalpha() and (len(name) <= 3 or (len(name) <= 5 and name.isupper())):
        raise Told(
            "E-ZONE-ABBREVIATION",
            f"{code(name)} is an abbreviation: its letters mean several zones, or only half of a year.",
            "Write the zone's IANA name, such as `Europe/Zurich`, `America/New_York` or `UTC`.",
        )
    raise Told("E-ZONE-UNKNOWN", f"{code(name)} is not the IANA name of a zone.", _near(name))


def _near(name: str) -> str:
    by_name = {known.casefold(): known for known in _names()}
    # People know the city: `Zürich` should lead to Europe/Zurich too.
    by_city = {known.casefold().rpartition("/")[2]: known for known in sorted(_names())}
    for known in (by_name, by_city):
        if close := get_close_matches(name.casefold(), known, n=1, cutoff=0.8):
            return f"Did you mean `{known[close[0]]}`?"
    return "Write it as `Europe/Zurich`, `America/New_York` or `UTC`."


def day_text(day: date) -> str:
    """`28 March 2027`."""
    return f"{day.day} {MONTHS[day.month - 1]} {day.year}"


def wall(instant: datetime, zone: str) -> datetime:
    """What a clock on a wall in `zone` shows at `instant`: a datetime without zone, to the second."""
    return instant.astimezone(zone_of(zone)).replace(tzinfo=None, microsecond=0, fold=0)


def readings(local: datetime, zone: str) -> tuple[datetime, datetime]:
    """The earlier and the later instant (UTC) that wall time `local` can mean in `zone`; on most days they are one."""
    first, second = sorted(local.replace(tzinfo=zone_of(zone), fold=fold).astimezone(UTC) for fold in (0, 1))
    return first, second


def instant(local: datetime, zone: str) -> datetime:
    """The one instant (UTC) that wall time `local` means in `zone`.

    Raises Told where it does not exist (`E-WHEN-GAP`) or exists twice (`E-WHEN-TWICE`), with both readings named.
    """
    first, second = readings(local, zone)
    if first == second:
        return first
    before, after = _turn(first, second, zone)
    turned = f"from {before:%H:%M} to {after:%H:%M}"
    if before < after:
        last = before - timedelta(minutes=1)
        raise Told(
            "E-WHEN-GAP",
            f"On {day_text(local)} the clocks in {zone} jump {turned}, so {_clock(local)} does not exist.",
            f"Write `{last:%Y-%m-%d %H:%M} {zone}` or `{after:%Y-%m-%d %H:%M} {zone}`.",
        )
    raise Told(
        "E-WHEN-TWICE",
        f"On {day_text(local)} the clocks in {zone} go back {turned}, so {_clock(local)} comes twice: "
        f"at {_clock(first)} UTC and at {_clock(second)} UTC.",
        f"Write `{first:%Y-%m-%dT%H:%M:%SZ}` or `{second:%Y-%m-%dT%H:%M:%SZ}`.",
    )


def _turn(first: datetime, second: datetime, zone: str) -> tuple[datetime, datetime]:
    """The wall times between which the clock is turned, somewhere between two instants: the one it leaves, its next."""
    place = zone_of(zone)
    old = first.astimezone(place).utcoffset()
    low, high = first, second
    while high - low > timedelta(seconds=1):
        middle = (low + (high - low) / 2).replace(microsecond=0)
        if middle.astimezone(place).utcoffset() == old:
            low = middle
        else:
            high = middle
    return wall(low, zone) + timedelta(seconds=1), wall(high, zone)


def _clock(time: datetime) -> str:
    return f"{time:%H:%M:%S}" if time.second else f"{time:%H:%M}"

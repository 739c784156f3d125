"""Durations as people type them (docs/design.md section 3): days are calendar days, hours to seconds are exact."""

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from bot.errors import Told
from bot.rules import zones
from bot.rules.quoting import code

DAY_SECONDS = 86_400
LONGEST_DAYS = 3_660
# The largest unit first and each at most once, so that "30m1h" or "5m5m" is asked about instead of added up.
_SUM = re.compile(r"(?=[0-9])(?:([0-9]{1,9})d)?(?:([0-9]{1,9})h)?(?:([0-9]{1,9})m)?(?:([0-9]{1,9})s)?", re.ASCII)


@dataclass(frozen=True, slots=True)
class Duration:
    """So many calendar days in the course zone, then so many exact seconds."""

    days: int = 0
    seconds: int = 0


def parse(text: str) -> Duration:
    """`30m`, `5s`, `2h`, `1d` or a sum such as `1h30m`. Raises Told: `E-DURATION-UNIT`, `-FORM` or `-LONG`."""
    if text.isdecimal():
        raise Told(
            "E-DURATION-UNIT",
            f"{code(text)} has no unit.",
            "Write `30m` for minutes, `30h` for hours or `30d` for days.",
        )
    match = _SUM.fullmatch(text)
    if match is None:
        raise Told(
            "E-DURATION-FORM",
            f"{code(text)} does not read as a duration.",
            "Write `30m`, `2h`, `1d`, `45s`, or a sum with the largest unit first: `1d12h`.",
        )
    days, hours, minutes, seconds = (int(number or 0) for number in match.groups())
    duration = Duration(days, hours * 3600 + minutes * 60 + seconds)
    if exact_seconds(duration) > LONGEST_DAYS * DAY_SECONDS:
        raise Told("E-DURATION-LONG", f"{code(text)} is longer than ten years.", "Is the unit right?")
    return duration


def add(instant: datetime, duration: Duration, zone: str) -> datetime:
    """`instant` moved by `duration`, in UTC: first the days at the same wall time in `zone`, then the seconds.

    Raises Told where the days end on a local time that does not exist or exists twice there (both readings named).
    """
    moved = instant
    if duration.days:
        moved = zones.instant(zones.wall(instant, zone) + timedelta(days=duration.days), zone)
    return moved.astimezone(UTC) + timedelta(seconds=duration.seconds)


def before(instant: datetime, duration: Duration, zone: str) -> datetime:
    """When it is `duration` before `instant`, in UTC: J−3 is three days less at the same wall time, `24h` is exact.

    It follows a deadline that moves, and nobody is asked: where the days end on a wall time that does not exist or
    comes twice, it is the later instant, in favour of the student. Twin: the SQL function `later`.
    """
    moved = instant
    if duration.days:
        moved = zones.readings(zones.wall(instant, zone) - timedelta(days=duration.days), zone)[1]
    return moved.astimezone(UTC) - timedelta(seconds=duration.seconds)


def exact_seconds(duration: Duration) -> int:
    """The length in seconds with 24 hours to a day, for what runs from an instant and knows no calendar: the grace."""
    return duration.days * DAY_SECONDS + duration.seconds


def text(duration: Duration) -> str:
    """The duration as it is typed: `1d12h`, `30m`, `0s`. Reading it gives the same duration."""
    minutes, seconds = divmod(duration.seconds, 60)
    hours, minutes = divmod(minutes, 60)
    parts = ((duration.days, "d"), (hours, "h"), (minutes, "m"), (seconds, "s"))
    return "".join(f"{number}{unit}" for number, unit in parts if number) or "0s"

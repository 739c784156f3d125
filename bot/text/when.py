"""How every answer names a time: in the course zone and in UTC, with English names whatever the machine's locale."""

from datetime import datetime

from bot.rules.zones import DAYS, MONTHS, readings, wall, zone_of

_UNITS = ((86_400, "day"), (3_600, "h"), (60, "min"), (1, "s"))


def at(instant: datetime, zone: str) -> str:
    """`**Tue 1 Dec 2026, 23:59:00 Europe/Zurich** (22:59:00 UTC)`; UTC's date is named too where it differs."""
    local = wall(instant, zone)
    shown = f"**{_day(local)} {local.year}, {local:%H:%M:%S} {zone}**"
    return shown if zone == "UTC" else f"{shown} ({_utc(instant, local)})"


def stamped(instant: datetime, zone: str) -> str:
    """`Tue 1 Dec 2026, 23:59:00 Europe/Zurich (+01:00)`, where no Markdown is shown."""
    local = wall(instant, zone)
    offset = f"{instant.astimezone(zone_of(zone)):%z}"
    return f"{_day(local)} {local.year}, {local:%H:%M:%S} {zone} ({offset[:3]}:{offset[3:5]})"


def paired(instant: datetime, zone: str) -> str:
    """`Tue 1 Dec 2026, 23:59:00 (22:59:00 UTC)`, where many times stand below a zone that is named."""
    local = wall(instant, zone)
    shown = f"{_day(local)} {local.year}, {local:%H:%M:%S}"
    return shown if zone == "UTC" else f"{shown} ({_utc(instant, local)})"


def short(instant: datetime, zone: str) -> str:
    """`Tue 1 Dec 23:59:00`, beside a time that already named the zone."""
    local = wall(instant, zone)
    return f"{_day(local)} {local:%H:%M:%S}{_which(instant, local, zone)}"


def clock(instant: datetime, zone: str) -> str:
    """`23:59:00`, where the day and the zone are plain from what stands before."""
    local = wall(instant, zone)
    return f"{local:%H:%M:%S}{_which(instant, local, zone)}"


def lasting(seconds: float) -> str:
    """A length of time in its two largest units, rounded down: `12 min 20 s`, `8 days 2 h`, `less than a second`."""
    rest = int(abs(seconds))
    if rest == 0:
        return "less than a second" if seconds else "0 s"
    counts: list[str] = []
    for size, unit in _UNITS:
        count, rest = divmod(rest, size)
        if count or counts:
            counts.append(_count(count, unit))
    return " ".join(counts[:2]).strip()


def until(instant: datetime, now: datetime) -> str:
    """How far `instant` lies from `now`: `in 8 days 2 h`, `12 min 20 s ago` or `now`."""
    seconds = (instant - now).total_seconds()
    if abs(seconds) < 1:
        return "now"
    return f"in {lasting(seconds)}" if seconds > 0 else f"{lasting(seconds)} ago"


def _day(local: datetime) -> str:
    return f"{DAYS[local.weekday()][:3]} {local.day} {MONTHS[local.month - 1][:3]}"


def _which(instant: datetime, local: datetime, zone: str) -> str:
    """UTC too in the hour that comes twice when the clocks go back, or nobody could tell which of the two is meant."""
    first, second = readings(local, zone)
    return "" if first == second else f" ({wall(instant, 'UTC'):%H:%M:%S} UTC)"


def _utc(instant: datetime, local: datetime) -> str:
    utc = wall(instant, "UTC")
    day = "" if utc.date() == local.date() else f"{_day(utc)} {utc.year}, "
    return f"{day}{utc:%H:%M:%S} UTC"


def _count(count: int, unit: str) -> str:
    plural = "s" if unit == "day" and count > 1 else ""
    return f"{count} {unit}{plural}" if count else ""

"""The grammar of WHEN (docs/design.md section 11): strict, since a deadline must never be guessed.

A time is a day and a clock (`2026-12-01 23:59`, `fri 18:00`), in the course zone unless an IANA zone follows; or an ISO
instant (`2026-12-01T22:59:00Z`); or a distance from the present effective deadline (`+2d`).
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone

from bot.errors import Told
from bot.rules import dates, durations, zones
from bot.rules.quoting import code

FORM = "E-WHEN-FORM"
LONGEST_WORDS = 3
FAR = timedelta(days=5 * 366)
_DISTANCE = re.compile(r"\+[0-9]\S*")
_INSTANT = re.compile(r"([0-9-]+)T([0-9:.,]+)(?:(Z)|([+-])(0[0-9]|1[0-4]):([0-5][0-9]))?")


@dataclass(frozen=True, slots=True)
class When:
    """A time that was read: the instant (UTC, whole seconds) and the wall time in the zone it was meant in."""

    at: datetime
    wall: str
    zone: str


@dataclass(frozen=True, slots=True)
class _Here:
    """What a relative or a local time is read against: the course zone, the present, the effective deadline if any."""

    zone: str
    now: datetime
    base: datetime | None


def parse(text: str, *, zone: str, now: datetime, base: datetime | None) -> When:
    """The time that `text` names, read in the course's `zone` at `now`; `base` is the effective deadline for `+2d`.

    Raises Told (`E-WHEN-…`, `E-ZONE-…`, `E-DURATION-…`) for whatever is missing, has two readings or does not exist.
    """
    here = _Here(zone, now, base)
    words = text.split()
    if not words:
        raise Told("E-WHEN-MISSING", "A time is needed.", dates.FORMS)
    if len(words) == 1 and is_distance(words[0]):
        when = _relative(words[0], here)
    elif match := _INSTANT.fullmatch(words[0]):
        when = _instant(match, words[1:], here)
    else:
        when = _local(words, here)
    if abs(when.at - now) > FAR:
        raise dates.far(text)
    return when


def is_distance(word: str) -> bool:
    """Whether `word` counts from the present effective deadline: `+2d`."""
    return _DISTANCE.fullmatch(word) is not None


def split(words: Sequence[str], *, zone: str, now: datetime, base: datetime | None) -> tuple[list[str], When]:
    """The words before the time, and the time: the longest end of `words` that reads as one.

    Where none does, raises the Told of the longest end that tried to be a time, else of the last word.
    """
    refusals: list[Told] = []
    for size in range(min(LONGEST_WORDS, len(words)), 0, -1):
        try:
            when = parse(" ".join(words[-size:]), zone=zone, now=now, base=base)
        except Told as refusal:
            refusals.append(refusal)
        else:
            return list(words[:-size]), when
    tried = [refusal for refusal in refusals if refusal.code != FORM]
    raise (tried or refusals[-1:] or [Told("E-WHEN-MISSING", "A time is needed.", dates.FORMS)])[0]


def _relative(word: str, here: _Here) -> When:
    duration = durations.parse(word[1:])
    if here.base is None:
        raise Told(
            "E-WHEN-NO-BASE",
            f"{code(word)} counts from the present deadline, and there is none yet.",
            "Write a date and a time, such as `2026-12-01 23:59`.",
        )
    return _when(durations.add(here.base.replace(microsecond=0), duration, here.zone), here.zone)


def _instant(match: re.Match[str], rest: list[str], here: _Here) -> When:
    day, clock, utc, sign, hours, minutes = match.groups()
    local = datetime.combine(dates.day(day), dates.clock(clock))
    if not (utc or sign):
        raise Told(
            "E-WHEN-OFFSET",
            f"{code(match.group())} does not say its zone.",
            f"Write `{day} {clock}` for the time in {here.zone}, or `{day}T{clock}Z` for UTC.",
        )
    if rest:
        raise _unread([match.group(), *rest])
    offset = timedelta() if utc else timedelta(hours=int(hours), minutes=int(minutes))
    at = local.replace(tzinfo=timezone(-offset if sign == "-" else offset)).astimezone(UTC)
    return _when(at, here.zone)


def _local(words: list[str], here: _Here) -> When:
    dates.refuse_other_orders(words)
    weekday = dates.weekday(words[0])
    if (weekday is None and not dates.is_day(words[0])) or len(words) > LONGEST_WORDS:
        raise _unread(words)
    if len(words) == 1:
        raise Told("E-WHEN-NO-TIME", f"`{words[0]}` has no time of day.", f"Write `{words[0]} 23:59`.")
    clock = dates.clock(words[1])
    zone = words[2] if len(words) == LONGEST_WORDS else here.zone
    zones.zone_of(zone)
    if weekday is None:
        return _when(zones.instant(datetime.combine(dates.day(words[0]), clock), zone), zone)
    today = zones.wall(here.now, zone).date()
    local = datetime.combine(today + timedelta(days=(weekday - today.weekday()) % 7), clock)
    # Judged by the later reading: on the day the clocks go back, a time may have passed once and still come again.
    if zones.readings(local, zone)[1] <= here.now:
        local += timedelta(days=7)
    return _when(zones.instant(local, zone), zone)


def _unread(words: list[str]) -> Told:
    return Told(FORM, f"{code(' '.join(words))} does not read as a time.", dates.FORMS)


def _when(at: datetime, zone: str) -> When:
    return When(at, f"{zones.wall(at, zone):%Y-%m-%d %H:%M:%S}", zone)

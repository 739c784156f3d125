"""The words of a date and of a time of day, read strictly; another order is refused with its readings named."""

import calendar
import re
from collections.abc import Sequence
from datetime import date, time

from bot.errors import Told
from bot.rules.quoting import code
from bot.rules.zones import DAYS, MONTHS, day_text

FORMS = (
    "Write `2026-12-01 23:59` (a zone such as `Europe/Zurich` may follow), `2026-12-01T22:59:00Z`, `fri 18:00`, "
    "or `+2d`, `+36h`, `+45m` to count from the present deadline."
)
_DAY = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})")
_CLOCK = re.compile(r"([0-9]{2}):([0-9]{2})(?::([0-9]{2}))?")
_YEAR_LAST = re.compile(r"([0-9]{1,2})([./-])([0-9]{1,2})\2([0-9]{4}|[0-9]{2})")
_YEAR_FIRST = re.compile(r"([0-9]{4})([./])([0-9]{1,2})\2([0-9]{1,2})")
_WEEKDAYS = {name: number for number, day in enumerate(DAYS) for name in (day.lower(), day[:3].lower())}


def is_day(word: str) -> bool:
    """Whether `word` has the form of a date, `2026-12-01`."""
    return _DAY.fullmatch(word) is not None


def weekday(word: str) -> int | None:
    """0 for `mon` or `Monday` up to 6 for Sunday; None for any other word."""
    return _WEEKDAYS.get(word.lower())


def day(word: str) -> date:
    """The date `word` names. Raises Told: `E-WHEN-NO-SUCH-DAY` for 30 February, `E-WHEN-FAR` for the year 0026."""
    match = _DAY.fullmatch(word)
    found = _date(*match.groups()) if match else None
    if found is None:
        raise Told("E-WHEN-NO-SUCH-DAY", f"{code(word)} is not a day of the calendar.", _last_day(match))
    if not 2000 <= found.year < 3000:
        raise far(word)
    return found


def far(text: str) -> Told:
    """The refusal of a time that can only be a slip of the hand."""
    return Told("E-WHEN-FAR", f"{code(text)} is more than five years away.", "Is the year right?")


def clock(word: str) -> time:
    """The time of day `word` names, in 24 hours. Raises Told (`E-WHEN-CLOCK`) for `6pm`, `9:00`, `24:00`."""
    match = _CLOCK.fullmatch(word)
    if match:
        hour, minute, second = (int(number or 0) for number in match.groups())
        if hour < 24 and minute < 60 and second < 60:
            return time(hour, minute, second)
    raise Told(
        "E-WHEN-CLOCK",
        f"{code(word)} is not a time of day from 00:00 to 23:59:59.",
        "Write hours and minutes with two digits each, as `09:00` or `21:00`; whole seconds may follow, as `23:59:30`.",
    )


def refuse_other_orders(words: Sequence[str]) -> None:
    """Raises Told (`E-WHEN-ORDER`) when the first word is a date in another order than `2026-12-01`."""
    word = words[0]
    found: list[date] = []
    if match := _YEAR_LAST.fullmatch(word):
        one, _, two, year = match.groups()
        year = year if len(year) == 4 else f"20{year}"
        found = [reading for reading in (_date(year, two, one), _date(year, one, two)) if reading]
    elif match := _YEAR_FIRST.fullmatch(word):
        year, _, two, one = match.groups()
        found = [reading for reading in (_date(year, two, one),) if reading]
    if not found:
        return
    hour = words[1] if len(words) > 1 and _CLOCK.fullmatch(words[1]) else "23:59"
    needed = "" if len(words) > 1 else " (a time is needed too)"
    raise Told(
        "E-WHEN-ORDER", f"{code(word)} {_what_it_could_be(found)}.", f"Write `{found[0].isoformat()} {hour}`{needed}."
    )


def _what_it_could_be(found: list[date]) -> str:
    if len(set(found)) == 1:
        return f"seems to be {day_text(found[0])}, but dates are written year first here"
    one, other = (f"{reading.day} {MONTHS[reading.month - 1]}" for reading in found)
    return f"can be read as {one} or {other}"


def _last_day(match: re.Match[str] | None) -> str:
    first = _date(match[1], match[2], "1") if match else None
    if first is None:
        return "Write year, month and day, as `2026-12-01`."
    last = first.replace(day=calendar.monthrange(first.year, first.month)[1])
    return f"The last day of that month is {day_text(last)}."


def _date(year: str, month: str, number: str) -> date | None:
    try:
        return date(int(year), int(month), int(number))
    except ValueError:
        return None

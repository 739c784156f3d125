"""What is said about the staff's hand on repositories."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from bot.model import Enrolment
from bot.rules import deadlines
from bot.text import when
from bot.text.markdown import code


@dataclass(frozen=True, slots=True)
class Hand:
    """What was asked for, and by repository what is stored: None where the deadline alone holds the same."""

    lock: bool
    until: datetime | None
    stored: Mapping[int, bool | None]


def by_hand(rows: Sequence[Enrolment], hand: Hand, zone: str, now: datetime) -> str:
    """One line for each repository: what holds from now on, and until when."""
    return "\n".join(_line(row, hand, zone, now) for row in rows)


def _line(row: Enrolment, hand: Hand, zone: str, now: datetime) -> str:
    name = code(row.name)
    if row.gone_at:
        return f"{name} cannot be reached: nothing was changed there."
    if hand.stored[row.repository_id] is None:
        return f"{name} {_as_the_deadline(row, hand.lock, zone, now)}"
    if hand.lock:
        return f"{name} is closed by hand, until `/unlock` or until its deadline moves ahead."
    if hand.until:
        return f"{name} is open by hand until {when.at(hand.until, zone)}; then its deadline decides again."
    return f"{name} is open by hand: no deadline closes it until its own moves, or until `/lock`."


def _as_the_deadline(row: Enrolment, lock: bool, zone: str, now: datetime) -> str:
    if lock:
        return "is closed by its deadline anyway; a hand that opened it is lifted."
    if not deadlines.has_come(row.effective_at, now):
        return f"is open anyway; its deadline will close it {when.at(row.effective_at, zone)}."
    return "is held open by another project; nothing was changed."

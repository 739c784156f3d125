"""What is said about the staff's hand on repositories."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from bot.model import Enrolment
from bot.rules import deadlines
from bot.text import when
from bot.text.markdown import code


@dataclass(frozen=True, slots=True)
class Asked:
    """What was asked for, in a project whose deadline closes repositories or does not, in a course in shadow or not."""

    lock: bool
    until: datetime | None
    locks: bool = True
    shadow: bool = False


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of it: the hand that is stored now and the one before it, and what the deadlines alone hold there.

    `stored` None: the deadlines hold the same, or no rule speaks; that is where `closes` is None.
    """

    row: Enrolment
    stored: bool | None = None
    before: bool | None = None
    closes: bool | None = None


def by_hand(outcomes: Sequence[Outcome], asked: Asked, zone: str, now: datetime) -> str:
    """One line for each repository: what holds from now on, and until when."""
    return "\n".join(f"{code(it.row.name)} {_line(it, asked, zone, now)}" for it in outcomes)


def _line(it: Outcome, asked: Asked, zone: str, now: datetime) -> str:
    if it.row.gone_at:
        return "cannot be reached: nothing was changed there."
    if it.closes is None:
        why = "this course is in shadow mode" if asked.shadow else "no open or closed project speaks for it"
        return f"is left as it is: {why}, and nothing is locked or unlocked there."
    if it.stored is None:
        return _closed_anyway(it) if asked.lock else _open_anyway(it, asked, zone, now)
    if it.stored:
        return _locked(it, zone, now)
    if asked.until:
        return f"is open by hand until {when.at(asked.until, zone)}; then its deadline decides again."
    return "is open by hand: no deadline that has passed closes it again until it moves, or until `/lock`."


def _locked(it: Outcome, zone: str, now: datetime) -> str:
    if deadlines.has_come(it.row.effective_at, now):
        return "is closed by hand, until `/unlock` or until its deadline moves ahead."
    return f"is closed by hand, until `/unlock`; its deadline stays {when.at(it.row.effective_at, zone)}."


def _closed_anyway(it: Outcome) -> str:
    lifted = "; the hand that opened it is lifted" if it.before is False else ""
    return f"is closed by its deadline anyway{lifted}."


def _open_anyway(it: Outcome, asked: Asked, zone: str, now: datetime) -> str:
    opened = "is open again: the lock by hand is lifted" if it.before else "is open anyway"
    if not asked.locks:
        return f"{opened}; the deadline of this project closes nothing."
    if not deadlines.has_come(it.row.effective_at, now):
        return f"{opened}; its deadline will close it {when.at(it.row.effective_at, zone)}."
    return (
        f"{opened}; another project holds it open."
        if it.before
        else "is held open by another project; nothing was changed."
    )

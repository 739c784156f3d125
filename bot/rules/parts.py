"""A repository's parts in its projects: when each is applied and frozen, and which lock they want together (section 4).

SQL decides the same for many rows at once; the twin is named at each rule, and tests/store/test_twins.py draws whole
courses in which the two must agree.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from bot.rules import deadlines


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """What of a repository's part in one project decides its lock.

    `gone` is the repository's, `draft`, `archived` and `locks` (strategy `lock`) are the project's, `shadow` and
    `lifted` (its locks are to come off) the course's. `holding`: it is the open project that holds the repository.
    """

    withdrawn: bool
    gone: bool
    draft: bool
    archived: bool
    locks: bool
    shadow: bool
    lifted: bool
    holding: bool
    applied: bool
    frozen: bool

    @property
    def working(self) -> bool:
        """It takes work: enrolled, reachable, its project neither draft nor archived (docs/design.md section 1)."""
        return not (self.withdrawn or self.gone or self.draft or self.archived)

    def is_applied_by(self, effective: datetime, now: datetime) -> bool:
        """Whether its provisional freeze is to be written now. Twin: `apply_due`."""
        return self.working and not self.applied and deadlines.has_come(effective, now)

    def is_frozen_by(self, settles_at: datetime, now: datetime) -> bool:
        """Whether, with the evidence in, its definitive freeze is to be written now. Twin: `freezable`."""
        return self.working and self.applied and not self.frozen and deadlines.has_come(settles_at, now)


def lock_by_deadlines(parts: Sequence[Part]) -> bool | None:
    """Closed, open, or None where nothing speaks and GitHub keeps what it holds. Twin: the function `deadline_lock`.

    The open project that holds the repository decides; else one that still waits for its own deadline keeps it open;
    else any that wants it closed closes it. Where none works, a withdrawal or a lifted course takes the lock off,
    unless another part keeps what is there: a draft never locked anything and keeps nothing.
    """
    speaking = [part for part in parts if part.working and not part.shadow]
    if holders := [part for part in speaking if part.holding]:
        return any(_wants(part) for part in holders)
    if speaking:
        return all(part.applied for part in speaking) and any(_wants(part) for part in speaking)
    let_go = [part for part in parts if part.withdrawn or (part.shadow and part.lifted)]
    kept = [part for part in parts if part not in let_go and not part.draft]
    return False if let_go and not kept else None


def wanted_lock(parts: Sequence[Part], hand: bool | None) -> bool | None:
    """The lock the repository should have: the staff's hand first, where anything speaks. Twin: `wanted_lock`."""
    by_deadlines = lock_by_deadlines(parts)
    return by_deadlines if by_deadlines is None or hand is None else hand


def hand_to_keep(lock: bool, by_deadlines: bool | None) -> bool | None:
    """What is stored of a lock or unlock by hand: nothing where the deadlines hold the same. Twin: `hands.set`."""
    return None if by_deadlines in (None, lock) else lock


def hand_after_move(hand: bool | None, *, moved: bool, reopened: bool) -> bool | None:
    """What is left of the hand where a deadline was given: an unlock ends if it `moved`, a lock only by a reopen.

    Twin: `drop`.
    """
    ends = reopened or (moved and hand is False)
    return None if ends else hand


def _wants(part: Part) -> bool:
    return part.applied and part.locks

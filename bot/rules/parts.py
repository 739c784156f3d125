"""A repository's parts in its projects: when each is applied and frozen, and which lock they want together (section 4).

SQL decides the same for many rows at once; the twin is named at each rule, and tests/store/test_twins.py draws whole
courses in which the two must agree.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from bot.rules import deadlines


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """What of a repository's part in one project decides its lock.

    `gone` is the repository's, `draft`, `archived` and `locks` (strategy `lock`) are the project's, `shadow` and
    `lifted` (its locks are to come off) the course's. `holding`: it is the open project that holds the repository.
    """

    project: int
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

    @property
    def speaks(self) -> bool:
        """Some lock is wanted because of it: it works, in a course that is not in shadow. Twin: `is_spoken_for`."""
        return self.working and not self.shadow

    @property
    def wants(self) -> bool:
        """Its deadline, which was applied, closes the repository."""
        return self.applied and self.locks

    def by(self, now: datetime, effective: datetime, ends_at: datetime) -> "Part":
        """As the next tick leaves it: a deadline that has come is applied, and a project that is over holds nothing."""
        applied = self.applied or deadlines.has_come(effective, now)
        return replace(self, applied=applied, holding=self.holding and not deadlines.has_come(ends_at, now))

    def is_applied_by(self, effective: datetime, now: datetime) -> bool:
        """Whether its provisional freeze is to be written now. Twin: `apply_due`."""
        return self.working and not self.applied and deadlines.has_come(effective, now)

    def is_frozen_by(self, settles_at: datetime, now: datetime) -> bool:
        """Whether, with the evidence in, its definitive freeze is to be written now. Twin: `freezable`."""
        return self.working and self.applied and not self.frozen and deadlines.has_come(settles_at, now)


def lock_by_deadlines(parts: Sequence[Part], exempt_from: Collection[int] = ()) -> bool | None:
    """Closed, open, or None where nothing speaks and GitHub keeps what it holds. Twin: `deadline_lock_by`.

    The open project that holds the repository decides; else one that still waits for its own deadline keeps it open;
    else any that wants it closed closes it. The deadlines of the exempt projects close nothing. Where none works, a
    withdrawal or a lifted course takes the lock off, unless another part keeps what is there: a draft never locked
    anything and keeps nothing.
    """
    speaking = [part for part in parts if part.speaks]
    closing = [part for part in speaking if part.wants and part.project not in exempt_from]
    if any(part.holding for part in speaking):
        return any(part.holding for part in closing)
    if speaking:
        return all(part.applied for part in speaking) and bool(closing)
    let_go = [part for part in parts if part.withdrawn or (part.shadow and part.lifted)]
    kept = [part for part in parts if part not in let_go and not part.draft]
    return False if let_go and not kept else None


def closing_deadlines(parts: Sequence[Part]) -> frozenset[int]:
    """The projects whose deadline wants the repository closed. Twin: `closing_deadlines`."""
    return frozenset(part.project for part in parts if part.speaks and part.wants)


@dataclass(frozen=True, slots=True)
class StaffHand:
    """The staff's hand on a repository: `lock` None is none. An unlock is from the deadlines of `exempt_from`.

    Without any named it is from all, as older versions stored it.
    """

    lock: bool | None = None
    exempt_from: frozenset[int] = frozenset()


NO_HAND = StaffHand()


def wanted_lock(parts: Sequence[Part], hand: StaffHand) -> bool | None:
    """The lock the repository should have: a hand first, where anything speaks. Twin: `wanted_lock`."""
    decides = hand.lock is not None and (hand.lock or not hand.exempt_from)
    if decides and any(part.speaks for part in parts):
        return hand.lock
    return lock_by_deadlines(parts, hand.exempt_from)


def hand_to_keep(lock: bool, parts: Sequence[Part]) -> StaffHand:
    """What is stored of a lock or unlock by hand, with the parts as the next tick leaves them. Twin: `hands.set`.

    Nothing where the deadlines hold the same or nothing speaks; an unlock is from the deadlines that close it now.
    """
    speaks = any(part.speaks for part in parts)
    if not speaks or lock_by_deadlines(parts) is lock:
        return NO_HAND
    return StaffHand(lock, frozenset() if lock else closing_deadlines(parts))


def hand_beside(parts: Sequence[Part], hand: StaffHand) -> StaffHand:
    """What is left of a hand beside the deadlines: a lock that they want too is over. Twin: `keep_wanted`."""
    return NO_HAND if hand.lock and lock_by_deadlines(parts) else hand


def hand_after_move(hand: StaffHand, project: int, *, moved: bool, reopened: bool) -> StaffHand:
    """What is left of a hand where that project's deadline was given: its own exemption ends if it `moved`.

    A lock ends only by a reopen. Twin: `drop`.
    """
    if hand.lock is not False:
        return NO_HAND if reopened else hand
    if not (moved or reopened):
        return hand
    left = hand.exempt_from - {project}
    return StaffHand(False, left) if left else NO_HAND

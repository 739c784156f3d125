"""What a command would change, as the difference of two pictures of its project: before it, and after it.

The command itself is run for the second picture and rolled back, so a preview follows the same rules as the change.
"""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from bot.rules import deadlines


@dataclass(frozen=True, slots=True)
class Standing:
    """One repository in a picture: `counts_sha` would count if it were settled now, `asked_sha` was sent to review.

    One that was withdrawn is closed by no deadline of this project; another project may want it locked.
    """

    repository_id: int
    name: str
    effective_at: datetime
    applied: bool
    wanted_lock: bool | None
    round: int
    counts_sha: str | None
    asked_sha: str | None
    withdrawn: bool = False
    staff_lock: bool | None = None


@dataclass(frozen=True, slots=True)
class Picture:
    """A project and its repositories at one instant of a transaction."""

    state: str
    locks: bool
    deadline_at: datetime
    standings: Mapping[int, Standing]

    def is_closed(self, row: Standing, now: datetime) -> bool:
        """Its deadline was applied, or is applied by the next tick."""
        return not row.withdrawn and (
            row.applied or (self.state != "draft" and deadlines.has_come(row.effective_at, now))
        )

    def is_locked(self, row: Standing, now: datetime) -> bool:
        """It should be locked on GitHub, or will be after the next tick."""
        by_the_tick = self.locks and not row.applied and self.is_closed(row, now) and row.staff_lock is not False
        return row.wanted_lock is True or by_the_tick


@dataclass(frozen=True, slots=True)
class Crossing:
    """A commit whose verdict changes because the deadline of its repository moved past it."""

    repository_id: int
    sha: str
    received_at: datetime


@dataclass(frozen=True, slots=True)
class Move:
    """A deadline moves; `name` is the repository's, or "" for the project."""

    name: str
    before: datetime
    after: datetime


@dataclass(frozen=True, slots=True)
class Flip:
    """A commit that becomes late or on time, by how much it is or was late, and whether it counts then."""

    name: str
    sha: str
    received_at: datetime
    late: bool
    by: timedelta
    counts: bool


@dataclass(frozen=True, slots=True)
class Recount:
    """Another commit would count in a repository whose deadline has passed; None is nothing at all."""

    name: str
    before: str | None
    after: str | None


@dataclass(frozen=True, slots=True)
class Effects:
    """What a command changes, by repository names. `passed`: a deadline is moved into the past.

    `reviewed` are those whose review was asked for another commit than will count, and is not asked for again; `kept`
    are those whose deadline passes and which the staff's hand leaves open. Where the strategy locks nothing a deadline
    that comes is `passing`, one that lies ahead again `ahead`, and only a hand closes or opens.
    """

    project: Move | None
    states: tuple[str, str] | None
    moved: tuple[Move, ...]
    closing: tuple[str, ...]
    opening: tuple[str, ...]
    flips: tuple[Flip, ...]
    recounts: tuple[Recount, ...]
    reviewed: tuple[str, ...]
    passed: bool
    kept: tuple[str, ...] = ()
    passing: tuple[str, ...] = ()
    ahead: tuple[str, ...] = ()

    @property
    def wide(self) -> bool:
        """Whether it is asked first: it closes, opens or judges more than one repository, or takes time away."""
        touched = {*self.closing, *self.opening, *self.kept, *self.passing, *self.ahead}
        touched |= {flip.name for flip in self.flips}
        return self.passed or len(touched) > 1

    def fingerprint(self, seen_until: datetime, inverse: object) -> str:
        """A digest of what was announced, to be compared when it is confirmed.

        Commits received after `seen_until`, the preview, are left out: in the last hour of a course somebody always
        pushes, and that a commit after the announced deadline is late was announced. So is what counts by now, which
        follows from the deadlines.
        """
        flips = [flip for flip in self.flips if flip.received_at <= seen_until]
        shut = (self.closing, self.opening, self.kept, self.passing, self.ahead)
        said = (self.project, self.states, self.moved, *shut, flips, inverse)
        return hashlib.sha256(repr(said).encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class _Shutting:
    """Who is shut and who is not any more, as in `Effects`."""

    closing: tuple[str, ...]
    opening: tuple[str, ...]
    kept: tuple[str, ...] = ()
    passing: tuple[str, ...] = ()
    ahead: tuple[str, ...] = ()


def between(before: Picture, after: Picture, crossed: Sequence[Crossing], now: datetime) -> Effects:
    """The difference of two pictures at `now`; `crossed` are the commits between the old and the new deadlines."""
    pairs = [
        (row, after.standings[key])
        for key, row in before.standings.items()
        if key in after.standings and not (row.withdrawn and after.standings[key].withdrawn)
    ]
    came = [row for key, row in after.standings.items() if key not in before.standings]
    moved = tuple(
        Move(old.name, old.effective_at, new.effective_at) for old, new in pairs if old.effective_at != new.effective_at
    )
    project = Move("", before.deadline_at, after.deadline_at) if before.deadline_at != after.deadline_at else None
    is_draft = after.state == "draft"
    moves = [*moved, project] if project else [*moved]
    shut = _shutting(before, after, pairs, came, now)
    return Effects(
        project=project,
        states=(before.state, after.state) if before.state != after.state else None,
        moved=moved,
        closing=shut.closing,
        opening=shut.opening,
        flips=() if is_draft else tuple(_flip(it, before, after) for it in crossed),
        recounts=tuple(
            Recount(old.name, old.counts_sha, new.counts_sha)
            for old, new in pairs
            if after.is_closed(new, now) and old.counts_sha != new.counts_sha
        ),
        reviewed=tuple(
            old.name for old, new in pairs if new.asked_sha and old.counts_sha != new.counts_sha != new.asked_sha
        ),
        passed=not is_draft and any(deadlines.has_come(move.after, now) for move in moves),
        kept=shut.kept,
        passing=shut.passing,
        ahead=shut.ahead,
    )


def _shutting(
    before: Picture, after: Picture, pairs: Sequence[tuple[Standing, Standing]], came: Sequence[Standing], now: datetime
) -> _Shutting:
    if not after.locks:
        return _Shutting(
            closing=_names(new for old, new in pairs if after.is_locked(new, now) > before.is_locked(old, now))
            + _names(row for row in came if after.is_locked(row, now)),
            opening=_names(old for old, new in pairs if after.is_locked(new, now) < before.is_locked(old, now)),
            passing=_names(new for old, new in pairs if after.is_closed(new, now) > before.is_closed(old, now))
            + _names(row for row in came if after.is_closed(row, now)),
            # What takes no part any more has no deadline that could lie ahead.
            ahead=_names(
                new
                for old, new in pairs
                if after.is_closed(new, now) < before.is_closed(old, now) and not new.withdrawn
            ),
        )
    shut = [new for old, new in pairs if _shut(after, new, now) > _shut(before, old, now)]
    return _Shutting(
        closing=_names(row for row in shut if row.staff_lock is not False)
        + _names(row for row in came if _shut(after, row, now)),
        opening=_names(old for old, new in pairs if _shut(after, new, now) < _shut(before, old, now)),
        kept=_names(row for row in shut if row.staff_lock is False),
    )


def _names(rows: Iterable[Standing]) -> tuple[str, ...]:
    return tuple(row.name for row in rows)


def _shut(picture: Picture, row: Standing, now: datetime) -> int:
    """How shut a repository is: 0 open, 1 by its deadline or by a lock, 2 by both."""
    return picture.is_closed(row, now) + picture.is_locked(row, now)


def _flip(crossing: Crossing, before: Picture, after: Picture) -> Flip:
    old, new = before.standings[crossing.repository_id], after.standings[crossing.repository_id]
    late = not deadlines.in_time(crossing.received_at, new.effective_at)
    passed = new.effective_at if late else old.effective_at
    counts = crossing.sha == new.counts_sha
    return Flip(old.name, crossing.sha, crossing.received_at, late, crossing.received_at - passed, counts)

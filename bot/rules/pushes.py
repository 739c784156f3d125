"""What becomes of each push of a repository in a project, and which of many are shown (docs/design.md sections 3, 11).

Times are UTC.
"""

import enum
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import chain, zip_longest

from bot.model import Pusher
from bot.rules import deadlines, evidence

_OF_STUDENTS = frozenset({Pusher.STUDENT, Pusher.PERSON})


@dataclass(frozen=True, slots=True, kw_only=True)
class PushFacts:
    """All that is held of one push, as one project sees it.

    `told`: by its own webhook, else `arrived_at` is when it was heard of by asking. `first_at` is when its commit was
    first received from a student on any branch that counts, by whatever push. A head that came back (`returned`) has a
    receipt of its own from before, `receipt_at`; for every other push that is the same as `received_at`. Without
    `received_at` no push of this head was heard of: it is known by its run alone. `settled`: GitHub's activity has
    nothing more to say.
    """

    project_id: int
    repository_id: int
    ref: str
    sha: str
    told: bool
    forced: bool
    returned: bool
    arrived_at: datetime | None
    claimed_at: datetime | None
    pushed_at: datetime | None
    logged_at: datetime | None
    activity_at: datetime | None
    received_at: datetime | None
    evidence: str | None
    login: str | None
    pusher: str
    receipt_at: datetime | None
    receipt_claimed_at: datetime | None
    settled: bool
    tracked: bool
    first_at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PartFacts:
    """A repository's part in a project: the deadline its pushes are judged by (`own` if it is its own), what counts.

    `locks`: the deadline closes it.
    """

    project_id: int
    repository_id: int
    repository: str
    slug: str
    state: str
    zone: str
    effective_at: datetime
    own: bool
    grace_seconds: int
    deadline_applied_at: datetime | None
    frozen_at: datetime | None
    counts_sha: str | None
    counts_at: datetime | None
    locked_at: datetime | None
    gone_at: datetime | None
    locks: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplacedVerdict:
    """What was said of a commit until `replaced_at`; `late` is None where its receipt was not known."""

    project_id: int
    repository_id: int
    sha: str
    received_at: datetime | None
    deadline_at: datetime
    late: bool | None
    submission: bool
    replaced_at: datetime
    replaced_by_login: str | None
    reason: str


class Kind(enum.Enum):
    """What becomes of a push in a project."""

    ON_TIME = "on time"
    LATE = "late"
    UNSETTLED = "unsettled"
    UNREAD = "whose push it was is not known yet"
    NO_STUDENT = "pushed by staff, a bot or us"
    UNTRACKED = "no branch of the project"


@dataclass(frozen=True, slots=True)
class Verdict:
    """How a push is judged: `by` so long late or ahead of the deadline, None where nothing dates it."""

    kind: Kind
    by: timedelta | None = None
    counts: bool = False


def judge(push: PushFacts, part: PartFacts, now: datetime) -> Verdict:
    """The verdict on one push; its commit `counts` if it is what was settled, or would be settled now."""
    if push.received_at is not None and push.pusher == Pusher.UNKNOWN:
        return Verdict(Kind.UNREAD)
    if push.received_at is not None and push.pusher not in _OF_STUDENTS:
        return Verdict(Kind.NO_STUDENT)
    if not push.tracked:
        return Verdict(Kind.UNTRACKED)
    counts = push.sha == part.counts_sha
    if push.first_at is None:
        return Verdict(_undated(push, part, now), None, counts)
    by = abs(push.first_at - part.effective_at)
    if deadlines.in_time(push.first_at, part.effective_at):
        return Verdict(Kind.ON_TIME, by, counts)
    return Verdict(Kind.UNSETTLED if _may_turn(push, part) else Kind.LATE, by, counts)


def _undated(push: PushFacts, part: PartFacts, now: datetime) -> Kind:
    """A head without receipt is on time while the deadline lies ahead, then waits for the activity, then is late."""
    if not deadlines.has_come(part.effective_at, now):
        return Kind.ON_TIME
    return Kind.LATE if push.settled else Kind.UNSETTLED


def _may_turn(push: PushFacts, part: PartFacts) -> bool:
    return push.receipt_at is not None and evidence.is_unsettled(
        push.receipt_at, push.receipt_claimed_at, push.settled, part.effective_at
    )


def by_weight(pushes: Sequence[PushFacts], part: PartFacts) -> list[int]:
    """Places in `pushes`, which are in order of time, those first that are to be shown if not all can be.

    What counts and what nothing dates, then by turns the newest and the nearest to the deadline.
    """
    places = range(len(pushes))
    first = [place for place in places if pushes[place].sha == part.counts_sha or pushes[place].received_at is None]
    newest = list(reversed(places))
    nearest = sorted(places, key=lambda place: _distance(pushes[place], part))
    turns = chain.from_iterable(zip_longest(newest, nearest))
    return list(dict.fromkeys([*first, *(place for place in turns if place is not None)]))


def _distance(push: PushFacts, part: PartFacts) -> timedelta:
    return abs((push.received_at or part.effective_at) - part.effective_at)

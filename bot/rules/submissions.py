"""Which run and which commit of a repository count for a project (docs/design.md sections 3 and 4).

SQL decides the same for many rows at once; the twin is named at each rule, and tests/store/test_twins.py draws whole
courses in which the two must agree. A commit counts or not by these alone, so a deadline that moves requalifies in both
directions by asking again.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from bot.model import Pusher
from bot.rules import deadlines

BRANCH = "refs/heads/"
_OF_STUDENTS = frozenset({Pusher.STUDENT, Pusher.PERSON})


@dataclass(frozen=True, slots=True)
class Receipt:
    """When a head arrived on one branch: `received_at` by the earliest trusted time, `arrived_at` by our arrival.

    A head that came back has another one. `inner` are the commits that came with it.
    """

    ref: str
    sha: str
    before: str
    received_at: datetime
    arrived_at: datetime
    pusher: str
    inner: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Attempt:
    """One attempt of a workflow run; `id` is ours, `scored` means that its annotations gave a score.

    `created_at` is the run's, the same for all its attempts.
    """

    id: int
    run_id: int
    attempt: int
    workflow: str
    event: str
    branch: str | None
    sha: str
    created_at: datetime
    completed_at: datetime | None
    scored: bool


@dataclass(frozen=True, slots=True)
class Terms:
    """What a project asks of a commit of one repository: on which branches, graded by what, received until when."""

    branches: Sequence[str]
    workflow: str
    effective: datetime


def tracked(named: Sequence[str], default_branch: str) -> list[str]:
    """The branches that count: those the project names, else the default one. Twin: `tracked_branches`."""
    return list(named) or [default_branch]


def last_commit(receipts: Sequence[Receipt], terms: Terms) -> str | None:
    """The last commit that a student pushed in time to a branch that counts. Twin: `last_commit` in `freeze`.

    Of two pushes of one second the one that nothing was pushed on top of is the later; then the arrival decides.
    """
    here = [it for it in _eligible(receipts, terms) if deadlines.in_time(it.received_at, terms.effective)]
    by_sha = sorted(here, key=lambda it: it.sha)
    last = max(by_sha, key=lambda it: (it.received_at, not _followed(it, receipts), it.arrived_at), default=None)
    return last.sha if last else None


def counting_run(
    attempts: Sequence[Attempt], receipts: Sequence[Receipt], terms: Terms, *, ahead: bool
) -> Attempt | None:
    """The run whose score counts now: the latest to complete of the grading workflow on a head that is in time.

    A head that nothing dates is in time only while the deadline lies `ahead`: it has neither come nor been applied. A
    head has the place of its first run since it last was the head in time: neither a re-run nor a push back to it
    displaces what came after it. Commits that only came inside a push give way to heads. Twin: `reselect`.
    """
    candidates = [
        (_was_head(it.sha, receipts, terms), completed, it.run_id, it.attempt, it)
        for it in attempts
        if it.scored and it.workflow == terms.workflow and it.event != "repository_dispatch"
        if it.branch in terms.branches and _commit_in_time(it.sha, receipts, terms, ahead=ahead)
        if (completed := _first_completed(it, attempts, _last_head_at(it.sha, receipts, terms)))
    ]
    return max(candidates, key=lambda candidate: candidate[:4])[4] if candidates else None


def submission(run: Attempt | None, receipts: Sequence[Receipt], terms: Terms) -> tuple[str | None, datetime | None]:
    """What counts once it is settled, and when it was received: the frozen run's head, else the last commit in time.

    Twin: `freeze`; `standings.of_project` for what would count if it were settled now.
    """
    sha = run.sha if run else last_commit(receipts, terms)
    return sha, min((it.received_at for it in _eligible(receipts, terms) if it.sha == sha), default=None)


def _eligible(receipts: Sequence[Receipt], terms: Terms) -> list[Receipt]:
    """Pushed by a student (or another person) to a branch that counts. Twin: the view `eligible_commits`."""
    return [it for it in receipts if it.pusher in _OF_STUDENTS and _on_tracked(it, terms)]


def _on_tracked(receipt: Receipt, terms: Terms) -> bool:
    return receipt.ref in {BRANCH + branch for branch in terms.branches}


def _followed(receipt: Receipt, receipts: Sequence[Receipt]) -> bool:
    """Whether another push of the same second was made on top of it. Twin: the function `followed`."""
    heard = (receipt.ref, receipt.sha, receipt.received_at)
    return any((it.ref, it.before, it.received_at) == heard for it in receipts)


def _commit_in_time(sha: str, receipts: Sequence[Receipt], terms: Terms, *, ahead: bool) -> bool:
    """By its earliest receipt on any branch that counts; one without is in time while the deadline lies ahead."""
    here = [it for it in receipts if _on_tracked(it, terms) and (it.sha == sha or sha in it.inner)]
    if not here:
        return ahead
    return any(it.pusher in _OF_STUDENTS and deadlines.in_time(it.received_at, terms.effective) for it in here)


def _last_head_at(sha: str, receipts: Sequence[Receipt], terms: Terms) -> datetime | None:
    """When a commit last became the head in time, at whole seconds as GitHub dates runs."""
    here = [it.received_at for it in _eligible(receipts, terms) if it.sha == sha]
    last = max((at for at in here if deadlines.in_time(at, terms.effective)), default=None)
    return last.replace(microsecond=0) if last else None


def _was_head(sha: str, receipts: Sequence[Receipt], terms: Terms) -> bool:
    """Whether it was a head in time, or may have been one that nobody heard of."""
    heard = any(_on_tracked(it, terms) and (it.sha == sha or sha in it.inner) for it in receipts)
    return not heard or _last_head_at(sha, receipts, terms) is not None


def _first_completed(run: Attempt, attempts: Sequence[Attempt], since: datetime | None) -> datetime | None:
    """When the first run of its head completed `since` then, else the earliest attempt of the run that is known."""

    def place(it: Attempt) -> tuple[bool, bool, datetime, int, int]:
        before = since is not None and it.created_at < since
        return before, before and it.run_id != run.run_id, it.created_at, it.run_id, it.attempt

    same = [it for it in attempts if it.completed_at and (it.workflow, it.sha) == (run.workflow, run.sha)]
    known = [it for it in same if it.event != "repository_dispatch"]
    return min(known, key=place).completed_at if known else None

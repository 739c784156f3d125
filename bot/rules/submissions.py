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
    """When a head arrived on one branch: `received_at` by the earliest trusted time, `arrived_at` by our arrival."""

    ref: str
    sha: str
    before: str
    received_at: datetime
    arrived_at: datetime
    pusher: str


@dataclass(frozen=True, slots=True)
class Attempt:
    """One attempt of a workflow run; `id` is ours, `scored` means that its annotations gave a score."""

    id: int
    run_id: int
    attempt: int
    workflow: str
    event: str
    branch: str | None
    sha: str
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
    """The last commit that a student pushed in time to a branch that counts. Twin: `last_commit` in `freeze_due`.

    Of two pushes of one second the one that nothing was pushed on top of is the later; then the arrival decides.
    """
    here = [it for it in _eligible(receipts, terms) if deadlines.in_time(it.received_at, terms.effective)]
    by_sha = sorted(here, key=lambda it: it.sha)
    last = max(by_sha, key=lambda it: (it.received_at, not _followed(it, receipts), it.arrived_at), default=None)
    return last.sha if last else None


def counting_run(
    attempts: Sequence[Attempt], receipts: Sequence[Receipt], terms: Terms, now: datetime
) -> Attempt | None:
    """The run whose score counts at `now`: the latest to complete of the grading workflow on a head that is in time.

    A re-run keeps the place of the earliest attempt that is known, and so never displaces a newer head.
    Twin: `reselect`.
    """
    candidates = [
        (completed, it.run_id, it.attempt, it)
        for it in attempts
        if it.scored and it.workflow == terms.workflow and it.event != "repository_dispatch"
        if it.branch in terms.branches and _head_in_time(it.sha, receipts, terms, now)
        if (completed := _first_completed(it, attempts))
    ]
    return max(candidates, key=lambda candidate: candidate[:3])[3] if candidates else None


def submission(run: Attempt | None, receipts: Sequence[Receipt], terms: Terms) -> tuple[str | None, datetime | None]:
    """What counts once it is settled, and when it was received: the frozen run's head, else the last commit in time.

    Twin: `freeze_due`; `standings.of_project` for what would count if it were settled now.
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


def _head_in_time(sha: str, receipts: Sequence[Receipt], terms: Terms, now: datetime) -> bool:
    """By its earliest receipt on any branch that counts; one without is in time while the deadline lies ahead."""
    if not any(it.sha == sha and _on_tracked(it, terms) for it in receipts):
        return not deadlines.has_come(terms.effective, now)
    here = [it for it in _eligible(receipts, terms) if it.sha == sha]
    return any(deadlines.in_time(it.received_at, terms.effective) for it in here)


def _first_completed(run: Attempt, attempts: Sequence[Attempt]) -> datetime | None:
    known = [(it.attempt, it.completed_at) for it in attempts if it.run_id == run.run_id and it.completed_at]
    return min(known)[1] if known else None

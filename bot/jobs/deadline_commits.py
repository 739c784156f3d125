"""Mark the deadline of a repository: one empty commit on each tracked branch, never two (docs/design.md section 4)."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from bot import failpoints
from bot.errors import TryAgain
from bot.github import commits
from bot.github import deadline_commits as github
from bot.github import repositories as github_repositories
from bot.github.api import Api
from bot.github.failures import NotFound, Refused
from bot.github.gate import Urgency
from bot.jobs.desk import Desk
from bot.jobs.frame import Held
from bot.model import CLOCK, GITHUB, Actor
from bot.rules.deadline_commits import Mark, Step, next_step
from bot.store import audit, clock, deadline_commits, repositories
from bot.store.audit import Subject
from bot.store.deadline_commits import MISSING, PUSHED
from bot.store.records import Conn
from bot.text.deadline_commits import message

TRIES = 3
"""How often a branch that goes on meanwhile is followed in one job."""

STALE_SECONDS = 30.0

_FACTS: Mapping[Step, tuple[str, str, Mapping[str, str | None]]] = {
    Step.THERE: ("repository.deadline_committed", PUSHED, {}),
    Step.MISSING: ("repository.deadline_commit_skipped", MISSING, {"reason": "there is no such branch"}),
}


@dataclass(frozen=True, slots=True)
class _Work:
    """One repository under one lease."""

    desk: Desk
    held: Held
    api: Api
    repository_id: int

    @property
    def key(self) -> tuple[int, int, int]:
        return self.held.lease.account_id, self.held.lease.key, self.repository_id


async def settle(desk: Desk, held: Held, api: Api, repository_id: int) -> None:
    """Mark each branch that is not marked yet. One that refuses is named, and does not keep the others unmarked."""
    work = _Work(desk, held, api, repository_id)
    async with desk.pool.acquire() as conn:
        branches = await deadline_commits.branches(conn, *work.key)
    refusals: dict[str, Refused] = {}
    try:
        for branch in branches:
            try:
                await _follow(work, branch)
            except Refused as refusal:
                refusals[branch] = refusal
    except NotFound:
        async with desk.pool.acquire() as conn:
            await repositories.heard_of(conn, api.account_id, [repository_id], None)
        raise
    # Written once all branches had their turn: what is written puts the whole repository off.
    for branch, refused in refusals.items():
        await _refused(work, branch, refused)
    async with desk.pool.acquire() as conn:
        await deadline_commits.finish(conn, *work.key, await clock.now(conn))
    if refusals:
        raise next(iter(refusals.values()))


async def _follow(work: _Work, branch: str) -> None:
    """Try to mark a branch, anew with its new head where it went on between the reading and the move."""
    refusal: Refused | None = None
    for _ in range(TRIES):
        await work.held.renew()
        async with work.desk.pool.acquire() as conn:
            mark = await deadline_commits.mark(conn, *work.key, branch)
        if mark is None:
            return
        step, mark = await _look(work.api, mark)
        if step in (Step.MISSING, Step.THERE):
            await _found(work, mark, step)
            return
        if step is Step.MOVE and refusal is not None:
            # It is where it was before the move was refused: that was no race.
            break
        refusal = await _push(work, mark)
        if refusal is None:
            return
    if refusal is not None:
        raise refusal


async def _look(api: Api, mark: Mark) -> tuple[Step, Mark]:
    """What is to be done; where a commit is to be made, the mark has its parent and nothing else."""
    head = await github_repositories.head(api, mark.repository_id, mark.branch, urgency=Urgency.DEADLINE)
    step = next_step(mark, head)
    if step is Step.ASK and mark.sha and head:
        there = await commits.reaches(api, mark.repository_id, head, mark.sha, urgency=Urgency.DEADLINE)
        step = Step.THERE if there else Step.MAKE
    return step, replace(mark, sha=None, parent_sha=head) if step is Step.MAKE else mark


async def _push(work: _Work, mark: Mark) -> Refused | None:
    """Make and record the commit, if there is none yet, and move the branch; the refusal of the move, if it was one."""
    made = mark if mark.sha else await _make(work, mark)
    if made is None:
        return None
    try:
        await github.move(work.api, made.repository_id, made.branch, str(made.sha))
    except Refused as refusal:
        return refusal
    failpoints.reach("deadline_commit.moved")
    await _found(work, made, Step.THERE)
    return None


async def _make(work: _Work, mark: Mark) -> Mark | None:
    """Make the commit and record it, before its branch moves; None where the deadline has moved ahead meanwhile.

    Whoever took this work over has another token: of two commits that were made, one is recorded.
    """
    words = message(mark.slug, mark.effective_at, mark.timezone)
    sha = await github.make_empty(work.api, mark.repository_id, str(mark.parent_sha), words)
    failpoints.reach("deadline_commit.made")
    made = replace(mark, sha=sha)
    async with work.desk.pool.acquire() as conn, conn.transaction():
        await work.held.check(conn)
        if not await deadline_commits.record(conn, made, await clock.now(conn)):
            return None
    failpoints.reach("deadline_commit.recorded")
    return made


async def _found(work: _Work, mark: Mark, step: Step) -> None:
    """Write the fact: the branch carries the mark, or there is none of that name."""
    if step is Step.MISSING:
        await _is_really_missing(work, mark)
    action, outcome, detail = _FACTS[step]
    async with work.desk.pool.acquire() as conn, conn.transaction():
        if await deadline_commits.settle(conn, mark, outcome, await clock.now(conn)):
            detail = {"deadline": mark.effective_at.isoformat(), "sha": mark.sha, **detail}
            await _audit(conn, mark, action, CLOCK, detail)


async def _is_really_missing(work: _Work, mark: Mark) -> None:
    """Raises NotFound where there is no such repository at all, TryAgain where we have the wrong default branch."""
    state = await github_repositories.read(work.api, mark.repository_id)
    if mark.by_default and state.default_branch != mark.branch:
        # The event that told of it was lost: it is read now, and marked next time.
        async with work.desk.pool.acquire() as conn:
            await repositories.heard_of(conn, mark.account_id, [mark.repository_id], None)
        raise TryAgain("another branch is the default one now", STALE_SECONDS)


async def _refused(work: _Work, branch: str, refusal: Refused) -> None:
    """GitHub's words are kept and shown; the same ones are audited once."""
    async with work.desk.pool.acquire() as conn, conn.transaction():
        mark = await deadline_commits.mark(conn, *work.key, branch)
        if mark is not None and await deadline_commits.refuse(conn, mark, refusal.message):
            await _audit(conn, mark, "repository.deadline_commit_refused", GITHUB, {"reason": refusal.message})


async def _audit(conn: Conn, mark: Mark, action: str, actor: Actor, detail: Mapping[str, str | None]) -> None:
    subject = Subject(mark.account_id, mark.course_id, mark.project_id, mark.repository_id)
    await audit.record(conn, subject, action, actor, await clock.now(conn), {"branch": mark.branch, **detail})

"""Ask for the final review of each frozen repository: at most once (docs/design.md section 7)."""

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from datetime import UTC
from uuid import UUID, uuid4

import asyncpg

from bot import failpoints, log, metrics
from bot.github import dispatches as github
from bot.github.api import Api
from bot.github.failures import Delayed, GitHubFailure, NotFound
from bot.github.gate import Passage
from bot.jobs.desk import Desk
from bot.jobs.frame import Held
from bot.model import CLOCK, Project
from bot.store import audit, clock, dispatches, projects, repositories
from bot.store.dispatches import Entry
from bot.store.leases import LeaseLost
from bot.store.records import Conn

EVENT_TYPE = "grade-final"

UNSENT_SECONDS = 10.0
"""How long we try to take back the claim of a review that was never sent; one that stays counts as not confirmed."""

AGAIN_SECONDS = 1.0


async def run(desk: Desk, held: Held) -> None:
    """Each repository that is due: claim it in the ledger, call once, write what came of it."""
    api = await desk.api(held.lease.account_id)
    async with desk.pool.acquire() as conn:
        project = await projects.by_id(conn, held.lease.account_id, held.lease.key)
        due = await dispatches.due(conn, held.lease.account_id, held.lease.key)
    if project is None:
        return

    async def ask(repository_id: int) -> None:
        nonce, passage = uuid4(), Passage()
        try:
            entry = await _enter(desk, held, project, repository_id, nonce)
            if entry is not None:
                failpoints.reach("dispatch.claimed")
                await _call(desk, api, project, entry, passage)
        except LeaseLost:
            raise
        except (Exception, asyncio.CancelledError):
            if not passage.out:
                # Shielded: whoever cuts us short must not leave a review unconfirmed that was never asked for.
                await asyncio.shield(asyncio.create_task(_unsent(desk, project, repository_id, nonce)))
            raise

    await held.each(due, ask)
    async with desk.pool.acquire() as conn:
        await dispatches.set_failure(conn, project, None)


async def _enter(desk: Desk, held: Held, project: Project, repository_id: int, nonce: UUID) -> Entry | None:
    """The claim, before the call: from its commit on, no crash can lead to a second call."""
    async with desk.pool.acquire() as conn, conn.transaction():
        await held.check(conn)
        return await dispatches.enter(conn, project, repository_id, nonce, await clock.now(conn))


async def _call(desk: Desk, api: Api, project: Project, entry: Entry, passage: Passage) -> None:
    payload = {
        "sha": entry.sha,
        "assignment_id": project.id,
        "deadline": entry.deadline.astimezone(UTC).isoformat().replace("+00:00", "Z"),
        "trigger": "deadline",
        "nonce": str(entry.nonce),
    }
    try:
        answer = await github.send(api, entry.repository_id, EVENT_TYPE, payload, passage)
    except GitHubFailure as failure:
        if not failure.ambiguous:
            await _give_back(desk, project, entry, failure)
            raise
        # It may have started: asking again could start a second review. A person decides.
        log.get().warning("review not confirmed", action="review.not_confirmed", error=str(failure))
        async with desk.pool.acquire() as conn, conn.transaction():
            await dispatches.answered(conn, entry, "not confirmed", None)
            await _audit(conn, project, entry, "review.not_confirmed", {"reason": failure.message})
        outcome = "not confirmed"
    else:
        failpoints.reach("dispatch.answered")
        async with desk.pool.acquire() as conn, conn.transaction():
            await dispatches.answered(conn, entry, "accepted", answer.date)
            await _audit(conn, project, entry, "review.asked", {})
        outcome = "accepted"
    metrics.dispatches_total.labels(outcome=outcome).inc()


async def _give_back(desk: Desk, project: Project, entry: Entry, failure: GitHubFailure) -> None:
    """GitHub refused before anything happened; the same refusal is audited once."""
    metrics.dispatches_total.labels(outcome="given back").inc()
    async with desk.pool.acquire() as conn, conn.transaction():
        # The project before its repositories, as commands take them: the two never wait for each other. A pause or a
        # spent budget is no refusal.
        refused = not isinstance(failure, Delayed)
        if refused and await dispatches.set_failure(conn, project, failure.message):
            await _audit(conn, project, entry, "review.refused", {"reason": failure.message})
        await dispatches.give_back(conn, entry, refused=refused)
        if isinstance(failure, NotFound):
            await repositories.heard_of(conn, entry.account_id, [entry.repository_id], None)


async def _unsent(desk: Desk, project: Project, repository_id: int, nonce: UUID) -> None:
    """Give back the claim of what certainly never left this process; tried again while the database is away."""
    with suppress(TimeoutError):
        async with asyncio.timeout(UNSENT_SECONDS):
            for _ in range(int(UNSENT_SECONDS / AGAIN_SECONDS)):
                if await _try_to_give_back(desk, project, repository_id, nonce):
                    return
                await asyncio.sleep(AGAIN_SECONDS)
    log.get().error("a claim could not be given back", action="review.not_given_back", repository=repository_id)


async def _try_to_give_back(desk: Desk, project: Project, repository_id: int, nonce: UUID) -> bool:
    try:
        async with desk.pool.acquire() as conn, conn.transaction():
            if await dispatches.give_back_unsent(conn, project, repository_id, nonce):
                log.get().warning("review not sent", action="review.not_sent", repository=repository_id)
                metrics.dispatches_total.labels(outcome="given back").inc()
    except (asyncpg.PostgresError, asyncpg.InterfaceError, OSError):
        return False
    return True


async def _audit(conn: Conn, project: Project, entry: Entry, action: str, detail: Mapping[str, str]) -> None:
    subject = projects.subject(project, entry.repository_id)
    facts = {"sha": entry.sha, "nonce": str(entry.nonce), **detail}
    await audit.record(conn, subject, action, CLOCK, await clock.now(conn), facts)

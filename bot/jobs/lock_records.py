"""What is written after a call about locks: the fact, its audit, and the checks that now say something else."""

from typing import TYPE_CHECKING

from bot import metrics
from bot.model import CLOCK, GITHUB
from bot.store import audit, checks, clock, installations, locks, repositories
from bot.store.audit import Subject
from bot.store.locks import Ruleset

if TYPE_CHECKING:
    import asyncpg

    Pool = asyncpg.Pool[asyncpg.Record]

LOCKED_BY = 2
"""A repository is closed once both rulesets of the pair name it."""


async def sent(pool: "Pool", account_id: int, ruleset: Ruleset) -> None:
    """GitHub took the ids: they are the fact, whatever is wanted by now."""
    async with pool.acquire() as conn, conn.transaction():
        now = await clock.now(conn)
        await installations.set_lock_failure(conn, account_id, None)
        changed = await locks.sent(conn, account_id, ruleset, now)
        closed = [repository_id for repository_id, rulesets in changed if rulesets == LOCKED_BY]
        opened = [repository_id for repository_id, rulesets in changed if rulesets == 0]
        for repository_id in closed:
            await audit.record(conn, Subject(account_id, repository_id=repository_id), "repository.locked", CLOCK, now)
        for repository_id in opened:
            await audit.record(
                conn, Subject(account_id, repository_id=repository_id), "repository.unlocked", CLOCK, now
            )
        for since in await locks.due_since(conn, account_id, closed):
            metrics.due_to_locked_seconds.observe((now - since).total_seconds())
        await checks.due_of_repositories(conn, account_id, None, closed + opened)


async def plan_refused(pool: "Pool", account_id: int, reason: str) -> None:
    """The plan has no organisation rulesets: kept with GitHub's words, and not asked again until the plan changes."""
    async with pool.acquire() as conn, conn.transaction():
        await installations.set_lock_refused(conn, account_id, reason)
        now = await clock.now(conn)
        await audit.record(conn, Subject(account_id), "lock.plan_refused", GITHUB, now, {"reason": reason})


async def failed(pool: "Pool", account_id: int, reason: str) -> None:
    """The rulesets could not be changed; the same reason is audited once, and shown until a change goes through."""
    async with pool.acquire() as conn, conn.transaction():
        if await installations.set_lock_failure(conn, account_id, reason):
            now = await clock.now(conn)
            await audit.record(conn, Subject(account_id), "lock.failed", GITHUB, now, {"reason": reason})


async def unexplained(pool: "Pool", account_id: int, target: str, repository_ids: tuple[int, ...]) -> None:
    """A set was not sent because it would open repositories of which no row speaks."""
    async with pool.acquire() as conn:
        detail = {"target": target, "repository_ids": list(repository_ids)}
        await audit.record(conn, Subject(account_id), "lock.unexplained", CLOCK, await clock.now(conn), detail)


async def read_back(pool: "Pool", account_id: int, repository_id: int, closed: bool | None) -> None:
    """What GitHub said of the rules on the default branch; None if it does not know the repository."""
    async with pool.acquire() as conn, conn.transaction():
        now = await clock.now(conn)
        if closed:
            await locks.verified(conn, account_id, repository_id, now)
            return
        await locks.verify_off(conn, account_id, repository_id)
        if closed is None:
            await repositories.heard_of(conn, account_id, [repository_id], None)
        else:
            await audit.record(
                conn, Subject(account_id, repository_id=repository_id), "lock.not_effective", GITHUB, now
            )

"""What is written after a call about locks: the fact, its audit, and the checks that now say something else."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from bot import metrics
from bot.model import CLOCK, GITHUB
from bot.store import audit, checks, clock, installations, locks, repositories, repository_locks
from bot.store.audit import Subject
from bot.store.locks import Ruleset
from bot.store.records import Conn
from bot.store.repository_locks import Archive, OwnPair

if TYPE_CHECKING:
    import asyncpg

    Pool = asyncpg.Pool[asyncpg.Record]


NOT_PERMITTED = "the App has not been granted the permission Administration of the organisation"


async def sent(pool: "Pool", account_id: int, ruleset: Ruleset, team_ids: Sequence[int]) -> None:
    """GitHub took the ids, for these teams to bypass: they are the fact, whatever is wanted by now."""
    async with pool.acquire() as conn, conn.transaction():
        now = await clock.now(conn)
        await installations.lock_taken(conn, account_id)
        changed = await locks.sent(conn, account_id, ruleset, team_ids, now)
        closed = [repository_id for repository_id, locked in changed if locked]
        opened = [repository_id for repository_id, locked in changed if locked is False]
        await _tell(conn, account_id, closed, "repository.locked", {"by": "organisation rulesets"})
        await _tell(conn, account_id, opened, "repository.unlocked", {"by": "organisation rulesets"})


async def plan_refused(pool: "Pool", account_id: int, reason: str) -> None:
    """The plan has no organisation rulesets: kept with GitHub's words, and not asked again until the plan changes.

    What the pair held before a downgrade is held no more, so that a weaker lock takes its place.
    """
    async with pool.acquire() as conn, conn.transaction():
        now = await clock.now(conn)
        if await installations.set_lock_refused(conn, account_id, reason):
            await audit.record(conn, Subject(account_id), "lock.plan_refused", GITHUB, now, {"reason": reason})
            await locks.doubt(conn, account_id, now, other_plan=True)
        changed = await locks.lapse(conn, account_id, now)
        lapsed = [repository_id for repository_id, locked in changed if locked is False]
        await _tell(conn, account_id, lapsed, "repository.lock_lapsed", {"reason": reason})


async def not_permitted(pool: "Pool", account_id: int) -> None:
    """GitHub hides the organisation's rulesets from the App: not asked again until the installation is read anew.

    What the pair holds it goes on holding; what is not held yet takes a weaker lock.
    """
    async with pool.acquire() as conn, conn.transaction():
        await installations.set_lock_refused(conn, account_id, NOT_PERMITTED)
        if await installations.set_lock_failure(conn, account_id, NOT_PERMITTED):
            now = await clock.now(conn)
            await audit.record(conn, Subject(account_id), "lock.failed", GITHUB, now, {"reason": NOT_PERMITTED})


async def not_held(pool: "Pool", account_id: int, repository_id: int) -> None:
    """The pair, which cannot be sent, does not close this repository any more: a weaker lock takes its place."""
    async with pool.acquire() as conn, conn.transaction():
        changed = await locks.lapse_one(conn, account_id, repository_id, await clock.now(conn))
        lapsed = [repository_id for repository_id, locked in changed if locked is False]
        await _tell(conn, account_id, lapsed, "repository.lock_lapsed", {"reason": NOT_PERMITTED})


async def own_pair(pool: "Pool", account_id: int, repository_id: int, pair: OwnPair) -> None:
    """The rulesets that a repository has of its own after a call."""
    async with pool.acquire() as conn, conn.transaction():
        locked = await repository_locks.holds(conn, account_id, repository_id, pair, await clock.now(conn))
        detail = {"by": "repository rulesets", "reason": pair.reason}
        if locked is not None:
            opened = "repository.lock_lapsed" if pair.dormant else "repository.unlocked"
            action = "repository.locked" if locked else opened
            await _tell(conn, account_id, [repository_id], action, detail)


async def trying(pool: "Pool", account_id: int, repository_id: int, kind: str) -> datetime:
    """A call about the lock of one repository is about to go out: until it is known what came of it, it is unsure."""
    async with pool.acquire() as conn:
        return await repository_locks.trying(conn, account_id, repository_id, kind)


async def archived(pool: "Pool", account_id: int, repository_id: int, archive: Archive) -> None:
    """It is archived in the place of a lock: the bot is mute there, and a review that was due is skipped."""
    async with pool.acquire() as conn, conn.transaction():
        now = await clock.now(conn)
        if await repository_locks.archived(conn, account_id, repository_id, archive, now):
            detail = {"by": "archive", "reason": archive.reason}
            await _tell(conn, account_id, [repository_id], "repository.locked", detail)
        for project_id in await repository_locks.skip_reviews(conn, account_id, repository_id, now):
            subject = Subject(account_id, project_id=project_id, repository_id=repository_id)
            await audit.record(conn, subject, "review.skipped", CLOCK, now, {"reason": "archived"})


async def unarchived(pool: "Pool", account_id: int, repository_id: int, pair: OwnPair) -> None:
    """It is archived no more: what the bot could not say or ask for there is due again."""
    async with pool.acquire() as conn, conn.transaction():
        if await repository_locks.unarchived(conn, account_id, repository_id, pair, await clock.now(conn)) is False:
            await _tell(conn, account_id, [repository_id], "repository.unlocked", {"by": "archive"})


async def repository_failed(pool: "Pool", account_id: int, repository_id: int, reason: str) -> None:
    """One repository could not be locked or opened; the same reason is audited once."""
    async with pool.acquire() as conn, conn.transaction():
        if await repository_locks.failed(conn, account_id, repository_id, reason):
            subject, detail = Subject(account_id, repository_id=repository_id), {"reason": reason}
            await audit.record(conn, subject, "lock.failed", GITHUB, await clock.now(conn), detail)


async def _tell(
    conn: Conn, account_id: int, repository_ids: list[int], action: str, detail: Mapping[str, str | None]
) -> None:
    """Audit a change of fact for each repository, and have the checks say so."""
    now = await clock.now(conn)
    await audit.record_each(conn, Subject(account_id), action, CLOCK, now, dict.fromkeys(repository_ids, detail))
    if action == "repository.locked":
        for since in await locks.due_since(conn, account_id, repository_ids):
            metrics.due_to_locked_seconds.observe((now - since).total_seconds())
    await checks.due_of_repositories(conn, account_id, None, repository_ids)


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
        if closed is None:
            await locks.verify_off(conn, account_id, repository_id)
            await repositories.heard_of(conn, account_id, [repository_id], None)
        elif await locks.absent(conn, account_id, repository_id, now):
            await audit.record(
                conn, Subject(account_id, repository_id=repository_id), "lock.not_effective", GITHUB, now
            )

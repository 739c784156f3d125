"""Locks of single repositories, where the organisation's set cannot hold them (docs/design.md section 6)."""

from dataclasses import dataclass
from datetime import datetime

from bot.rules.repository_locks import Standing
from bot.store import queries
from bot.store.records import Conn, one

Q = queries.load("repository_locks")


@dataclass(frozen=True, slots=True)
class OwnPair:
    """The rulesets that a repository has of its own, by target; `reason` says why it needs them."""

    branch: int | None
    tag: int | None
    reason: str | None


async def standing(conn: Conn, account_id: int, repository_id: int) -> Standing | None:
    """What is wanted and what is held at this instant; None where it cannot be reached."""
    return one(Standing, await conn.fetchrow(Q["standing"], account_id, repository_id))


async def holds(conn: Conn, account_id: int, repository_id: int, pair: OwnPair, now: datetime) -> None:
    """Write the rulesets that the repository has after a call."""
    await conn.execute(Q["holds"], account_id, repository_id, pair.branch, pair.tag, pair.reason, now)


async def archived(conn: Conn, account_id: int, repository_id: int, reason: str, now: datetime) -> list[int]:
    """Write that it was archived; ids of the projects whose review of it is skipped because of that."""
    await conn.execute(Q["archived"], account_id, repository_id, True, reason, now)
    rows = await conn.fetch(Q["skip_reviews"], account_id, repository_id, now)
    return [row["project_id"] for row in rows]


async def unarchived(conn: Conn, account_id: int, repository_id: int, now: datetime) -> None:
    """Write that it is archived no more: what was mute because of it is due again."""
    await conn.execute(Q["archived"], account_id, repository_id, False, None, now)
    await conn.execute(Q["due_reviews"], account_id, repository_id)
    await conn.execute(Q["speak_again"], account_id, repository_id)


async def failed(conn: Conn, account_id: int, repository_id: int, reason: str) -> bool:
    """Why it could not be locked or opened; True if that is news."""
    return await conn.fetchval(Q["failed"], account_id, repository_id, reason) is not None

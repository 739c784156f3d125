"""Locks of single repositories, where the organisation's set cannot hold them (docs/design.md section 6)."""

from dataclasses import dataclass
from datetime import datetime

from bot.rules.repository_locks import Standing
from bot.store import queries
from bot.store.records import Conn, one

Q = queries.load("repository_locks")


@dataclass(frozen=True, slots=True)
class OwnPair:
    """The rulesets that a repository has of its own, by target, sent for these teams to bypass.

    `reason` says why it needs them; `whole`: both were sent by now, and not the first of them alone.
    """

    branch: int | None
    tag: int | None
    team_ids: tuple[int, ...]
    reason: str | None
    whole: bool = True


async def standing(conn: Conn, account_id: int, repository_id: int) -> Standing | None:
    """What is wanted and what is held at this instant; None where it cannot be reached."""
    return one(Standing, await conn.fetchrow(Q["standing"], account_id, repository_id))


async def holds(conn: Conn, account_id: int, repository_id: int, pair: OwnPair, now: datetime) -> bool | None:
    """Write the rulesets of its own after a call; whether it is locked from now on, None if that is no news.

    Without any, the organisation's pair goes on holding it where that names it.
    """
    await conn.execute(Q["hold"], account_id, repository_id)
    fact = (pair.branch, pair.tag, pair.reason, now, list(pair.team_ids), pair.whole)
    row = await conn.fetchrow(Q["holds"], account_id, repository_id, *fact)
    return None if row is None or row["was_locked"] == row["is_locked"] else bool(row["is_locked"])


async def archived(conn: Conn, account_id: int, repository_id: int, reason: str, now: datetime) -> list[int]:
    """Write that it was archived; ids of the projects whose review of it is skipped because of that."""
    await conn.execute(Q["archived"], account_id, repository_id, reason, now)
    rows = await conn.fetch(Q["skip_reviews"], account_id, repository_id, now)
    return [row["project_id"] for row in rows]


async def unarchived(conn: Conn, account_id: int, repository_id: int, now: datetime) -> bool | None:
    """Write that it is archived no more: what was mute because of it is due again. Returned as by `holds`."""
    news = await holds(conn, account_id, repository_id, OwnPair(None, None, (), None), now)
    await conn.execute(Q["due_reviews"], account_id, repository_id)
    await conn.execute(Q["speak_again"], account_id, repository_id)
    return news


async def failed(conn: Conn, account_id: int, repository_id: int, reason: str) -> bool:
    """Why it could not be locked or opened; True if that is news."""
    return await conn.fetchval(Q["failed"], account_id, repository_id, reason) is not None

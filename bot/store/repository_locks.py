"""Locks of single repositories, where the organisation's set cannot hold them (docs/design.md section 6)."""

from dataclasses import dataclass
from datetime import datetime

from bot.rules.repository_locks import Standing
from bot.store import queries
from bot.store.records import Conn, one

Q = queries.load("repository_locks")


@dataclass(frozen=True, slots=True)
class Archive:
    """That a repository is archived as its lock, and why; None as a reason leaves what is known."""

    reason: str | None
    tried_at: datetime | None


@dataclass(frozen=True, slots=True)
class OwnPair:
    """The rulesets that a repository has of its own, by target, sent for these teams to bypass.

    `reason` says why it needs them; `whole`: both were sent by now, and not the first of them alone. `tried_at` is what
    `trying` gave before the call, or what stood when GitHub was asked; `dormant`: there may be others that the plan
    does not apply.
    """

    branch: int | None
    tag: int | None
    team_ids: tuple[int, ...]
    reason: str | None
    whole: bool = True
    tried_at: datetime | None = None
    dormant: bool = False


async def standing(conn: Conn, account_id: int, repository_id: int) -> Standing | None:
    """What is wanted and what is held at this instant; None where it cannot be reached."""
    return one(Standing, await conn.fetchrow(Q["standing"], account_id, repository_id))


async def trying(conn: Conn, account_id: int, repository_id: int, kind: str) -> datetime:
    """Written before each call about its lock; the fact that is written after it carries the instant."""
    tried_at: datetime = await conn.fetchval(Q["trying"], account_id, repository_id, kind)
    return tried_at


async def holds(conn: Conn, account_id: int, repository_id: int, pair: OwnPair, now: datetime) -> bool | None:
    """Write the rulesets of its own after a call; whether it is locked from now on, None if that is no news.

    Without any, the organisation's pair goes on holding it where that names it.
    """
    await conn.execute(Q["hold"], account_id, repository_id)
    fact = (pair.branch, pair.tag, pair.reason, now, list(pair.team_ids), pair.whole, pair.tried_at, pair.dormant)
    row = await conn.fetchrow(Q["holds"], account_id, repository_id, *fact)
    return None if row is None or row["was_locked"] == row["is_locked"] else bool(row["is_locked"])


async def archived(conn: Conn, account_id: int, repository_id: int, archive: Archive, now: datetime) -> bool:
    """Write that it is archived; True if it was not locked before."""
    return not await conn.fetchval(Q["archived"], account_id, repository_id, archive.reason, now, archive.tried_at)


async def skip_reviews(conn: Conn, account_id: int, repository_id: int, now: datetime) -> list[int]:
    """The projects whose review of it is skipped, now that it is archived."""
    rows = await conn.fetch(Q["skip_reviews"], account_id, repository_id, now)
    return [row["project_id"] for row in rows]


async def unarchived(conn: Conn, account_id: int, repository_id: int, pair: OwnPair, now: datetime) -> bool | None:
    """Write that it is archived no more, and what it has instead: what was mute is due again. As `holds`."""
    news = await holds(conn, account_id, repository_id, pair, now)
    await conn.execute(Q["look_for_dormant"], account_id, repository_id)
    await conn.execute(Q["due_reviews"], account_id, repository_id)
    await conn.execute(Q["speak_again"], account_id, repository_id)
    return news


async def failed(conn: Conn, account_id: int, repository_id: int, reason: str) -> bool:
    """Why it could not be locked or opened; True if that is news."""
    return await conn.fetchval(Q["failed"], account_id, repository_id, reason) is not None

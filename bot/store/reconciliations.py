"""Repositories whose latest runs are to be read, in case GitHub's news of them was lost."""

from datetime import datetime
from uuid import UUID

from bot.store import leases, queries
from bot.store.leases import Lease
from bot.store.records import Conn

Q = queries.load("reconciliations")


async def mark(conn: Conn, now: datetime) -> int:
    """Have the quiet repositories read whose runs matter at course time `now`; how many were not due already."""
    return len(await conn.fetch(Q["mark"], now))


async def claim(conn: Conn, holder: UUID, lease_seconds: int, limit: int) -> list[Lease]:
    """Take up to `limit` repositories whose runs are to be read."""
    return leases.taken("reconciliations", holder, await conn.fetch(Q["claim"], holder, lease_seconds, limit))


async def still_wanted(conn: Conn, account_id: int, repository_id: int, now: datetime) -> bool:
    """Whether what it was marked for holds at course time `now`."""
    return bool(await conn.fetchval(Q["still_wanted"], account_id, repository_id, now))


async def done(conn: Conn, account_id: int, repository_id: int) -> None:
    """It is due no more, until it is marked again."""
    await conn.execute(Q["done"], account_id, repository_id)

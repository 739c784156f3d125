"""How far GitHub's own list of pushes has been read, repository by repository (docs/design.md section 3)."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from bot.store import leases, queries
from bot.store.leases import Lease
from bot.store.records import Conn, one

Q = queries.load("activities")


@dataclass(frozen=True, slots=True)
class Since:
    """Where a reading goes on: course time when the last one began, and the ids of the entries that are known."""

    read_at: datetime | None
    default_branch: str
    known: list[int]


async def due(conn: Conn, account_id: int, repository_ids: Sequence[int]) -> None:
    """Have the activity of these repositories read."""
    await conn.execute(Q["due"], account_id, list(repository_ids))


async def due_where_asked(conn: Conn, account_id: int, repository_ids: Sequence[int]) -> None:
    """Have it read where a verdict hangs on it, or something of a branch's past is missing."""
    await conn.execute(Q["due_where_asked"], account_id, list(repository_ids))


async def due_of_deadlines(conn: Conn, now: datetime) -> None:
    """Have it read once after each deadline: the freeze waits for that."""
    await conn.execute(Q["due_of_deadlines"], now)


async def claim(conn: Conn, holder: UUID, lease_seconds: int, limit: int) -> list[Lease]:
    """Take up to `limit` repositories whose activity is due."""
    return leases.taken("activities", holder, await conn.fetch(Q["claim"], holder, lease_seconds, limit))


async def since(conn: Conn, account_id: int, repository_id: int) -> Since | None:
    """Where the reading of a repository goes on."""
    return one(Since, await conn.fetchrow(Q["since"], account_id, repository_id))


async def asked(conn: Conn, account_id: int, repository_id: int) -> list[str]:
    """Count that these pushes were not listed; their heads. After the third time the payload's word is taken."""
    return [row["head_sha"] for row in await conn.fetch(Q["asked"], account_id, repository_id)]


async def read(conn: Conn, lease: Lease, at: datetime, refused: str | None, again_seconds: float) -> None:
    """It was read as of `at` (course time), or GitHub refuses it; what is open is asked again in `again_seconds`."""
    await conn.execute(Q["read"], lease.account_id, lease.key, at, refused, again_seconds)

"""What a project's deadlines ask of single repositories: locks of their own, and marks (docs/design.md section 5)."""

from uuid import UUID

from bot.store import leases, queries
from bot.store.leases import Lease
from bot.store.records import Conn

Q = queries.load("enforcement")


async def claim(conn: Conn, holder: UUID, lease_seconds: int) -> list[Lease]:
    """Take the projects that have repositories to lock, to open or to mark one by one."""
    return leases.taken("enforcement", holder, await conn.fetch(Q["claim"], holder, lease_seconds))


async def locks_due(conn: Conn, account_id: int, project_id: int) -> list[int]:
    """The repositories of a project that a lock of their own is to close or to open."""
    return [row["repository_id"] for row in await conn.fetch(Q["locks_due"], account_id, project_id)]


async def marks_due(conn: Conn, account_id: int, project_id: int) -> list[int]:
    """The repositories of a project whose deadline is to be marked on their branches."""
    return [row["repository_id"] for row in await conn.fetch(Q["marks_due"], account_id, project_id)]

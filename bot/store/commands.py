"""Comments that hold commands: each runs once, by its id."""

from uuid import UUID

from bot.model import Command
from bot.store import leases, queries
from bot.store.leases import Lease
from bot.store.records import Conn, one

Q = queries.load("commands")


async def record(conn: Conn, command: Command) -> bool:
    """Keep a comment to be answered; False if it is known."""
    return await conn.fetchval(Q["record"], *(getattr(command, name) for name in command.__slots__)) is not None


async def claim(conn: Conn, holder: UUID, lease_seconds: int, limit: int) -> list[Lease]:
    """Take up to `limit` comments, in the order in which they were written, one at a time per issue."""
    return leases.taken("commands", holder, await conn.fetch(Q["claim"], holder, lease_seconds, limit))


async def by_id(conn: Conn, account_id: int, comment_id: int) -> Command | None:
    """The comment as it was created, unless it was answered."""
    return one(Command, await conn.fetchrow(Q["by_id"], account_id, comment_id))


async def done(conn: Conn, command: Command, outcome: str) -> None:
    """It was answered, or given up: it never runs again."""
    await conn.execute(Q["done"], command.account_id, command.comment_id, outcome)


async def failed(conn: Conn, command: Command) -> int:
    """Count a fault of ours, apart from waits for GitHub; how many there were."""
    count: int = await conn.fetchval(Q["failed"], command.account_id, command.comment_id)
    return count

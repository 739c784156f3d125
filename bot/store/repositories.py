"""Repositories as GitHub has them, known by their numeric id, and the students in them."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from bot.model import RepositoryFact
from bot.store import leases, queries
from bot.store.leases import Lease
from bot.store.records import Conn

Q = queries.load("repositories")


async def upsert(conn: Conn, account_id: int, facts: Sequence[RepositoryFact]) -> None:
    """Write what GitHub lists now; a known repository keeps its lock, and one that was gone is back."""
    await conn.execute(
        Q["upsert"],
        account_id,
        [fact.id for fact in facts],
        [fact.name for fact in facts],
        [fact.default_branch for fact in facts],
        [fact.private for fact in facts],
    )


async def set_students(conn: Conn, account_id: int, facts: Sequence[RepositoryFact]) -> None:
    """Write who works in each repository, as GitHub lists them now."""
    rows = [(fact.id, person.id, person.login, person.role) for fact in facts for person in fact.students]
    columns = [list(column) for column in zip(*rows, strict=True)] or [[], [], [], []]
    await conn.execute(Q["set_students"], account_id, *columns)
    await conn.execute(Q["drop_students"], account_id, [fact.id for fact in facts], *columns[:2])


async def heard_of(conn: Conn, account_id: int, repository_ids: Sequence[int], heard_as: str | None) -> set[int]:
    """An event or a 404 spoke of these: those that are ours are to be read again, and returned.

    `heard_as` (`deleted`, `transferred`, `removed`) is believed only once the repository cannot be reached.
    """
    return {row["id"] for row in await conn.fetch(Q["heard_of"], account_id, list(repository_ids), heard_as)}


async def expect(conn: Conn, account_id: int, repository_id: int, name: str) -> None:
    """A repository that a project may take: to be read before it is enrolled."""
    await conn.execute(Q["expect"], account_id, repository_id, name)


async def claim_reads(conn: Conn, holder: UUID, lease_seconds: int, limit: int) -> list[Lease]:
    """Take up to `limit` repositories to be read."""
    return leases.taken("repositories", holder, await conn.fetch(Q["claim_reads"], holder, lease_seconds, limit))


async def read_done(conn: Conn, account_id: int, repository_id: int) -> None:
    """It was read; what was asked for meanwhile stays due."""
    await conn.execute(Q["read_done"], account_id, repository_id)


async def gone(conn: Conn, account_id: int, repository_id: int, now: datetime) -> str | None:
    """It can no longer be reached; in which way, as an event told it. None if that is known already."""
    how: str | None = await conn.fetchval(Q["gone"], account_id, repository_id, now)
    return how


async def opening(conn: Conn, account_id: int, repository_ids: Sequence[int]) -> set[int]:
    """Those of them that are locked and that nothing wants locked any more."""
    return {row["id"] for row in await conn.fetch(Q["opening"], account_id, list(repository_ids))}

"""The ledger of `repository_dispatch`: claimed before the call, never sent twice (docs/design.md section 7)."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from bot.model import Project
from bot.store import leases, queries
from bot.store.leases import Lease
from bot.store.records import Conn

Q = queries.load("dispatches")


@dataclass(frozen=True, slots=True)
class Entry:
    """One row of the ledger: what is asked for, and the nonce that its run carries in its title."""

    id: int
    account_id: int
    repository_id: int
    sha: str
    deadline: datetime
    nonce: UUID


async def claim(conn: Conn, holder: UUID, lease_seconds: int) -> list[Lease]:
    """Take the projects that have reviews to ask for."""
    return leases.taken("dispatches", holder, await conn.fetch(Q["claim"], holder, lease_seconds))


async def due(conn: Conn, account_id: int, project_id: int) -> list[int]:
    """The repositories of a project whose final review is to be asked for."""
    return [row["repository_id"] for row in await conn.fetch(Q["due"], account_id, project_id)]


async def enter(conn: Conn, project: Project, repository_id: int, nonce: UUID, now: datetime) -> Entry | None:
    """Claim one review in the ledger, in the caller's transaction; None if it is no longer due.

    The repository is read again under its row lock, so that a reopen just before is seen and one just after waits.
    """
    row = await conn.fetchrow(Q["reread"], project.account_id, project.id, repository_id)
    if row is None:
        return None
    sha: str = row["submission_sha"]
    key = (project.account_id, project.id, repository_id)
    entry_id = await conn.fetchval(Q["enter"], *key, row["round"], sha, nonce, now)
    return Entry(entry_id, project.account_id, repository_id, sha, row["effective_at"], nonce)


async def answered(conn: Conn, entry: Entry, outcome: str, github_date: datetime | None) -> None:
    """Write how it went: `accepted`, or `not confirmed` when no answer came."""
    await conn.execute(Q["answered"], entry.account_id, entry.id, outcome, github_date)


async def give_back(conn: Conn, entry: Entry, *, refused: bool) -> None:
    """Nothing happened: the review is due again, later each time where GitHub `refused` it, else at once."""
    await conn.execute(Q["give_back"], entry.account_id, entry.id, refused)


async def give_back_unsent(conn: Conn, project: Project, repository_id: int, nonce: UUID) -> bool:
    """Take back the claim of what certainly was never sent, if there is one; in the caller's transaction.

    Whether it was ever written may be unknown: the repository is held first, so that who is writing it has ended.
    """
    key = (project.account_id, project.id, repository_id)
    await conn.execute(Q["hold"], *key)
    entry_id = await conn.fetchval(Q["unanswered"], *key, nonce)
    if entry_id is None:
        return False
    await conn.execute(Q["give_back"], project.account_id, entry_id, False)
    return True


async def void_old(conn: Conn, project: Project, repository_ids: Sequence[int], now: datetime) -> int:
    """Rows of earlier rounds no longer speak for these repositories; the count of those voided."""
    rows = await conn.fetch(Q["void_old"], project.account_id, project.id, list(repository_ids), now)
    return len(rows)


async def failure(conn: Conn, project: Project) -> str | None:
    """Why the last try to ask for a review was refused, if it was."""
    reason: str | None = await conn.fetchval(Q["failure"], project.account_id, project.id)
    return reason


async def set_failure(conn: Conn, project: Project, reason: str | None) -> bool:
    """Keep the last refusal; True if it is a new one, to be audited."""
    return await conn.fetchval(Q["set_failure"], project.account_id, project.id, reason) is not None

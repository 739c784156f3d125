"""The service's books as an auditor reads them: with SQL of its own, so that no fault of the service's hides itself."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime

import asyncpg

RECEIPTS = """
    SELECT h.repository_id, h.head_sha, h.received_at, h.received_at <= e.effective_at AS on_time
    FROM receipts h JOIN enrolments e USING (account_id, repository_id)
    WHERE h.pusher IN ('student', 'person')"""
REPOSITORIES = """
    SELECT e.repository_id, e.effective_at, e.frozen_at, e.submission_sha, r.locked_at, r.lock_verified_at,
        e.frozen_at >= e.effective_at + make_interval(secs => p.grace_seconds) AS after_grace
    FROM enrolments e JOIN repositories r ON (r.account_id, r.id) = (e.account_id, e.repository_id)
    JOIN projects p ON (p.account_id, p.id) = (e.account_id, e.project_id)"""
REVIEWS = """
    SELECT repository_id, sha, nonce::text, outcome FROM dispatches
    WHERE outcome IS DISTINCT FROM 'given back'"""
WAITING = "SELECT count(*) FROM checks WHERE due_at IS NOT NULL"


@dataclass(frozen=True, slots=True)
class Receipt:
    """What the service holds of one push."""

    repository_id: int
    head_sha: str
    received_at: datetime
    on_time: bool


@dataclass(frozen=True, slots=True)
class Part:
    """One repository's part in the project."""

    repository_id: int
    effective_at: datetime
    frozen_at: datetime | None
    submission_sha: str | None
    locked_at: datetime | None
    lock_verified_at: datetime | None
    after_grace: bool | None


@dataclass(frozen=True, slots=True)
class Review:
    """One entry of the ledger of dispatches that was not given back. Without an outcome its answer never came."""

    repository_id: int
    sha: str
    nonce: str
    outcome: str | None

    @property
    def confirmed(self) -> bool:
        """Whether GitHub said that it took it."""
        return self.outcome == "accepted"


class Ledger:
    """Reads only."""

    def __init__(self, conn: "asyncpg.Connection[asyncpg.Record]") -> None:
        self._conn = conn

    async def receipts(self) -> list[Receipt]:
        """Every push of a student."""
        return [Receipt(**row) for row in await self._conn.fetch(RECEIPTS)]

    async def parts(self) -> list[Part]:
        """Every enrolled repository."""
        return [Part(**row) for row in await self._conn.fetch(REPOSITORIES)]

    async def reviews(self) -> list[Review]:
        """Every review asked for, or perhaps asked for."""
        return [Review(**row) for row in await self._conn.fetch(REVIEWS)]

    async def checks_waiting(self) -> int:
        """How many checks have something new to say and have not been sent."""
        count: int = await self._conn.fetchval(WAITING)
        return count


@asynccontextmanager
async def opened(dsn: str) -> AsyncIterator[Ledger]:
    """The books of the database at `dsn`."""
    conn = await asyncpg.connect(dsn)
    try:
        yield Ledger(conn)
    finally:
        await conn.close()

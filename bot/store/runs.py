"""Workflow runs and the scores they gave."""

from collections.abc import Sequence
from uuid import UUID

from bot.model import Run
from bot.rules.runs import RunHeard
from bot.rules.scores import Score
from bot.store import leases, queries
from bot.store.leases import Lease
from bot.store.records import Conn, one

Q = queries.load("runs")


async def record(conn: Conn, heard: RunHeard) -> None:
    """Write a run; a completed attempt stays completed whatever comes later, and is due to be read."""
    await conn.execute(Q["record"], *(getattr(heard, name) for name in heard.__slots__))


async def news(conn: Conn, account_id: int, repository_id: int, listed: Sequence[RunHeard]) -> list[RunHeard]:
    """Those attempts of a repository that are not known to have completed."""
    attempts = [it.run_id for it in listed], [it.attempt for it in listed]
    known = {tuple(row) for row in await conn.fetch(Q["completed_of"], account_id, repository_id, *attempts)}
    return [it for it in listed if (it.run_id, it.attempt) not in known]


async def claim_reads(conn: Conn, holder: UUID, lease_seconds: int, limit: int) -> list[Lease]:
    """Take up to `limit` completed runs whose annotations are to be read."""
    return leases.taken("runs", holder, await conn.fetch(Q["claim_reads"], holder, lease_seconds, limit))


async def by_id(conn: Conn, account_id: int, key: int) -> Run | None:
    """One attempt of one run, by our own id."""
    return one(Run, await conn.fetchrow(Q["by_id"], account_id, key))


async def score(conn: Conn, run: Run, score: Score) -> None:
    """Write what its annotations said; it is read now."""
    await conn.execute(Q["score"], run.account_id, run.id, score.points, score.max_points, score.status, score.detail)


async def due_again(conn: Conn, account_id: int, repository_ids: Sequence[int]) -> None:
    """Have the completed runs read that came before these repositories were ours."""
    await conn.execute(Q["due_again"], account_id, list(repository_ids))

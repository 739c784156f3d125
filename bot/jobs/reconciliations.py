"""Find the runs whose news was lost: the latest of a repository, by the door through which the webhook records them."""

from bot import failpoints, log
from bot.github import runs as github
from bot.github.failures import NotFound, Refused
from bot.jobs.desk import Desk
from bot.jobs.frame import Held
from bot.model import CLOCK
from bot.rules.runs import RunHeard, heard
from bot.store import audit, clock, reconciliations, repositories, runs
from bot.store.audit import Subject
from bot.store.records import Conn


async def run(desk: Desk, held: Held) -> None:
    """One repository: what is news is recorded, and read by the job that reads every completed run."""
    account_id, repository_id = held.lease.account_id, held.lease.key
    async with desk.pool.acquire() as conn:
        wanted = await reconciliations.still_wanted(conn, account_id, repository_id, await clock.now(conn))
    listed = await _listed(desk, account_id, repository_id) if wanted else []
    failpoints.reach("reconciliation.read")
    async with held.finishing() as conn:
        if listed is None:
            # Nothing is concluded from that: what became of the repository is found out by the job that reads it.
            await repositories.heard_of(conn, account_id, [repository_id], None)
        else:
            await _ingest(conn, account_id, repository_id, listed)
        await reconciliations.done(conn, account_id, repository_id)


async def _listed(desk: Desk, account_id: int, repository_id: int) -> list[RunHeard] | None:
    """Its latest completed runs, oldest first; None where GitHub knows no such repository."""
    api = await desk.api(account_id)
    try:
        found = await github.latest_completed(api, repository_id)
    except NotFound:
        return None
    except Refused as refusal:
        # The next pass asks again.
        log.get().warning("runs cannot be listed", action="reconciliation.refused", error=str(refusal))
        return []
    return [heard(account_id, repository_id, run) for run in reversed(found)]


async def _ingest(conn: Conn, account_id: int, repository_id: int, listed: list[RunHeard]) -> None:
    news = await runs.news(conn, account_id, repository_id, listed)
    for attempt in news:
        await runs.record(conn, attempt)
    if news:
        counts = {"listed": len(listed), "ingested": len(news)}
        subject = Subject(account_id, repository_id=repository_id)
        await audit.record(conn, subject, "runs.reconciled", CLOCK, await clock.now(conn), counts)

"""Read what a completed run's annotations say, and choose anew which score counts."""

from bot import failpoints
from bot.github import runs as github
from bot.github.failures import NotFound, Refused
from bot.jobs.desk import Desk
from bot.jobs.frame import Held
from bot.rules.scores import Note, Score, read_score
from bot.store import clock, enrolments, runs


async def run(desk: Desk, held: Held) -> None:
    """One attempt of one run: its score, then the selection, in one transaction."""
    account_id = held.lease.account_id
    api = await desk.api(account_id)
    async with desk.pool.acquire() as conn:
        row = await runs.by_id(conn, account_id, held.lease.key)
    if row is None:
        return
    try:
        found = await github.annotations(api, row.repository_id, row.check_suite_id)
    except (NotFound, Refused) as refusal:
        # The freeze waits for what is unread: what can never be read must not hold it for ever.
        score = Score("unreadable", detail=refusal.message)
    else:
        score = read_score([Note(note.title or "", note.level or "", note.message or "") for note in found])
    failpoints.reach("run.read")
    async with held.finishing() as conn:
        await runs.score(conn, row, score)
        await enrolments.reselect(conn, account_id, [row.repository_id], await clock.now(conn))

"""Drafts whose opening time has come are published (docs/design.md section 8)."""

from bot import log
from bot.errors import Told
from bot.model import CLOCK, State
from bot.rules.states import HELD_STILL
from bot.store import audit, checks, enrolments, projects
from bot.sweeper.tick import Claimed, Tick


async def claim(tick: Tick) -> Claimed:
    """Publish each, or leave it to the staff where it cannot open.

    One that follows a project which closes at this moment stays due: whoever holds that project lets go in a moment.
    """
    for project in await projects.claim_openings(tick.conn, tick.now):
        try:
            async with tick.conn.transaction():
                await projects.transition(tick.conn, project, State.OPEN, CLOCK, tick.now)
        except Told as refusal:
            if refusal.code == HELD_STILL:
                continue
            log.get().info("opening refused", action="project.opening_refused", project=project.id, code=refusal.code)
            await projects.opening_refused(tick.conn, project)
            subject, detail = projects.subject(project), {"reason": refusal.reason}
            await audit.record(tick.conn, subject, "project.opening_refused", CLOCK, tick.now, detail)
            continue
        rows = await enrolments.of_project(tick.conn, project.account_id, project.id)
        ids = [row.repository_id for row in rows]
        await checks.due_of_repositories(tick.conn, project.account_id, project.id, ids)
    return []

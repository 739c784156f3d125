"""Drafts whose opening time has come are published (docs/design.md section 8)."""

from bot import log
from bot.errors import Told
from bot.model import CLOCK, Project, State
from bot.rules import states
from bot.store import audit, checks, enrolments, outbox, projects
from bot.sweeper.tick import Claimed, Tick


async def claim(tick: Tick) -> Claimed:
    """Publish each, or leave it to the staff where it cannot open.

    One that follows a project which closes at this moment stays due: whoever holds that project lets go in a moment.
    """
    for project in await projects.claim_openings(tick.conn, tick.now):
        try:
            states.check_opens_before(project.deadline_at, tick.now)
            async with tick.conn.transaction():
                await projects.transition(tick.conn, project, State.OPEN, CLOCK, tick.now)
        except Told as refusal:
            if refusal.code != states.HELD_STILL:
                await _leave_to_staff(tick, project, refusal)
            continue
        rows = await enrolments.of_project(tick.conn, project.account_id, project.id)
        ids = [row.repository_id for row in rows]
        await checks.due_of_repositories(tick.conn, project.account_id, project.id, ids)
    return []


async def _leave_to_staff(tick: Tick, project: Project, refusal: Told) -> None:
    """Take its opening time back, and tell them why."""
    log.get().info("opening refused", action="project.opening_refused", project=project.id, code=refusal.code)
    staff_repository = await projects.opening_refused(tick.conn, project, tick.now)
    detail = {"reason": refusal.reason, "opens": project.opens_at.isoformat() if project.opens_at else None}
    await audit.record(tick.conn, projects.subject(project), "project.opening_refused", CLOCK, tick.now, detail)
    reason = f"{refusal.reason} {refusal.instead}".strip()
    await outbox.write_nudge(tick.conn, project, staff_repository, tick.now, reason)

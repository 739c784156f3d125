"""`/publish`: a draft opens now, or at a time."""

from bot.errors import Told
from bot.model import State
from bot.rules import when
from bot.slash.command import Context, SlashCommand
from bot.slash.parse.options import Parsed, Spec
from bot.store import audit, checks, projects
from bot.text import projects as text
from bot.text import refusals


async def run(context: Context, parsed: Parsed) -> str:
    """Open the project through the one door, and have its checks shown."""
    project = await projects.hold(context.conn, context.account_id, context.project.id)
    zone = context.course.timezone
    if project.state != State.DRAFT:
        raise refusals.not_a_draft(project.state)
    if project.deadline_at <= context.now:
        raise refusals.in_the_past(project.deadline_at, zone)
    if parsed.words:
        opens = when.parse(" ".join(parsed.words), zone=zone, now=context.now, base=None)
        if opens.at <= context.now:
            raise refusals.in_the_past(opens.at, zone)
        if opens.at >= project.deadline_at:
            raise refusals.opens_after_deadline()
        await projects.set_opening(context.conn, project, opens.at)
        detail = {"opens": opens.at.isoformat()}
        actor = context.authority.actor
        await audit.record(context.conn, projects.subject(project), "project.scheduled", actor, context.now, detail)
        return text.scheduled(project, zone, opens.at, context.now)
    rows = await context.enrolments()
    if not rows:
        raise refusals.nothing_enrolled()
    if not await projects.transition(context.conn, project, State.OPEN, context.authority.actor, context.now):
        raise Told("E-STATE", "The project was changed by somebody else at this moment.", "`/status` shows it.")
    ids = [row.repository_id for row in rows]
    await checks.due_of_repositories(context.conn, context.account_id, project.id, ids)
    return text.published(project, zone, context.now, len(ids))


COMMAND = SlashCommand(
    spec=Spec("publish", "/publish [WHEN]", most=None),
    who="staff",
    where="project",
    does="opens the draft of this issue, now or at a time: checks appear, the deadline will close it",
    run=run,
)

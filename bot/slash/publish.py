"""`/publish`: a draft opens now, or at a time."""

from bot.errors import Told
from bot.model import Project, State
from bot.rules import deadlines, when
from bot.rules.inverses import OpeningMove, Publication
from bot.slash.command import Context, Done, SlashCommand
from bot.slash.parse.options import Parsed, Spec
from bot.store import audit, checks, projects
from bot.text import projects as text
from bot.text import refusals


async def run(context: Context, parsed: Parsed) -> Done:
    """Open the project through the one door, and have its checks shown."""
    project = await projects.hold(context.conn, context.account_id, context.project.id)
    zone = context.course.timezone
    if not parsed.words:
        return await open_now(context, project)
    _check_draft(context, project)
    opens = when.parse(" ".join(parsed.words), zone=zone, now=context.reading.at, base=None)
    if opens.at <= context.now:
        raise refusals.in_the_past(opens.at, zone)
    if opens.at >= project.deadline_at:
        raise refusals.opens_after_deadline()
    await projects.set_opening(context.conn, project, opens.at)
    detail = {"opens": opens.at.isoformat()}
    actor = context.authority.actor
    await audit.record(context.conn, projects.subject(project), "project.scheduled", actor, context.now, detail)
    inverse = OpeningMove(left=opens.at, before=project.opens_at)
    return Done(text.scheduled(project, zone, opens.at, context.now), inverse)


async def open_now(context: Context, project: Project) -> Done:
    """Open a held draft. Raises Told where it cannot be."""
    _check_draft(context, project)
    rows = await context.enrolments()
    if not rows:
        raise refusals.nothing_enrolled()
    if not await projects.transition(context.conn, project, State.OPEN, context.authority.actor, context.now):
        raise Told("E-STATE", "The project was changed by somebody else at this moment.", "`/status` shows it.")
    ids = [row.repository_id for row in rows]
    await checks.due_of_repositories(context.conn, context.account_id, project.id, ids)
    return Done(text.published(project, context.course.timezone, context.now, rows), Publication("open"))


def _check_draft(context: Context, project: Project) -> None:
    if project.state != State.DRAFT:
        raise refusals.not_a_draft(project.state)
    if deadlines.has_come(project.deadline_at, context.now):
        raise refusals.in_the_past(project.deadline_at, context.course.timezone)


COMMAND = SlashCommand(
    spec=Spec("publish", "/publish [WHEN]", most=None),
    who="staff",
    where="project",
    does="opens the draft of this issue, now or at a time: checks appear, the deadline will close it",
    run=run,
)

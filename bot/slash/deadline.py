"""`/deadline`: move the project's deadline; repositories with their own keep it."""

from bot.rules import when
from bot.slash import moving
from bot.slash.command import Context, SlashCommand
from bot.slash.parse.options import Parsed, Spec
from bot.store import audit, projects
from bot.text import projects as text
from bot.text import refusals


async def run(context: Context, parsed: Parsed) -> str:
    """Set it, and settle what follows for every repository without a deadline of its own."""
    project = await projects.hold(context.conn, context.account_id, context.project.id)
    zone = context.course.timezone
    new = when.parse(" ".join(parsed.words), zone=zone, now=context.now, base=project.deadline_at)
    if new.at <= context.now:
        raise refusals.in_the_past(new.at, zone)
    if project.opens_at is not None and project.state == "draft" and new.at <= project.opens_at:
        raise refusals.opens_after_deadline()
    before = await context.enrolments()
    await projects.set_deadline(context.conn, project, new)
    moved = await projects.hold(context.conn, context.account_id, project.id)
    detail = {"from": project.deadline_at.isoformat(), "to": new.at.isoformat(), "wall": new.wall, "zone": new.zone}
    actor = context.authority.actor
    await audit.record(context.conn, projects.subject(project), "project.deadline_moved", actor, context.now, detail)
    following = [row.repository_id for row in before if row.deadline_at is None]
    reopened = await moving.settle(context, moved, following)
    return text.moved(moved, zone, context.now, len(reopened), len(before) - len(following))


COMMAND = SlashCommand(
    spec=Spec("deadline", "/deadline WHEN", least=1, most=None),
    who="staff",
    where="project",
    does="moves the project's deadline; what was closed and now lies ahead opens again and is judged anew",
    run=run,
)

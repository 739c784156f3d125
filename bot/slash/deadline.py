"""`/deadline`: move the project's deadline; repositories with their own keep it."""

from bot.model import Project
from bot.rules import deadlines, inverses, when
from bot.rules.when import When
from bot.slash import moving
from bot.slash.command import Context, Done, SlashCommand
from bot.slash.parse.options import Parsed, Spec
from bot.store import projects
from bot.text import projects as text
from bot.text import refusals


async def run(context: Context, parsed: Parsed) -> Done:
    """Set it, and settle what follows for every repository without a deadline of its own."""
    project = await projects.hold(context.conn, context.account_id, context.project.id)
    base = context.reading.deadline_of(project)
    new = when.parse(" ".join(parsed.words), zone=context.course.timezone, now=context.reading.at, base=base)
    return await move(context, project, new)


async def move(context: Context, project: Project, new: When) -> Done:
    """Move the deadline of a held project to `new`. Raises Told where a draft cannot have it."""
    zone = context.course.timezone
    if project.state == "draft":
        if deadlines.has_come(new.at, context.now):
            raise refusals.in_the_past(new.at, zone)
        if project.opens_at is not None and new.at <= project.opens_at:
            raise refusals.opens_after_deadline()
    moved = await moving.move_project(context, project, new)
    if inverses.is_void(moved.inverse):
        return Done(text.stands(project, zone, context.now), moved.inverse)
    return Done(text.moved(moved.project, zone, context.now, len(moved.reopened), moved.own), moved.inverse)


COMMAND = SlashCommand(
    spec=Spec("deadline", "/deadline WHEN", least=1, most=None),
    who="staff",
    where="project",
    does="moves the project's deadline; what was closed and now lies ahead opens again and is judged anew",
    run=run,
)

"""`/tasks`: what waits for a person, in this project or, outside a control issue, in the whole course."""

from bot.slash.command import Context, SlashCommand
from bot.slash.parse.options import Parsed, Spec
from bot.store import tasks
from bot.text import tasks as text


async def run(context: Context, _parsed: Parsed) -> str:
    """Read them at this instant."""
    project = context.place.project
    if project is None:
        found = await tasks.of_course(context.conn, context.course)
    else:
        found = await tasks.of_project(context.conn, project)
    return text.listed(found, context.course.timezone)


COMMAND = SlashCommand(
    spec=Spec("tasks", "/tasks"),
    who="assistants",
    where="course",
    does="lists what waits for a person, here or, outside a control issue, in the whole course",
    run=run,
    previewed=False,
)

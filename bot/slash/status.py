"""`/status`: where the project of this issue stands, or some of its repositories; elsewhere the course's projects.

In a student's repository, where that one stands.
"""

from bot.rules import names
from bot.slash import admission
from bot.slash.command import Context, SlashCommand
from bot.slash.parse.options import Parsed, Spec
from bot.store import checks, dispatches, installations, projects, pushes
from bot.text import courses, refusals
from bot.text import standings as text
from bot.text.standings import Standing


async def run(context: Context, parsed: Parsed) -> str:
    """Read everything from the database at this instant."""
    if context.place.student_repository:
        admission.check_own(context, parsed.words)
        parts = await pushes.parts(context.conn, context.account_id, [context.command.repository_id])
        return text.status_of_own(parts, context.now)
    zone = context.course.timezone
    if context.place.project is None:
        if parsed.words:
            raise refusals.no_project()
        found = await projects.all_of_course(context.conn, context.account_id, context.course.id)
        return courses.overview(context.course, found, context.now)
    rows = await context.enrolments()
    if parsed.words:
        return text.status_of(names.select(parsed.words, rows), zone)
    trouble = await installations.lock_trouble(context.conn, context.account_id)
    review_failure = await dispatches.failure(context.conn, context.project)
    mute = await checks.refused(context.conn, context.project)
    return text.status(context.project, zone, context.now, Standing(rows, trouble, review_failure, mute))


COMMAND = SlashCommand(
    spec=Spec("status", "/status [WHO…]", most=None),
    who="assistants",
    where="course",
    does="shows where the project stands, or its repositories WHO; outside a control issue all projects",
    run=run,
    previewed=False,
    of_students=True,
)

"""`/course status`: how the App stands in the organisation, and what waits."""

from datetime import timedelta

from bot.slash.command import Context, SlashCommand
from bot.slash.parse.options import Parsed, Spec
from bot.store import boards, courses, installations, outages, processes, scheduled_tasks, tasks
from bot.text import outages as outage_text
from bot.text import settings as text
from bot.text.settings import CourseStanding, Piece

OUTAGES_SHOWN = timedelta(days=14)


async def run(context: Context, _parsed: Parsed) -> str:
    """Read everything from the database at this instant."""
    conn, course = context.conn, context.course
    troubles = await boards.troubles(conn, context.account_id, course.id)
    standing = CourseStanding(
        course=course,
        settings=await courses.settings(conn, course),
        installations=await installations.standing(conn, context.account_id),
        locks=await courses.locks_held(conn, course),
        tasks=await tasks.of_course(conn, course),
        processes=await processes.alive(conn),
        troubles=[text.cannot_be_written(it.slug, it.issue_number, it.given_up) for it in troubles],
        outage=await _outage(context),
        housekeeping=[
            Piece(it.name, it.enabled, it.finished_at, it.outcome) for it in await scheduled_tasks.all_of_them(conn)
        ],
    )
    return text.status(standing, course.timezone)


async def _outage(context: Context) -> str | None:
    """The latest outage of this service, where it was not long ago."""
    it = await outages.latest(context.conn, context.now - OUTAGES_SHOWN)
    if it is None:
        return None
    recovered = it.recovered_at is not None
    return outage_text.latest(it.part, it.began_at, it.ended_at, recovered=recovered, zone=context.course.timezone)


COMMAND = SlashCommand(
    spec=Spec("course status", "/course status"),
    who="staff",
    where="course",
    does="shows how strong the locks are, what is missing, what waits, how clocks and housekeeping go",
    run=run,
    previewed=False,
)

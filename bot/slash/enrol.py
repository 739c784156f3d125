"""`/enrol`: repositories take part in the project, also such as its pattern does not name or as were withdrawn."""

from collections.abc import Sequence

from bot.model import Needs, Project
from bot.rules.inverses import Membership
from bot.slash import matching, moving
from bot.slash.command import Context, Done, Place, SlashCommand
from bot.slash.parse.options import Parsed, Spec
from bot.store import audit, checks, enrolments, hands, projects
from bot.text import enrolments as text


def needs(place: Place, parsed: Parsed) -> Needs:
    """The repositories that match, with their students, and who teaches today."""
    return Needs(teams=place.course.teams if place.course else (), owners=True, repositories=tuple(parsed.words))


async def run(context: Context, parsed: Parsed) -> Done:
    """Enrol what matches now. Raises Told where nothing is left to enrol."""
    project = await projects.hold(context.conn, context.account_id, context.project.id)
    here = {row.repository_id for row in await context.enrolments()}
    matched = await matching.match(context, parsed.words, here)
    await matching.record(context, matched)
    taken = await take(context, project, [fact.id for fact in matched.enrolled])
    rows = [row for row in await context.enrolments() if row.repository_id in taken]
    missed = [*matched.left_out, *matching.missed(matched, taken)]
    return Done(text.enrolled(project, rows, missed, context.now), Membership("enrolled", sorted(taken)))


async def take(context: Context, project: Project, ids: Sequence[int]) -> set[int]:
    """Have these repositories take part in a held project, as new ones or again; those that do from now on.

    Another project may have opened with one of them at this moment.
    """
    await enrolments.hold(context.conn, context.account_id, ids)
    again = await enrolments.take_back(context.conn, project, ids)
    taken = again | set(await enrolments.enrol(context.conn, project, ids, context.now))
    back = [row for row in await context.enrolments() if row.repository_id in again]
    # Whoever opened a repository by hand did not open it until somebody enrols it in what is over.
    await hands.cover(context.conn, project, list(taken), context.now)
    # What happened meanwhile is judged as if they had been there: pushes and runs were recorded all the same.
    await moving.settle(context, project, back, anew=True)
    await checks.due_of_returned(context.conn, project, list(again))
    await checks.due_of_repositories(context.conn, context.account_id, project.id, list(taken))
    subject, actor = projects.subject(project), context.authority.actor
    details = {key: {"again": key in again} for key in taken}
    await audit.record_each(context.conn, subject, "repository.enrolled", actor, context.now, details)
    return taken


COMMAND = SlashCommand(
    spec=Spec("enrol", "/enrol GLOB…", least=1, most=None),
    who="staff",
    where="project",
    does="enrols the repositories that match, also beyond the project's pattern, and those that were withdrawn",
    run=run,
    needs=needs,
)

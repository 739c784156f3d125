"""`/withdraw`: repositories take no part in the project any more; the lock they have because of it is lifted."""

from collections.abc import Sequence

from bot.model import Enrolment
from bot.rules import names
from bot.rules.inverses import Membership
from bot.slash import moving
from bot.slash.command import Context, Done, SlashCommand
from bot.slash.parse.options import Parsed, Spec
from bot.store import audit, checks, enrolments, hands, projects, repositories
from bot.text import enrolments as text


async def run(context: Context, parsed: Parsed) -> Done:
    """Nothing of what was received is forgotten: `/enrol` has them take part again."""
    await projects.hold(context.conn, context.account_id, context.project.id)
    return await give_up(context, names.select(parsed.words, await context.enrolments()))


async def give_up(context: Context, chosen: Sequence[Enrolment]) -> Done:
    """Withdraw these repositories of a held project."""
    project, ids = context.project, [row.repository_id for row in chosen]
    await moving.hold(context, chosen)
    await enrolments.withdraw(context.conn, project, ids, context.now)
    # A hand would hold what no project speaks for any more, or set a deadline aside that is set for nobody.
    ended = await hands.drop_withdrawn(context.conn, project, ids)
    await checks.due_of_withdrawn(context.conn, project, ids)
    subject, actor = projects.subject(project), context.authority.actor
    details: dict[int, dict[str, object]] = {key: {} for key in ids}
    await audit.record_each(context.conn, subject, "repository.withdrawn", actor, context.now, details)
    opening = await repositories.opening(context.conn, context.account_id, ids)
    return Done(text.withdrawn(project, chosen, opening), Membership("withdrawn", ids, ended))


COMMAND = SlashCommand(
    spec=Spec("withdraw", "/withdraw WHO…", least=1, most=None),
    who="staff",
    where="project",
    does="takes repositories out of the project: locks are lifted, nothing is reviewed; `/enrol` is the way back",
    run=run,
)

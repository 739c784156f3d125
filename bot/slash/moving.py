"""What follows from any move of a deadline, in the transaction of the command (docs/design.md section 4)."""

from collections.abc import Sequence

from bot.model import Project, State
from bot.slash.command import Context
from bot.store import audit, checks, dispatches, enrolments, projects


async def settle(context: Context, project: Project, concerned: Sequence[int]) -> list[int]:
    """Reopen what was applied and now lies ahead, judge every run anew, and have the checks say so.

    Returns the ids of the repositories that were reopened. Their locks are lifted by the job, never here.
    """
    actor, now = context.authority.actor, context.now
    if project.state == State.CLOSED and project.deadline_at > now:
        await projects.transition(context.conn, project, State.OPEN, actor, now)
    reopened = await enrolments.reopen(context.conn, project, now)
    if reopened:
        voided = await dispatches.void_old(context.conn, project, reopened, now)
        details = {repository_id: {"voided_reviews": voided} for repository_id in reopened}
        await audit.record_each(context.conn, projects.subject(project), "repository.reopened", actor, now, details)
    await enrolments.reselect(context.conn, project.account_id, concerned, now)
    await checks.due_of_repositories(context.conn, project.account_id, project.id, concerned)
    return reopened

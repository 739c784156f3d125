"""Moving deadlines, and what follows from it, in the transaction of the command (docs/design.md section 4)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from bot.model import Enrolment, Project, State
from bot.rules import deadlines
from bot.rules.inverses import DeadlineMove, HandMove, OwnDeadline, OwnMove, OwnMoves
from bot.rules.when import When
from bot.slash.command import Context
from bot.store import activities, audit, checks, dispatches, enrolments, hands, past_verdicts, projects
from bot.store.past_verdicts import Reason

NONE = "none"


@dataclass(frozen=True, slots=True)
class Moved:
    """The project as it is now, how many repositories keep a deadline of their own, and which were reopened."""

    project: Project
    own: int
    reopened: list[int]
    inverse: DeadlineMove


@dataclass(frozen=True, slots=True)
class Settled:
    """Which repositories were reopened, and the hands that ended."""

    reopened: list[int]
    hands: list[HandMove]


async def move_project(context: Context, project: Project, new: When) -> Moved:
    """Set the deadline of a held project, and settle what follows for each repository without its own.

    Where it stands there already nothing is done, and the inverse is void.
    """
    was = When(project.deadline_at, project.deadline_wall, project.deadline_zone)
    before = await context.enrolments()
    following = [row for row in before if row.deadline_at is None]
    if new.at == was.at:
        return Moved(project, len(before) - len(following), [], DeadlineMove(left=was, before=was))
    await hold(context, before)
    deadlines_before = await enrolments.following(context.conn, project)
    await projects.set_deadline(context.conn, project, new)
    await _keep(context, project, deadlines_before)
    moved = await projects.hold(context.conn, context.account_id, project.id)
    detail = {"from": project.deadline_at.isoformat(), "to": new.at.isoformat(), "wall": new.wall, "zone": new.zone}
    actor = context.authority.actor
    await audit.record(context.conn, projects.subject(project), "project.deadline_moved", actor, context.now, detail)
    settled = await settle(context, moved, following)
    inverse = DeadlineMove(left=new, before=was, hands=settled.hands)
    return Moved(moved, len(before) - len(following), settled.reopened, inverse)


async def move_repositories(
    context: Context, project: Project, chosen: Sequence[Enrolment], own: Mapping[int, OwnDeadline]
) -> tuple[list[int], OwnMoves]:
    """Give `chosen` of a held project their own deadlines (or none) and settle what follows; which were reopened.

    Those that have them already are left alone, and are not in the inverse.
    """
    before = await enrolments.own_deadlines(context.conn, project, [row.repository_id for row in chosen])
    chosen = [row for row in chosen if not own[row.repository_id].is_as(before[row.repository_id])]
    if not chosen:
        return [], OwnMoves([])
    await hold(context, chosen)
    ids = [row.repository_id for row in chosen]
    for repository_id in ids:
        await enrolments.set_own_deadline(context.conn, project, [repository_id], own[repository_id])
    await _keep(context, project, {row.repository_id: row.effective_at for row in chosen})
    details = {
        row.repository_id: {
            "from": row.effective_at.isoformat(),
            "to": deadline.when.at.isoformat() if deadline.when else NONE,
            "reason": deadline.reason,
        }
        for row, deadline in ((row, own[row.repository_id]) for row in chosen)
    }
    subject, actor = projects.subject(project), context.authority.actor
    await audit.record_each(context.conn, subject, "repository.deadline_moved", actor, context.now, details)
    moves = [OwnMove(key, left=own[key], before=before[key]) for key in ids]
    settled = await settle(context, project, chosen)
    return settled.reopened, OwnMoves(moves, settled.hands)


async def hold(context: Context, rows: Sequence[Enrolment]) -> None:
    """Hold these repositories in all their projects before anything is moved.

    Whoever moves a deadline of another project of theirs takes them in the same order and waits for no part of this.
    """
    await enrolments.hold(context.conn, context.account_id, [row.repository_id for row in rows])


async def settle(context: Context, project: Project, before: Sequence[Enrolment], *, anew: bool = False) -> Settled:
    """Judge the repositories whose deadline moved anew, which stood as in `before`, and have the checks say so.

    What was applied and now lies ahead opens in a new round; its lock is lifted by the job, never here. What was
    applied and moved within the past stays closed, and what counts is settled anew; with `anew` also where the deadline
    stands as it did.
    """
    now, concerned = context.now, [row.repository_id for row in before]
    if project.state == State.CLOSED and not deadlines.has_come(project.deadline_at, now):
        await projects.transition(context.conn, project, State.OPEN, context.authority.actor, now)
    reopened = await enrolments.reopen(context.conn, project, now)
    # An exemption from the old deadline says nothing about the new one (docs/design.md section 4).
    moved = await _moved(context, before)
    ended = await hands.drop(context.conn, project, [*{*moved, *reopened}], reopened)
    voided = await dispatches.void_old(context.conn, project, reopened, now)
    await _audit(context, project, "repository.reopened", {key: {"voided_reviews": voided} for key in reopened})
    judged = await enrolments.settle_anew(context.conn, project, before, now, always=anew)
    details = {key: {"from": old.isoformat(), "to": new.isoformat()} for key, (old, new) in judged.items()}
    await _audit(context, project, "repository.judged_again", details)
    await enrolments.reselect(context.conn, project.account_id, concerned, now)
    # What is late by little now was perhaps never asked about.
    await activities.due_where_asked(context.conn, project.account_id, concerned)
    await checks.due_of_moved(context.conn, project, before)
    await checks.due_of_repositories(context.conn, project.account_id, project.id, concerned)
    return Settled(reopened, ended)


async def _moved(context: Context, before: Sequence[Enrolment]) -> list[int]:
    """Those whose deadline is another one than in `before`."""
    stood = {row.repository_id: row.effective_at for row in before}
    rows = await context.enrolments()
    return [row.repository_id for row in rows if stood.get(row.repository_id, row.effective_at) != row.effective_at]


async def _keep(context: Context, project: Project, before: Mapping[int, datetime]) -> None:
    """What was said by the deadlines of then stays on record."""
    reason = Reason(context.command, context.authority.person, context.line)
    await past_verdicts.keep(context.conn, project, before, reason, context.now)


async def _audit(context: Context, project: Project, action: str, details: Mapping[int, Mapping[str, object]]) -> None:
    subject, actor = projects.subject(project), context.authority.actor
    await audit.record_each(context.conn, subject, action, actor, context.now, details)

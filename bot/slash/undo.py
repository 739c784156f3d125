"""`/undo`: take the last change of this issue's project back, by the inverse that was stored with it."""

from bot.model import Project, State
from bot.rules import inverses
from bot.rules.inverses import DeadlineMove, Hand, HandMoves, Inverse, OpeningMove, OwnMoves, Publication
from bot.slash import admission, deadline, extend, publish
from bot.slash.command import Context, Done, SlashCommand
from bot.slash.parse.options import Parsed, Spec
from bot.store import audit, changes, checks, enrolments, hands, projects
from bot.text import previews


async def run(context: Context, parsed: Parsed) -> Done:
    """Take it back, which is a change too: the next `/undo` does it again. Raises Told where something rests on it."""
    # The list imports this file as one of its entries.
    from bot.slash.registry import COMMANDS

    if context.place.project is None:
        raise previews.no_undo_of_the_course()
    project = await projects.hold(context.conn, context.account_id, context.project.id)
    change = await changes.last(context.conn, project)
    if change is None:
        raise previews.nothing_to_undo()
    if command := COMMANDS.get(change.command):
        admission.check_allowed(context, command)
    done = await _take_back(context, project, change.inverse)
    if done is None:
        raise previews.no_inverse(change.line)
    await changes.undone(context.conn, change, context.now)
    said = f"{previews.taken_back(change.line, change.made_by_login)}\n{done.text}"
    return Done(said, inverses.turned(change.inverse), change.command)


async def _take_back(context: Context, project: Project, inverse: Inverse) -> Done | None:
    match inverse:
        case DeadlineMove():
            if project.deadline_at != inverse.left.at:
                raise previews.changed_by_now()
            return await deadline.move(context, project, inverse.before)
        case OwnMoves():
            return await _own_deadlines(context, project, inverse)
        case HandMoves():
            return await _hands(context, project, inverse)
        case OpeningMove():
            return await _opening(context, project, inverse)
        case Publication(left="open"):
            return await _publication(context, project)
        case Publication(left="draft"):
            return await publish.open_now(context, project)
    return None


async def _own_deadlines(context: Context, project: Project, inverse: OwnMoves) -> Done:
    own = {move.repository_id: move.before for move in inverse.moves}
    here = {row.repository_id: row for row in await context.enrolments()}
    present = await enrolments.own_deadlines(context.conn, project, list(own))
    for move in inverse.moves:
        if move.repository_id not in here or present[move.repository_id].when != move.left.when:
            raise previews.changed_by_now()
    return await extend.give(context, project, [here[repository_id] for repository_id in own], own)


async def _hands(context: Context, project: Project, inverse: HandMoves) -> Done:
    here = {row.repository_id: row for row in await context.enrolments()}
    for move in inverse.moves:
        row = here.get(move.repository_id)
        if row is None or Hand(row.staff_lock, row.staff_lock_until) != move.left:
            raise previews.changed_by_now()
    # A hand whose time has come meanwhile would have ended by itself.
    over = [move.before.until is not None and move.before.until <= context.now for move in inverse.moves]
    before = {
        move.repository_id: Hand(None) if ended else move.before
        for move, ended in zip(inverse.moves, over, strict=True)
    }
    await hands.restore(context.conn, context.account_id, before)
    details = {key: {"stored": hand.lock} for key, hand in before.items()}
    subject, actor = projects.subject(project), context.authority.actor
    await audit.record_each(context.conn, subject, "repository.hand_restored", actor, context.now, details)
    return Done(previews.hands_as_before([here[key].name for key in before]), inverse)


async def _opening(context: Context, project: Project, inverse: OpeningMove) -> Done:
    if project.state != State.DRAFT or project.opens_at != inverse.left:
        raise previews.changed_by_now()
    if inverse.before is not None and inverse.before <= context.now:
        raise previews.opening_has_passed()
    await projects.set_opening(context.conn, project, inverse.before)
    detail = {"opens": inverse.before.isoformat() if inverse.before else None}
    actor = context.authority.actor
    await audit.record(context.conn, projects.subject(project), "project.scheduled", actor, context.now, detail)
    return Done(previews.opens(inverse.before, context.course.timezone), inverse)


async def _publication(context: Context, project: Project) -> Done:
    """Back to a draft, while no student can have noticed and nothing was received."""
    if project.state != State.OPEN:
        raise previews.changed_by_now()
    pushes, applied = await projects.happened(context.conn, project)
    shown = await checks.unsay(context.conn, project)
    if pushes or applied or shown:
        raise previews.published_for_good(pushes, applied, shown)
    await projects.transition(context.conn, project, State.DRAFT, context.authority.actor, context.now)
    return Done(previews.draft_again(project.slug), Publication("open"))


COMMAND = SlashCommand(
    spec=Spec("undo", "/undo"),
    who="as the command",
    where="course",
    does="takes the last change of this issue's project back; what has no inverse says so",
    run=run,
)

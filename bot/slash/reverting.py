"""What `/undo` does with an inverse: what the change left must still be there, then what was before is set again.

It is set by the functions that set it the first time, so that all that follows does. Each returns what takes that back.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from bot.errors import TryAgain
from bot.model import State
from bot.rules import modes
from bot.rules.inverses import (
    DeadlineMove,
    Hand,
    HandMove,
    HandMoves,
    Inverse,
    Membership,
    OpeningMove,
    OwnMoves,
    Publication,
    SettingsMove,
    TaskMove,
)
from bot.rules.modes import Settings
from bot.slash import deadline, enrol, extend, publish, settings, task, withdraw
from bot.slash.command import Context, Done
from bot.store import audit, checks, courses, enrolments, hands, projects
from bot.text import previews, refusals
from bot.text import settings as text
from bot.text.enrolments import members_as_before

MOVES = (DeadlineMove, OwnMoves)
NOT_READ_SECONDS = 1.0


async def revert(context: Context, inverse: Inverse) -> Done:
    """Take a change back. Raises Told where it cannot be (any more)."""
    way = _WAYS.get(type(inverse))
    if way is None:
        raise previews.changed_by_now()
    return await way(context, inverse)


async def _deadline(context: Context, inverse: DeadlineMove) -> Done:
    project = await projects.hold(context.conn, context.account_id, context.project.id)
    if project.deadline_at != inverse.left.at:
        raise previews.changed_by_now()
    done = await deadline.move(context, project, inverse.before)
    return await _give_back(context, done, inverse.hands)


async def _own_deadlines(context: Context, inverse: OwnMoves) -> Done:
    project = await projects.hold(context.conn, context.account_id, context.project.id)
    own = {move.repository_id: move.before for move in inverse.moves}
    here = {row.repository_id: row for row in await context.enrolments()}
    present = await enrolments.own_deadlines(context.conn, project, list(own))
    for move in inverse.moves:
        if move.repository_id not in here or present[move.repository_id].when != move.left.when:
            raise previews.changed_by_now()
    done = await extend.give(context, project, [here[repository_id] for repository_id in own], own)
    return await _give_back(context, done, inverse.hands)


async def _give_back(context: Context, done: Done, ended: Sequence[HandMove]) -> Done:
    """Set the hands anew that a move of deadlines ended, where there is none now and their time has not come."""
    # The move back has just ended what was said since; what was said earlier is not put in its place.
    since = {move.repository_id for move in done.inverse.hands} if isinstance(done.inverse, MOVES) else set()
    names = {row.repository_id: row.name for row in await context.enrolments() if row.repository_id not in since}
    moves = [move for move in ended if move.repository_id in names]
    stored = await hands.restore(context.conn, context.account_id, moves, context.now)
    given = {key: hand for key, hand in stored.items() if hand.lock is not None}
    if not given:
        return done
    await _audit_hands(context, given)
    return replace(done, text=f"{done.text}\n{previews.hands_as_before([names[key] for key in given])}")


async def _hands(context: Context, inverse: HandMoves) -> Done:
    here = {row.repository_id: row for row in await context.enrolments()}
    for move in inverse.moves:
        if move.repository_id not in here:
            raise previews.changed_by_now()
    stored = await hands.restore(context.conn, context.account_id, inverse.moves, context.now)
    if len(stored) < len(inverse.moves):
        raise previews.changed_by_now()
    await _audit_hands(context, stored)
    back = [HandMove(move.repository_id, stored[move.repository_id], move.left) for move in inverse.moves]
    return Done(previews.hands_as_before([here[move.repository_id].name for move in inverse.moves]), HandMoves(back))


async def _audit_hands(context: Context, stored: Mapping[int, Hand]) -> None:
    details = {key: {"stored": hand.lock} for key, hand in stored.items()}
    subject, actor = projects.subject(context.project), context.authority.actor
    await audit.record_each(context.conn, subject, "repository.hand_restored", actor, context.now, details)


async def _opening(context: Context, inverse: OpeningMove) -> Done:
    project = await projects.hold(context.conn, context.account_id, context.project.id)
    if project.state != State.DRAFT or project.opens_at != inverse.left:
        raise previews.changed_by_now()
    if inverse.before is not None and inverse.before <= context.now:
        raise previews.opening_has_passed()
    await projects.set_opening(context.conn, project, inverse.before)
    detail = {"opens": inverse.before.isoformat() if inverse.before else None}
    actor = context.authority.actor
    await audit.record(context.conn, projects.subject(project), "project.scheduled", actor, context.now, detail)
    said = previews.opens(inverse.before, context.course.timezone)
    return Done(said, OpeningMove(left=inverse.before, before=inverse.left))


async def _publication(context: Context, inverse: Publication) -> Done:
    """Open once more; or back to a draft, while no student can have noticed and nothing was received."""
    project = await projects.hold(context.conn, context.account_id, context.project.id)
    if inverse.left == "draft":
        return await publish.open_now(context, project)
    if project.state != State.OPEN:
        raise previews.changed_by_now()
    pushes, applied = await projects.happened(context.conn, project)
    shown = await checks.unsay(context.conn, project)
    if pushes or applied or shown:
        raise previews.published_for_good(pushes, applied, shown)
    await projects.transition(context.conn, project, State.DRAFT, context.authority.actor, context.now)
    return Done(previews.draft_again(project.slug), Publication("draft"))


async def _members(context: Context, inverse: Membership) -> Done:
    project = await projects.hold(context.conn, context.account_id, context.project.id)
    ids = set(inverse.repository_ids)
    here = [row for row in await context.enrolments() if row.repository_id in ids]
    if len(here) != (len(ids) if inverse.left == "enrolled" else 0):
        raise previews.changed_by_now()
    if inverse.left == "enrolled":
        return await withdraw.give_up(context, here)
    if ids & set(await enrolments.held(context.conn, context.account_id)):
        raise previews.changed_by_now()
    if await enrol.take(context, project, inverse.repository_ids) != ids:
        raise previews.changed_by_now()
    names = [row.name for row in await context.enrolments() if row.repository_id in ids]
    done = Done(members_as_before(names), Membership("enrolled", inverse.repository_ids))
    return await _give_back(context, done, inverse.hands)


async def _settings(context: Context, inverse: SettingsMove) -> Done:
    """The settings that were changed, as they were: by the same rules as if they were given anew."""
    present = await courses.settings(context.conn, context.course)
    data = modes.as_data(present)
    if others := [name for name, left in inverse.left.items() if data.get(name) != left]:
        raise text.changed_since(others)
    after = modes.with_data(present, inverse.before)
    if after.mode != present.mode:
        if not context.authority.owner:
            raise refusals.not_allowed("owner", "")
        # With no word on the locks that are held: what was said of those of then is not said of these.
        await settings.check_mode(context, after.mode)
    read_staff = bool(modes.TEAMS & set(inverse.before))
    if read_staff:
        _check_teams(context, after, inverse)
    done = await settings.change(context, present, after, read_staff=read_staff)
    stays = present.locks_lifted and after.mode == "active"
    return Done(f"{done.text}\n{text.hands_stay_off()}" if stays else done.text, done.inverse)


def _check_teams(context: Context, after: Settings, inverse: SettingsMove) -> None:
    """Raises Told where a team of before is not to be had; TryAgain where it is not known who teaches in it today."""
    if unread := {after.staff_team, after.assistants_team or after.staff_team} - _read_teams(context):
        # Somebody changed the course after it was settled what to read. The next try reads for the change of now.
        raise TryAgain(f"not read: {unread}", NOT_READ_SECONDS)
    for number, slug in ((after.staff_team_id, after.staff_team), (after.assistants_team_id, after.assistants_team)):
        given_back = number in (inverse.before.get("staff_team_id"), inverse.before.get("assistants_team_id"))
        if slug is not None and given_back and settings.team(context, slug).id != number:
            raise text.another_team(slug)


def _read_teams(context: Context) -> set[str]:
    return {*context.facts.asked.teams, *(team.slug for team in context.facts.teams.values())}


_WAYS: Mapping[type, Callable[[Context, Any], Awaitable[Done]]] = {
    DeadlineMove: _deadline,
    OwnMoves: _own_deadlines,
    HandMoves: _hands,
    OpeningMove: _opening,
    Publication: _publication,
    Membership: _members,
    SettingsMove: _settings,
    TaskMove: task.put_back,
}

"""`/undo`: take back the last change of this issue's project, or of the course, by the inverse stored with it."""

from bot.model import Needs
from bot.rules import inverses, modes
from bot.rules.inverses import Nothing, SettingsMove
from bot.slash import admission, reverting
from bot.slash.command import Context, Done, Place, SlashCommand
from bot.slash.parse.options import Parsed, Spec
from bot.store import changes, projects
from bot.store.changes import Change
from bot.text import previews

CREATION = "project create"


def needs(place: Place, _parsed: Parsed) -> Needs:
    """Who teaches, where teams are taken back: those of before and of now, so that a second `/undo` may follow."""
    inverse = place.last.inverse if place.last else None
    if place.course is None or not isinstance(inverse, SettingsMove) or not modes.TEAMS & set(inverse.left):
        return Needs()
    named = [it.get(name) for it in (inverse.before, inverse.left) for name in ("staff_team", "assistants_team")]
    return Needs(teams=tuple(dict.fromkeys([*(str(slug) for slug in named if slug), *place.course.teams])), owners=True)


async def run(context: Context, _parsed: Parsed) -> Done:
    """Take it back, which is a change too: the next `/undo` does it again. Raises Told where something rests on it."""
    # The list imports this file as one of its entries.
    from bot.slash.registry import COMMANDS

    change = await _last(context)
    if command := COMMANDS.get(change.command):
        admission.check_allowed(context, command)
    if isinstance(change.inverse, Nothing):
        raise previews.no_inverse(change.line)
    if inverses.is_void(change.inverse):
        raise previews.changed_nothing(change.line)
    done = await reverting.revert(context, change.inverse)
    await changes.undone(context.conn, change, context.now)
    said = f"{previews.taken_back(change.line, change.made_by_login)}\n{done.text}"
    return Done(said, done.inverse, change.command)


async def _last(context: Context) -> Change:
    """The change that it is about. Raises Told where there is none."""
    project = context.place.project
    if project is not None:
        # Held first: of two at once the second finds what the first has done.
        await projects.hold(context.conn, context.account_id, project.id)
    change = await changes.last(context.conn, context.course, project, context.command.issue_number)
    if project is None and change is None:
        raise previews.no_undo_of_the_course()
    if change is None or change.command == CREATION:
        raise previews.nothing_to_undo()
    return change


COMMAND = SlashCommand(
    spec=Spec("undo", "/undo"),
    who="as the command",
    where="course",
    does="takes back the last change of this issue's project, or of the course where the issue has none; what has no "
    "inverse says so",
    run=run,
    needs=needs,
)

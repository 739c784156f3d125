"""`/confirm CODE`: do what a preview said, by anyone who may give that command."""

from bot.model import Needs
from bot.slash import admission, previewing
from bot.slash.command import Context, Place, Question, SlashCommand
from bot.slash.parse.lines import line_of
from bot.slash.parse.options import Parsed, Spec, parse
from bot.slash.previewing import Given
from bot.store import confirmations
from bot.text import previews, refusals


def needs(place: Place, parsed: Parsed) -> Needs:
    """What the previewed command needs."""
    line = place.waiting.get(_code(parsed))
    if line is None:
        return Needs()
    given = _given(line)
    return given.command.needs(place, given.parsed)


async def run(context: Context, parsed: Parsed) -> str | Question:
    """Use the code up and run its line again; where it would do something else now, preview that."""
    code = _code(parsed)
    waiting = await confirmations.use(context.conn, context.command, code, context.authority.person)
    if waiting is None:
        raise previews.code_refused(code, await confirmations.fate(context.conn, context.command, code))
    given = _given(waiting.line)
    admission.check_allowed(context, given.command)
    admission.check_place(context, given.command)
    return await previewing.run(context, given, waiting)


def _code(parsed: Parsed) -> str:
    return parsed.words[0].strip("`").casefold()


def _given(text: str) -> Given:
    # The list imports this file as one of its entries.
    from bot.slash import registry

    line = line_of(text)
    command = registry.find(line)
    if command is None:
        raise refusals.unknown_command(line.name, None)
    return Given(text, command, parse(command.spec, text))


COMMAND = SlashCommand(
    spec=Spec("confirm", "/confirm CODE", least=1, most=1),
    who="as the command",
    where="waiting",
    does="does what a preview said, within ten minutes",
    run=run,
    needs=needs,
    previewed=False,
)

"""From a comment to what became of each of its commands, in one transaction (docs/design.md section 11)."""

from dataclasses import replace

from bot.errors import Told
from bot.model import Needs
from bot.slash import admission, previewing, registry
from bot.slash.command import Context, Done, Place, Question, SlashCommand
from bot.slash.parse import lines
from bot.slash.parse.lines import Line
from bot.slash.parse.options import parse
from bot.slash.previewing import Given
from bot.text import refusals
from bot.text.replies import Answer, refusal


def addressed(body: str) -> list[Line]:
    """The lines of a comment that give a command, or very nearly one; what is neither is left alone."""
    return [line for line in lines.commands(body) if registry.find(line) or registry.nearest(line)]


def concerns(place: Place, line: Line) -> bool:
    """Whether the bot has anything to say to this line here: outside courses only to what begins one."""
    command = registry.find(line)
    if place.course is not None:
        return True
    if command is None:
        return False
    return command.where == "anywhere" or (command.where == "waiting" and bool(place.waiting))


def needs(place: Place, here: list[Line]) -> Needs:
    """What must be read of GitHub for all of them; a line that makes no sense asks for nothing and is answered."""
    total = Needs()
    for line in here:
        command = registry.find(line)
        if command is None:
            continue
        if place.student_repository and command.of_students:
            # Whether its author may give it at all hangs on that, whatever else the line says.
            total = replace(total, students=True)
        try:
            more = command.needs(place, parse(command.spec, line.text))
        except Told:
            continue
        total = Needs(
            teams=tuple(dict.fromkeys(total.teams + more.teams)),
            owners=total.owners or more.owners,
            repositories=tuple(dict.fromkeys(total.repositories + more.repositories)),
            rulesets=total.rulesets or more.rulesets,
            students=total.students or more.students,
        )
    return total


async def answer(context: Context, line: Line) -> Answer:
    """Run one line in a savepoint: refused half-way, it leaves nothing of itself behind."""
    command = registry.find(line)
    if command is None:
        return refusal(line.text, refusals.unknown_command(line.name, registry.nearest(line)))
    try:
        async with context.conn.transaction():
            said = await _run(context, line, command)
    except Told as told:
        return refusal(line.text, told)
    if isinstance(said, Question):
        return Answer(line.text, False, said.text, waits=True)
    return Answer(line.text, True, said)


async def _run(context: Context, line: Line, command: SlashCommand) -> str | Question:
    admission.check_allowed(context, command)
    given = Given(line.text, command, parse(command.spec, line.text))
    admission.check_place(context, command)
    if command.previewed:
        return await previewing.run(context, given)
    said = await command.run(context, given.parsed)
    return said.text if isinstance(said, Done) else said

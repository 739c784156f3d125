"""From a comment to what became of each of its commands, in one transaction (docs/design.md section 11)."""

from bot.errors import Told
from bot.model import Authority, Needs
from bot.slash import registry
from bot.slash.command import Context, Place, SlashCommand
from bot.slash.parse import lines
from bot.slash.parse.lines import Line
from bot.slash.parse.options import parse
from bot.text import refusals
from bot.text.replies import Answer, refusal


def addressed(body: str) -> list[Line]:
    """The lines of a comment that give a command, or very nearly one; what is neither is left alone."""
    return [line for line in lines.commands(body) if registry.find(line) or registry.nearest(line)]


def concerns(place: Place, line: Line) -> bool:
    """Whether the bot has anything to say to this line here: outside courses only to what begins one."""
    command = registry.find(line)
    at_home = place.course is not None
    return at_home or (command is not None and command.where == "anywhere")


def needs(place: Place, here: list[Line]) -> Needs:
    """What must be read of GitHub for all of them; a line that makes no sense asks for nothing and is answered."""
    total = Needs()
    for line in here:
        command = registry.find(line)
        if command is None:
            continue
        try:
            more = command.needs(place, parse(command.spec, line.text))
        except Told:
            continue
        total = Needs(
            teams=tuple(dict.fromkeys(total.teams + more.teams)),
            owners=total.owners or more.owners,
            repositories=more.repositories or total.repositories,
            rulesets=total.rulesets or more.rulesets,
        )
    return total


async def answer(context: Context, line: Line) -> Answer:
    """Run one line in a savepoint: refused half-way, it leaves nothing of itself behind."""
    try:
        async with context.conn.transaction():
            command = registry.find(line)
            if command is None:
                raise refusals.unknown_command(line.name, registry.nearest(line))
            _check_allowed(context, command)
            parsed = parse(command.spec, line.text)
            _check_place(context, command)
            return Answer(line.text, True, await command.run(context, parsed))
    except Told as told:
        return refusal(line.text, told)


def _check_allowed(context: Context, command: SlashCommand) -> None:
    if not _may(context.authority, command):
        raise refusals.not_allowed(_addressee(context, command), _teams(context))


def _may(authority: Authority, command: SlashCommand) -> bool:
    allowed = {
        "owner": authority.owner,
        "staff": authority.staff,
        "assistants": authority.staff or authority.assistant,
        "anyone": True,
    }
    return allowed[command.who]


def _addressee(context: Context, command: SlashCommand) -> str:
    return "student" if context.place.student_repository else command.who


def _teams(context: Context) -> str:
    course = context.place.course
    if course is None:
        return "its staff"
    teams = [course.staff_team, course.assistants_team]
    return ", ".join(f"`@{context.place.organisation}/{team}`" for team in teams if team)


def _check_place(context: Context, command: SlashCommand) -> None:
    """Raises Told where the command cannot be given here."""
    if command.where == "anywhere":
        return
    if context.place.student_repository:
        raise refusals.no_project()
    if not context.facts.here.private:
        raise refusals.not_private()
    if command.where == "project":
        _ = context.project

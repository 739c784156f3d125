"""Who may give a command, and where it can be given (docs/design.md section 11)."""

from collections.abc import Sequence

from bot.model import Authority
from bot.slash.command import Context, SlashCommand
from bot.text import refusals


def check_allowed(context: Context, command: SlashCommand) -> None:
    """Raises Told where the author may not give this command."""
    if not _may(context.authority, command) and not (command.of_students and _studies_here(context)):
        raise refusals.not_allowed(_addressee(context, command), _teams(context))


def check_place(context: Context, command: SlashCommand) -> None:
    """Raises Told where the command cannot be given here."""
    if command.where in {"anywhere", "waiting"}:
        return
    if context.place.student_repository:
        if command.of_students:
            return
        raise refusals.no_project()
    if not context.facts.here.private:
        raise refusals.not_private()
    if command.where == "project":
        _ = context.project


def check_own(context: Context, who: Sequence[str]) -> None:
    """Raises Told where WHO, given in a student's repository, means anything but that repository."""
    here = context.facts.here
    own = {here.name.casefold(), *(f"@{person.login.casefold()}" for person in here.students)}
    for word in who:
        if word.casefold() not in own:
            raise refusals.not_this_repository(word)


def _studies_here(context: Context) -> bool:
    """By user id, as GitHub listed the people of this repository a moment ago; never outside a student's repository."""
    author = context.authority.person.id
    return context.place.student_repository and any(person.id == author for person in context.facts.here.students)


def _may(authority: Authority, command: SlashCommand) -> bool:
    teaches = authority.staff or authority.assistant
    allowed = {
        "owner": authority.owner,
        "staff": authority.staff,
        "assistants": teaches,
        "anyone": True,
        # Which command it is about is not known yet; it is asked again then. A student gives none of them.
        "as the command": teaches,
    }
    return allowed[command.who]


def _addressee(context: Context, command: SlashCommand) -> str:
    if not context.place.student_repository:
        return command.who
    return "students" if command.of_students else "student"


def _teams(context: Context) -> str:
    course = context.place.course
    if course is None:
        return "its staff"
    teams = [course.staff_team, course.assistants_team]
    return ", ".join(f"`@{context.place.organisation}/{team}`" for team in teams if team)

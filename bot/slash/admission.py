"""Who may give a command, and where it can be given (docs/design.md section 11)."""

from bot.model import Authority
from bot.slash.command import Context, SlashCommand
from bot.text import refusals


def check_allowed(context: Context, command: SlashCommand) -> None:
    """Raises Told where the author may not give this command."""
    if not _may(context.authority, command):
        raise refusals.not_allowed(_addressee(context, command), _teams(context))


def check_place(context: Context, command: SlashCommand) -> None:
    """Raises Told where the command cannot be given here."""
    if command.where in {"anywhere", "waiting"}:
        return
    if context.place.student_repository:
        raise refusals.no_project()
    if not context.facts.here.private:
        raise refusals.not_private()
    if command.where == "project":
        _ = context.project


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
    return "student" if context.place.student_repository else command.who


def _teams(context: Context) -> str:
    course = context.place.course
    if course is None:
        return "its staff"
    teams = [course.staff_team, course.assistants_team]
    return ", ".join(f"`@{context.place.organisation}/{team}`" for team in teams if team)

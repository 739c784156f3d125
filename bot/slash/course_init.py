"""`/course init`: an owner makes this repository the staff repository of a course."""

from bot.model import Needs, TeamFact
from bot.rules import names, zones
from bot.slash.command import Context, Place, SlashCommand
from bot.slash.parse.options import Option, Parsed, Spec
from bot.store import audit, courses
from bot.store.audit import Subject
from bot.store.courses import NewCourse
from bot.text import courses as text
from bot.text import refusals


def needs(place: Place, parsed: Parsed) -> Needs:
    """The two teams, and whether organisation rulesets are to be had."""
    teams = [parsed.options[name] for name in ("--staff", "--assistants") if name in parsed.options]
    slugs = tuple(names.team_slug(team, place.organisation) for team in teams)
    return Needs(teams=slugs, owners=True, rulesets=True)


async def run(context: Context, parsed: Parsed) -> str:
    """Register the course with its zone, teams and mode; idempotent in that a second one is refused."""
    if not context.facts.here.private:
        raise refusals.not_private()
    if context.place.student_repository:
        raise refusals.student_repository()
    zone = parsed.options["--timezone"]
    if not zones.valid_zone(zone):
        raise refusals.unknown_zone(zone)
    staff = _team(context, parsed.options["--staff"])
    assistants = _team(context, parsed.options["--assistants"]) if "--assistants" in parsed.options else None
    mode = parsed.options.get("--mode", "active")
    new = NewCourse(context.account_id, context.command.repository_id, zone, mode, staff, assistants)
    course = await courses.create(context.conn, new, context.now)
    if course is None:
        raise refusals.course_exists()
    await courses.set_staff(context.conn, course, context.facts.teachers(*course.teams))
    detail = {"timezone": zone, "mode": mode, "staff": course.staff_team, "assistants": course.assistants_team}
    subject = Subject(context.account_id, course_id=course.id)
    await audit.record(context.conn, subject, "course.registered", context.authority.actor, context.now, detail)
    return text.begun(course, context.place.organisation, context.facts.organisation_rulesets)


def _team(context: Context, given: str) -> TeamFact:
    slug = names.team_slug(given, context.place.organisation)
    team = context.facts.teams.get(slug)
    if team is None:
        raise refusals.unknown_team(slug)
    if team.secret:
        raise refusals.secret_team(slug)
    return team


COMMAND = SlashCommand(
    spec=Spec(
        "course init",
        "/course init --timezone Europe/Zurich --staff @org/team [--assistants @org/team] [--mode active|shadow]",
        options=(
            Option("--timezone", required=True),
            Option("--staff", required=True),
            Option("--assistants"),
            Option("--mode", choices=("active", "shadow")),
        ),
    ),
    who="owner",
    where="anywhere",
    does="makes this repository the staff repository of a course",
    run=run,
    needs=needs,
)

"""`/course set`: a course's settings; what is stored as an instant does not move with them."""

from dataclasses import replace
from datetime import timedelta

from bot.model import Needs, Person, TeamFact
from bot.rules import durations, modes, names, zones
from bot.rules.modes import Settings
from bot.slash.command import Context, Place, SlashCommand
from bot.slash.parse.options import Option, Parsed, Spec
from bot.store import audit, checks, courses, enrolments, projects
from bot.store.audit import Subject
from bot.text import refusals
from bot.text import settings as text

NEVER = "never"


def needs(place: Place, parsed: Parsed) -> Needs:
    """The teams as they will be: who teaches is read anew where one of them changes."""
    if place.course is None or not {"--staff", "--assistants"} & set(parsed.options):
        return Needs()
    present = {"--staff": place.course.staff_team, "--assistants": place.course.assistants_team}
    given = {it: names.team_slug(parsed.options[it], place.organisation) for it in present if it in parsed.options}
    return Needs(teams=tuple(slug for slug in (present | given).values() if slug), owners=True)


async def run(context: Context, parsed: Parsed) -> str:
    """Change what is named, all of it or nothing."""
    before = await courses.settings(context.conn, context.course)
    after = _with_teams(context, parsed, _with_spans(parsed, _with_zone(parsed, before)))
    if "--mode" in parsed.options:
        after = await _with_mode(context, parsed, after)
    elif {"--lift", "--keep"} & set(parsed.options):
        raise refusals.needs_mode()
    await courses.change(context.conn, context.course, after)
    if {"--staff", "--assistants"} & set(parsed.options):
        await courses.set_staff(context.conn, context.course, _teachers(context, after))
    if after.mode != before.mode:
        await _follow_mode(context, after)
    subject = Subject(context.account_id, course_id=context.course.id)
    detail = _differences(before, after)
    await audit.record(context.conn, subject, "course.changed", context.authority.actor, context.now, detail)
    return text.changed(before, after, context.place.organisation)


def _teachers(context: Context, settings: Settings) -> list[Person]:
    """Who teaches from now on, each once; other commands of the comment may have asked for other teams."""
    teams = [context.facts.teams.get(slug or "") for slug in (settings.staff_team, settings.assistants_team)]
    people = [*context.facts.owners, *(person for team in teams if team for person in team.members)]
    return list({person.id: person for person in people}.values())


def _differences(before: Settings, after: Settings) -> dict[str, dict[str, str] | str]:
    """For the audit: what changed from what to what, and that a course became active without having been rehearsed."""
    found: dict[str, dict[str, str] | str] = {}
    for name in before.__slots__:
        was, now_is = str(getattr(before, name)), str(getattr(after, name))
        if was != now_is:
            found[name] = {"from": was, "to": now_is}
    if "mode" in found and after.mode == "active":
        found["rehearsal"] = "skipped by an owner"
    return found


def _with_zone(parsed: Parsed, settings: Settings) -> Settings:
    zone = parsed.options.get("--timezone", settings.timezone)
    if not zones.valid_zone(zone):
        raise refusals.unknown_zone(zone)
    return replace(settings, timezone=zone)


def _with_spans(parsed: Parsed, settings: Settings) -> Settings:
    due, escalate = parsed.options.get("--task-due"), parsed.options.get("--escalate-after")
    return replace(
        settings,
        task_due=_span(due) if due else settings.task_due,
        escalate_after=_span(escalate) if escalate else settings.escalate_after,
    )


def _span(given: str) -> timedelta | None:
    if given == NEVER:
        return None
    span = durations.parse(given)
    return timedelta(days=span.days, seconds=span.seconds)


def _with_teams(context: Context, parsed: Parsed, settings: Settings) -> Settings:
    if "--staff" in parsed.options:
        staff = _team(context, parsed.options["--staff"])
        settings = replace(settings, staff_team_id=staff.id, staff_team=staff.slug)
    if "--assistants" in parsed.options:
        assistants = _team(context, parsed.options["--assistants"])
        settings = replace(settings, assistants_team_id=assistants.id, assistants_team=assistants.slug)
    return settings


def _team(context: Context, given: str) -> TeamFact:
    slug = names.team_slug(given, context.place.organisation)
    team = context.facts.teams.get(slug)
    if team is None:
        raise refusals.unknown_team(slug)
    if team.secret:
        raise refusals.secret_team(slug)
    return team


async def _with_mode(context: Context, parsed: Parsed, settings: Settings) -> Settings:
    """The other mode, where it may be entered now. Only an owner decides that."""
    if not context.authority.owner:
        raise refusals.not_allowed("owner", "")
    to = parsed.options["--mode"]
    if to == settings.mode:
        return settings
    if to == "active":
        modes.check_active(
            await projects.all_of_course(context.conn, context.account_id, context.course.id), context.now
        )
        return replace(settings, mode=to, locks_lifted=False)
    lift, keep = "--lift" in parsed.options, "--keep" in parsed.options
    modes.check_shadow(sum((await courses.locks_held(context.conn, context.course)).values()), lift=lift, keep=keep)
    return replace(settings, mode=to, locks_lifted=lift)


async def _follow_mode(context: Context, settings: Settings) -> None:
    if settings.locks_lifted:
        await courses.take_hands_off(context.conn, context.course)
    for project in await projects.all_of_course(context.conn, context.account_id, context.course.id):
        rows = await enrolments.of_project(context.conn, context.account_id, project.id)
        ids = [row.repository_id for row in rows]
        await checks.due_of_repositories(context.conn, context.account_id, project.id, ids)


COMMAND = SlashCommand(
    spec=Spec(
        "course set",
        "/course set [--timezone Z] [--staff @org/team] [--assistants @org/team] "
        "[--mode active|shadow [--lift|--keep]] [--task-due 2d] [--escalate-after 7d]",
        options=(
            Option("--timezone"),
            Option("--staff"),
            Option("--assistants"),
            Option("--mode", choices=("active", "shadow")),
            Option("--lift", takes="nothing"),
            Option("--keep", takes="nothing"),
            Option("--task-due"),
            Option("--escalate-after"),
        ),
    ),
    who="staff",
    where="course",
    does="changes the settings of the course, an owner also its mode; no stored instant moves (`never`: no reminder)",
    run=run,
    needs=needs,
)

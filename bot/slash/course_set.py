"""`/course set`: a course's settings; what is stored as an instant does not move with them."""

from dataclasses import replace
from datetime import timedelta

from bot.model import Needs, TeamFact
from bot.rules import durations, names, zones
from bot.rules.modes import Settings
from bot.slash import settings
from bot.slash.command import Context, Done, Place, SlashCommand
from bot.slash.parse.options import Option, Parsed, Spec
from bot.store import courses
from bot.text import refusals

NEVER = "never"
TEAM_OPTIONS = frozenset({"--staff", "--assistants"})


def needs(place: Place, parsed: Parsed) -> Needs:
    """The teams as they will be, where one changes; and as they are, so that `/undo` may follow in the same comment."""
    if place.course is None or not TEAM_OPTIONS & set(parsed.options):
        return Needs()
    given = [names.team_slug(parsed.options[it], place.organisation) for it in TEAM_OPTIONS & set(parsed.options)]
    return Needs(teams=tuple(dict.fromkeys([*given, *place.course.teams])), owners=True)


async def run(context: Context, parsed: Parsed) -> Done:
    """Change what is named, all of it or nothing."""
    before = await courses.settings(context.conn, context.course)
    after = _with_teams(context, parsed, _with_spans(parsed, _with_zone(parsed, before)))
    if "--mode" in parsed.options:
        after = await _with_mode(context, parsed, after)
    elif {"--lift", "--keep"} & set(parsed.options):
        raise refusals.needs_mode()
    return await settings.change(context, before, after, read_staff=bool(TEAM_OPTIONS & set(parsed.options)))


def _with_zone(parsed: Parsed, present: Settings) -> Settings:
    zone = parsed.options.get("--timezone", present.timezone)
    if not zones.valid_zone(zone):
        raise refusals.unknown_zone(zone)
    return replace(present, timezone=zone)


def _with_spans(parsed: Parsed, present: Settings) -> Settings:
    due, escalate = parsed.options.get("--task-due"), parsed.options.get("--escalate-after")
    return replace(
        present,
        task_due=_span(due) if due else present.task_due,
        escalate_after=_span(escalate) if escalate else present.escalate_after,
    )


def _span(given: str) -> timedelta | None:
    if given == NEVER:
        return None
    span = durations.parse(given)
    return timedelta(days=span.days, seconds=span.seconds)


def _with_teams(context: Context, parsed: Parsed, present: Settings) -> Settings:
    if "--staff" in parsed.options:
        staff = _team(context, parsed.options["--staff"])
        present = replace(present, staff_team_id=staff.id, staff_team=staff.slug)
    if "--assistants" in parsed.options:
        assistants = _team(context, parsed.options["--assistants"])
        present = replace(present, assistants_team_id=assistants.id, assistants_team=assistants.slug)
    return present


def _team(context: Context, given: str) -> TeamFact:
    return settings.team(context, names.team_slug(given, context.place.organisation))


async def _with_mode(context: Context, parsed: Parsed, present: Settings) -> Settings:
    """The other mode, where it may be entered now. Only an owner decides that."""
    if not context.authority.owner:
        raise refusals.not_allowed("owner", "")
    to = parsed.options["--mode"]
    if to == present.mode:
        return present
    lift = "--lift" in parsed.options
    await settings.check_mode(context, to, lift=lift, keep="--keep" in parsed.options)
    return replace(present, mode=to, locks_lifted=to == "shadow" and lift)


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

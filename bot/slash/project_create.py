"""`/project create`: a draft bound to this issue, with the repositories that match its pattern."""

import re

from bot.model import Needs
from bot.rules import deadlines, durations, names, when
from bot.slash import matching
from bot.slash.command import Context, Place, SlashCommand
from bot.slash.parse.options import Option, Parsed, Spec
from bot.store import audit, enrolments, projects
from bot.store.projects import NewProject
from bot.text import projects as text
from bot.text import refusals

GRACE = "30m"
LONGEST_GRACE_SECONDS = 86_400
WORKFLOW = ".github/workflows/grading.yml"
_BRANCH = re.compile(r"(?![-/.])[^\s~^:?*\[\\,]{1,200}(?<![/.])")
_WORKFLOW = re.compile(r"\.github/workflows/[\w.-]+\.ya?ml")


def needs(place: Place, parsed: Parsed) -> Needs:
    """The repositories that match, with their students, and who teaches today."""
    teams = place.course.teams if place.course else ()
    return Needs(teams=teams, owners=True, repositories=(parsed.options["--repos"],))


async def run(context: Context, parsed: Parsed) -> str:
    """Write the draft and enrol what matches now."""
    new = await _read(context, parsed)
    matched = await matching.match(context, [new.repository_glob])
    project = await projects.create(context.conn, new, context.now)
    await matching.record(context, matched)
    ids = [fact.id for fact in matched.enrolled]
    await enrolments.enrol(context.conn, project, ids, context.now)
    detail = {"slug": new.slug, "deadline": new.deadline.at.isoformat(), "repositories": ids}
    actor = context.authority.actor
    await audit.record(context.conn, projects.subject(project), "project.created", actor, context.now, detail)
    return text.drafted(project, context.course.timezone, context.now, matched)


async def _read(context: Context, parsed: Parsed) -> NewProject:
    """The options as values. Raises Told for each that cannot be."""
    zone = context.course.timezone
    slug = names.check_slug(parsed.words[0])
    number = context.command.issue_number
    clash = await projects.clashing(context.conn, context.account_id, context.course.id, number, slug)
    if clash is not None:
        raise refusals.project_exists(*clash, here=clash[1] == number)
    deadline = when.parse(parsed.options["--deadline"], zone=zone, now=context.now, base=None)
    if deadlines.has_come(deadline.at, context.now):
        raise refusals.in_the_past(deadline.at, zone)
    opens = parsed.options.get("--opens")
    opens_at = when.parse(opens, zone=zone, now=context.now, base=None).at if opens else None
    if opens_at is not None and opens_at >= deadline.at:
        raise refusals.opens_after_deadline()
    return NewProject(
        account_id=context.account_id,
        course_id=context.course.id,
        issue_number=number,
        slug=slug,
        deadline=deadline,
        opens_at=opens_at,
        grace_seconds=_grace(parsed.options.get("--grace", GRACE)),
        strategy=parsed.options.get("--strategy", "lock"),
        branches=_branches(parsed.options.get("--branches", "")),
        repository_glob=parsed.options["--repos"],
        grading=parsed.options.get("--grading", "auto"),
        workflow=_workflow(parsed.options.get("--workflow", WORKFLOW)),
    )


def _grace(given: str) -> int:
    seconds = durations.exact_seconds(durations.parse(given))
    if not 0 <= seconds <= LONGEST_GRACE_SECONDS:
        raise refusals.grace_out_of_range()
    return seconds


def _branches(given: str) -> list[str]:
    branches = [name for name in given.split(",") if name]
    for name in branches:
        if not _BRANCH.fullmatch(name):
            raise refusals.not_a_branch(name)
    return branches


def _workflow(given: str) -> str:
    if not _WORKFLOW.fullmatch(given):
        raise refusals.not_a_workflow(given)
    return given


COMMAND = SlashCommand(
    spec=Spec(
        "project create",
        "/project create SLUG --deadline WHEN --repos GLOB [--opens WHEN] [--grace 30m] "
        "[--strategy lock|commit] [--branches a,b] [--grading auto|none] [--workflow PATH]",
        least=1,
        most=1,
        options=(
            Option("--deadline", takes="words", required=True),
            Option("--repos", required=True),
            Option("--opens", takes="words"),
            Option("--grace"),
            Option("--strategy", choices=("lock", "commit")),
            Option("--branches"),
            Option("--grading", choices=("auto", "none")),
            Option("--workflow"),
        ),
    ),
    who="staff",
    where="course",
    does="drafts a project in this issue and enrols the repositories that match, now and until its deadline",
    run=run,
    needs=needs,
)

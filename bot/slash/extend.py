"""`/extend`: a repository's own deadline, absolute once read; `none` lets it follow the project again."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from bot.model import Enrolment, Project
from bot.rules import deadlines, names, when
from bot.rules.inverses import OwnDeadline
from bot.slash import moving
from bot.slash.command import Context, Done, SlashCommand
from bot.slash.moving import NONE
from bot.slash.parse.options import Option, Parsed, Spec
from bot.store import enrolments, projects
from bot.text import projects as text
from bot.text import refusals
from bot.text.projects import Extension


async def run(context: Context, parsed: Parsed) -> Done:
    """Set the deadlines, each read from that repository's own effective one, and settle what follows."""
    project = await projects.hold(context.conn, context.account_id, context.project.id)
    who, time = _split(context, project, parsed.words)
    chosen = names.select(who, await context.enrolments())
    present = await enrolments.own_deadlines(context.conn, project, [row.repository_id for row in chosen])
    own = {row.repository_id: _own(context, row, time, parsed.options.get("--reason")) for row in chosen}
    return await give(context, project, chosen, {key: _keeping(given, present[key]) for key, given in own.items()})


async def give(context: Context, project: Project, chosen: Sequence[Enrolment], own: Mapping[int, OwnDeadline]) -> Done:
    """Give `chosen` of a held project these own deadlines. Raises Told where one of a draft has passed."""
    zone = context.course.timezone
    for deadline in own.values():
        if project.state == "draft" and deadline.when and deadlines.has_come(deadline.when.at, context.now):
            raise refusals.in_the_past(deadline.when.at, zone)
    reopened, inverse = await moving.move_repositories(context, project, chosen, own)
    moved = {move.repository_id for move in inverse.moves}
    extensions = [
        Extension(row, _closes(project, own[key]), moved=key in moved, reopened=key in reopened)
        for key, row in ((row.repository_id, row) for row in chosen)
    ]
    return Done(text.extended(extensions, zone, context.now, locks=text.locks(project)), inverse)


def _closes(project: Project, own: OwnDeadline) -> datetime:
    return deadlines.effective(own.when.at if own.when else None, project.deadline_at)


def _split(context: Context, project: Project, words: list[str]) -> tuple[list[str], str]:
    """The words that say who, and the text that says when."""
    if words[-1].casefold() == NONE:
        return words[:-1], NONE
    # A distance counts from each repository's own deadline: what it would be from the project's is of no account.
    if when.is_distance(words[-1]):
        return words[:-1], words[-1]
    base = context.reading.deadline_of(project)
    who, _ = when.split(words, zone=context.course.timezone, now=context.reading.at, base=base)
    return who, " ".join(words[len(who) :])


def _own(context: Context, row: Enrolment, time: str, reason: str | None) -> OwnDeadline:
    if time == NONE:
        return OwnDeadline(None, reason)
    base = context.reading.effective_of(row)
    read = when.parse(time, zone=context.course.timezone, now=context.reading.at, base=base)
    return OwnDeadline(read, reason)


def _keeping(given: OwnDeadline, present: OwnDeadline) -> OwnDeadline:
    """The same time given again without a reason leaves the reason that it was given for."""
    return present if given.reason is None and given.is_at(present) else given


COMMAND = SlashCommand(
    spec=Spec(
        "extend",
        "/extend WHO… WHEN [--reason TEXT]",
        least=2,
        most=None,
        options=(Option("--reason", takes="words"),),
    ),
    who="assistants",
    where="project",
    does="gives repositories their own deadline (`none`: the project's again); a closed one opens again",
    run=run,
)

"""`/extend`: a repository's own deadline, absolute once read; `none` lets it follow the project again."""

from collections.abc import Sequence

from bot.model import Enrolment, Project
from bot.rules import names, when
from bot.rules.when import When
from bot.slash import moving
from bot.slash.command import Context, SlashCommand
from bot.slash.parse.options import Option, Parsed, Spec
from bot.store import audit, enrolments, projects
from bot.store.enrolments import OwnDeadline
from bot.text import projects as text
from bot.text import refusals

NONE = "none"


async def run(context: Context, parsed: Parsed) -> str:
    """Set the deadlines, each read from that repository's own effective one, and settle what follows."""
    project = await projects.hold(context.conn, context.account_id, context.project.id)
    rows = await context.enrolments()
    who, time = _split(context, project, parsed.words)
    chosen = names.select(who, rows)
    changed = [(row, _own(context, row, time)) for row in chosen]
    reason = parsed.options.get("--reason")
    for row, own in changed:
        await enrolments.set_own_deadline(context.conn, project, [row.repository_id], OwnDeadline(own, reason))
    await _audit(context, project, changed, reason)
    reopened = await moving.settle(context, project, [row.repository_id for row in chosen])
    said = [(row, own.at if own else project.deadline_at) for row, own in changed]
    return text.extended(said, context.course.timezone, reopened)


def _split(context: Context, project: Project, words: list[str]) -> tuple[list[str], str]:
    """The words that say who, and the text that says when."""
    if words[-1].casefold() == NONE:
        return words[:-1], NONE
    who, _ = when.split(words, zone=context.course.timezone, now=context.now, base=project.deadline_at)
    return who, " ".join(words[len(who) :])


def _own(context: Context, row: Enrolment, time: str) -> When | None:
    if time == NONE:
        return None
    zone = context.course.timezone
    own = when.parse(time, zone=zone, now=context.now, base=row.effective_at)
    if own.at <= context.now:
        raise refusals.in_the_past(own.at, zone)
    return own


async def _audit(
    context: Context, project: Project, changed: Sequence[tuple[Enrolment, When | None]], reason: str | None
) -> None:
    details = {
        row.repository_id: {
            "from": row.effective_at.isoformat(),
            "to": own.at.isoformat() if own else NONE,
            "reason": reason,
        }
        for row, own in changed
    }
    subject, actor = projects.subject(project), context.authority.actor
    await audit.record_each(context.conn, subject, "repository.deadline_moved", actor, context.now, details)


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

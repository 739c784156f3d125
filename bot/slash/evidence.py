"""`/evidence`: the pushes of repositories in order, with every time held of them; for students of their own."""

from bot.model import Enrolment
from bot.rules import names
from bot.rules.pushes import PartFacts, PushFacts, ReplacedVerdict
from bot.slash import admission
from bot.slash.command import Context, SlashCommand
from bot.slash.parse.options import Parsed, Spec
from bot.store import pushes
from bot.text import evidence as text
from bot.text import refusals
from bot.text.evidence import Reader, Record

MOST = 10
"""Repositories or, in a student's repository, projects in one answer."""


async def run(context: Context, parsed: Parsed) -> str:
    """Read everything from the database at this instant."""
    account_id, own = context.account_id, context.place.student_repository
    if own:
        admission.check_own(context, parsed.words)
        parts = await pushes.parts(context.conn, account_id, [context.command.repository_id])
        # The last to close is the one that is asked about.
        parts = parts[-MOST:]
    else:
        chosen = _chosen(parsed.words, await context.enrolments())
        parts = await pushes.parts(context.conn, account_id, chosen, context.project.id)
    records = await _records(context, parts)
    return text.evidence(records, Reader(context.now, staff=not own))


def _chosen(who: list[str], rows: list[Enrolment]) -> list[int]:
    """The repositories that are meant; without WHO all, where they are few. Raises Told for too many."""
    if not who and len(rows) > MOST:
        raise refusals.needs_who("evidence", len(rows), MOST)
    chosen = names.select(who or ["all"], rows)
    if len(chosen) > MOST:
        raise refusals.too_many([row.name for row in chosen], MOST)
    return [row.repository_id for row in chosen]


async def _records(context: Context, parts: list[PartFacts]) -> list[Record]:
    heard = await pushes.heard(context.conn, context.account_id, parts)
    replaced = await pushes.replaced(context.conn, context.account_id, parts)
    return [
        Record(
            part,
            [push for push in heard if _key(push) == _key(part)],
            [verdict for verdict in replaced if _key(verdict) == _key(part)],
        )
        for part in parts
    ]


def _key(row: PartFacts | PushFacts | ReplacedVerdict) -> tuple[int, int]:
    return row.project_id, row.repository_id


COMMAND = SlashCommand(
    spec=Spec("evidence", "/evidence [WHO…]", most=None),
    who="assistants",
    where="project",
    does="shows each push of WHO with every time held, who pushed, and the verdict with its reason",
    run=run,
    previewed=False,
    of_students=True,
)

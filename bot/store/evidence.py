"""What follows from a push that was heard of, by whatever witness: whose it is, what it changes, what is to be asked.

The same for a webhook, the log of deliveries and GitHub's activity (docs/design.md sections 2 and 3).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from bot.model import GITHUB
from bot.store import activities, audit, checks, enrolments, past_verdicts, receipts
from bot.store.audit import Subject
from bot.store.past_verdicts import Why
from bot.store.receipts import Heard
from bot.store.records import Conn


@dataclass(frozen=True, slots=True)
class Witness:
    """Who told it, by name; `recovered` where it was asked for and did not come by its own webhook."""

    name: str
    recovered: bool
    app_login: str


async def follow(
    conn: Conn, repository: tuple[int, int], heard: Sequence[tuple[str, Heard]], witness: Witness, now: datetime
) -> None:
    """Judge a repository (its account and id) again after pushes were heard of, each by its head.

    Its parts are held by the caller, from before the receipts were written: a tick that applies the deadline meanwhile
    then skips the repository and cannot be caught in between.
    """
    account_id, repository_id = repository
    heads = sorted({sha for sha, _ in heard})
    await receipts.classify(conn, account_id, [repository_id], witness.app_login, heads)
    subject = Subject(account_id, repository_id=repository_id)
    for sha, it in heard:
        if _is_addition(it, witness):
            detail = {
                "sha": sha,
                "witness": witness.name,
                "news": it.news,
                "from": it.was.isoformat() if it.was else None,
                "to": it.becomes.isoformat(),
            }
            await audit.record(conn, subject, "evidence.added", GITHUB, now, detail)
    changed = [(sha, it) for sha, it in heard if it.was != it.becomes]
    settled = await enrolments.settle_by_evidence(conn, repository, changed)
    await past_verdicts.keep_of_evidence(conn, repository, changed, settled, Why(witness.name, now))
    for stood in settled:
        detail = {"by": witness.name, "submission": stood.sha}
        judged = Subject(account_id, project_id=stood.project_id, repository_id=repository_id)
        await audit.record(conn, judged, "repository.judged_again", GITHUB, now, detail)
    # A run may have been read before its push was understood.
    await enrolments.reselect(conn, account_id, [repository_id], now)
    await checks.due(conn, account_id, repository_id, heads)
    if settled:
        await checks.due_of_repositories(conn, account_id, None, [repository_id])
    await activities.due_where_asked(conn, account_id, [repository_id])


def _is_addition(heard: Heard, witness: Witness) -> bool:
    """Whether a receipt gained a time, or exists by a witness alone that was asked."""
    return heard.news in {"added", "earlier"} or (witness.recovered and heard.news in {"new", "returned"})

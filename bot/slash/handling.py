"""The staff's hand, for `/lock` and `/unlock` alike."""

from collections.abc import Sequence
from datetime import datetime

from bot.model import Enrolment
from bot.rules import names
from bot.rules.inverses import HandMoves
from bot.slash.command import Context, Done
from bot.store import audit, hands, projects
from bot.text import hands as text
from bot.text import refusals


async def set_hand(context: Context, who: Sequence[str], *, lock: bool, until: datetime | None) -> Done:
    """Store the hand where it differs from what the deadline alone holds, and say what follows for each repository."""
    project = await projects.hold(context.conn, context.account_id, context.project.id)
    if project.state == "draft":
        raise refusals.draft_has_no_locks()
    chosen = names.select(who, await context.enrolments())
    shadow = context.course.mode == "shadow"
    # No rule speaks of what cannot be reached, and the hand on it stays for when it comes back. A course in shadow mode
    # closes and opens nothing, not even what another course shares with it.
    here = [] if shadow else [row for row in chosen if not row.gone_at]
    ids = [row.repository_id for row in here]
    laid = await hands.set_hand(context.conn, context.account_id, ids, lock, until, context.now)
    action = "repository.locked_by_hand" if lock else "repository.unlocked_by_hand"
    ends = until.isoformat() if until else None
    details = {row.repository_id: {"until": ends, "stored": laid[row.repository_id].move.left.lock} for row in here}
    actor = context.authority.actor
    await audit.record_each(context.conn, projects.subject(project), action, actor, context.now, details)
    outcomes = [_outcome(row, laid.get(row.repository_id)) for row in chosen]
    asked = text.Asked(lock, until, locks=project.strategy == "lock", shadow=shadow)
    said = text.by_hand(outcomes, asked, context.course.timezone, context.now)
    return Done(said, HandMoves([laid[key].move for key in ids]))


def _outcome(row: Enrolment, laid: hands.Laid | None) -> text.Outcome:
    if laid is None:
        return text.Outcome(row)
    return text.Outcome(row, laid.move.left.lock, laid.move.before.lock, laid.closes)

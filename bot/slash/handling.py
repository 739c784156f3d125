"""The staff's hand, for `/lock` and `/unlock` alike."""

from collections.abc import Sequence
from datetime import datetime

from bot.model import Enrolment
from bot.rules import names
from bot.rules.inverses import Hand, HandMove, HandMoves
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
    # No rule speaks of what cannot be reached, and the hand on it stays for when it comes back.
    here = [row for row in chosen if not row.gone_at]
    stored = await hands.set_hand(context.conn, context.account_id, [row.repository_id for row in here], lock, until)
    action = "repository.locked_by_hand" if lock else "repository.unlocked_by_hand"
    ends = until.isoformat() if until else None
    details = {row.repository_id: {"until": ends, "stored": stored[row.repository_id]} for row in here}
    actor = context.authority.actor
    await audit.record_each(context.conn, projects.subject(project), action, actor, context.now, details)
    said = text.by_hand(chosen, text.Hand(lock, until, stored), context.course.timezone, context.now)
    return Done(said, HandMoves([_move(row, stored[row.repository_id], until) for row in here]))


def _move(row: Enrolment, lock: bool | None, until: datetime | None) -> HandMove:
    left = Hand(lock, until if lock is not None else None)
    return HandMove(row.repository_id, left, Hand(row.staff_lock, row.staff_lock_until))

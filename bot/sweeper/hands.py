"""Unlocks by hand end when their `--until` has come: the deadline decides again (docs/design.md section 4)."""

from bot.model import CLOCK
from bot.store import audit, hands
from bot.store.audit import Subject
from bot.sweeper.tick import Claimed, Tick


async def claim(tick: Tick) -> Claimed:
    """One statement; the lock follows by what is wanted then."""
    for account_id, repository_id in await hands.end_due(tick.conn, tick.now):
        subject = Subject(account_id, repository_id=repository_id)
        await audit.record(tick.conn, subject, "repository.hand_ended", CLOCK, tick.now)
    return []

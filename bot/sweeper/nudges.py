"""What the staff have left lying until it is nearly too late: said once per visit of a state (section 8)."""

from bot.store import nudges, outbox, projects
from bot.sweeper.tick import Claimed, Tick


async def claim(tick: Tick) -> Claimed:
    """Claim the nudge and write the words in the same transaction; nothing else changes."""
    for account_id, project_id, staff_repository in await nudges.claim_drafts(tick.conn, tick.now):
        project = await projects.by_id(tick.conn, account_id, project_id)
        if project is not None:
            await outbox.write_nudge(tick.conn, project, staff_repository, tick.now)
    return []

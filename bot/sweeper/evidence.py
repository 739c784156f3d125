"""Once after each deadline GitHub is asked for its own list of pushes (docs/design.md sections 3 and 4)."""

from bot.store import activities
from bot.sweeper.tick import Claimed, Tick


async def claim(tick: Tick) -> Claimed:
    """Have the activity read of the repositories whose definitive freeze waits for it."""
    await activities.due_of_deadlines(tick.conn, tick.now)
    return []

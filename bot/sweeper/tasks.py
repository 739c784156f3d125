"""What waits for a person: opened and closed with its cause, reminded of and escalated in time (section 9)."""

from bot import metrics
from bot.store import tasks
from bot.sweeper.tick import Claimed, Tick


async def claim(tick: Tick) -> Claimed:
    """One process at a time compares tasks with their causes; what is overdue is swept by the full minute."""
    if await tasks.elect(tick.conn):
        await tasks.follow_causes(tick.conn, tick.now)
    await tasks.sweep_overdue(tick.conn, tick.now)
    metrics.set_tasks_open(await tasks.counts(tick.conn))
    return []

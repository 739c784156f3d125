"""What is done in the background, each piece by its own period: only this can be paused (docs/design.md section 9)."""

from collections.abc import Awaitable, Callable, Mapping
from datetime import timedelta

from bot import log
from bot.store import delivery_logs, reconciliations, scheduled_tasks
from bot.sweeper.tick import Claimed, Tick

BODIES_KEPT = timedelta(days=30)
PURGED_AT_ONCE = 5_000
OUTAGES_KEPT = timedelta(days=365)

Piece = Callable[[Tick], Awaitable[int]]

PIECES: Mapping[str, Piece] = {
    "purge deliveries": lambda tick: scheduled_tasks.purge_deliveries(
        tick.conn, tick.now - BODIES_KEPT, PURGED_AT_ONCE
    ),
    "forget processes": lambda tick: scheduled_tasks.forget_processes(tick.conn, tick.holder),
    "read installations": lambda tick: scheduled_tasks.read_installations(tick.conn),
    "read deliveries": lambda tick: delivery_logs.due(tick.conn),
    "read runs": lambda tick: reconciliations.mark(tick.conn, tick.now),
    "forget confirmations": lambda tick: scheduled_tasks.forget_confirmations(tick.conn),
    "forget board news": lambda tick: scheduled_tasks.forget_board_news(tick.conn),
    "forget outages": lambda tick: scheduled_tasks.forget_outages(tick.conn, tick.now - OUTAGES_KEPT),
}


async def claim(tick: Tick) -> Claimed:
    """Do what is due: SQL alone, or a mark that has a job do it."""
    due = await scheduled_tasks.due(tick.conn, tick.now)
    for name in sorted(due & PIECES.keys()):
        piece = PIECES[name]
        if await scheduled_tasks.claim(tick.conn, name, tick.now):
            await scheduled_tasks.finish(tick.conn, name, tick.now, await _outcome(tick, name, piece))
    return []


async def _outcome(tick: Tick, name: str, piece: Piece) -> str:
    """In a savepoint: what fails is tried again when its period is over, and does not stop the others."""
    try:
        async with tick.conn.transaction():
            count = await piece(tick)
    except Exception as error:
        log.get().exception("housekeeping failed", action="housekeeping.failed", task=name)
        return f"failed: {type(error).__name__}"
    return f"done: {count}"

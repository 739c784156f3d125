"""The heartbeat of a process, on a connection of its own: without it for 30 s its leases are free (section 5)."""

import asyncio
from collections.abc import Callable
from datetime import datetime
from uuid import UUID

import asyncpg

from bot import log, metrics
from bot.config import ConfigError
from bot.rules.skew import by_clock
from bot.store import processes
from bot.store.pool import open_connection
from bot.store.records import Conn

BEAT_SECONDS = 2.0
BEAT_TIMEOUT_SECONDS = 10.0

Clocks = Callable[[], tuple[datetime, datetime | None]]
"""What the process's clock shows, and GitHub's once it has answered (UTC)."""


async def beat_for_ever(dsn: str, process_id: UUID, role: str, clocks: Clocks) -> None:
    """Beat every two seconds; a lost connection is opened again. The pool's other users cannot delay it."""
    while True:
        try:
            async with open_connection(dsn) as conn:
                while True:
                    async with asyncio.timeout(BEAT_TIMEOUT_SECONDS):
                        await beat(conn, process_id, role, clocks)
                    await asyncio.sleep(BEAT_SECONDS)
        except (ConfigError, OSError, TimeoutError, asyncpg.PostgresError, asyncpg.InterfaceError) as error:
            log.get().warning("heartbeat failed", action="process.heartbeat_failed", error=str(error))
            await asyncio.sleep(BEAT_SECONDS)


async def beat(conn: Conn, process_id: UUID, role: str, clocks: Clocks) -> None:
    """Beat once, and measure the clocks by it.

    A machine that slept for days finds its process forgotten: without its row, no lease would hold.
    """
    standing = await processes.beat(conn, process_id, *clocks())
    if standing is None:
        await processes.begin(conn, process_id, role)
        return
    for clock, skew in by_clock([standing]).items():
        metrics.clock_skew_seconds.labels(clock=clock).set(skew.total_seconds())

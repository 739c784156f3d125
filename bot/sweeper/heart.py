"""The heartbeat of a process, on a connection of its own: without it for 30 s its leases are free (section 5)."""

import asyncio
from uuid import UUID

import asyncpg

from bot import log
from bot.config import ConfigError
from bot.store import processes
from bot.store.pool import open_connection
from bot.store.records import Conn

BEAT_SECONDS = 2.0
BEAT_TIMEOUT_SECONDS = 10.0


async def beat_for_ever(dsn: str, process_id: UUID, role: str) -> None:
    """Beat every two seconds; a lost connection is opened again. The pool's other users cannot delay it."""
    while True:
        try:
            async with open_connection(dsn) as conn:
                while True:
                    async with asyncio.timeout(BEAT_TIMEOUT_SECONDS):
                        await beat(conn, process_id, role)
                    await asyncio.sleep(BEAT_SECONDS)
        except (ConfigError, OSError, TimeoutError, asyncpg.PostgresError, asyncpg.InterfaceError) as error:
            log.get().warning("heartbeat failed", action="process.heartbeat_failed", error=str(error))
            await asyncio.sleep(BEAT_SECONDS)


async def beat(conn: Conn, process_id: UUID, role: str) -> None:
    """Beat once. A machine that slept for days finds its process forgotten: without its row, no lease would hold."""
    if not await processes.beat(conn, process_id):
        await processes.begin(conn, process_id, role)

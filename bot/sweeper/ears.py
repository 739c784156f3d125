"""Listen, on a connection of its own, for mail that another process stored; the tick is the net for what is missed."""

import asyncio
from collections.abc import Callable

import asyncpg

from bot import log
from bot.config import ConfigError
from bot.store.pool import open_connection

CHANNEL = "pencils_down_mail"
AGAIN_SECONDS = 2.0


async def listen_for_ever(dsn: str, heard: Callable[[], None]) -> None:
    """Call `heard` for each word of new mail, and once whenever listening begins again: some may have been missed."""
    while True:
        try:
            async with open_connection(dsn) as conn:
                lost = asyncio.Event()
                conn.add_termination_listener(lambda _conn, lost=lost: lost.set())
                await conn.add_listener(CHANNEL, lambda *_word: heard())
                heard()
                await lost.wait()
        except (ConfigError, OSError, TimeoutError, asyncpg.PostgresError, asyncpg.InterfaceError) as error:
            log.get().warning("not listening", action="process.not_listening", error=str(error))
        await asyncio.sleep(AGAIN_SECONDS)

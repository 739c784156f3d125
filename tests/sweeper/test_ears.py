"""Words of new mail between processes."""

import asyncio
from uuid import uuid4

from bot.store import deliveries
from bot.store.deliveries import Arrival
from bot.store.records import Conn
from bot.sweeper import ears

PATIENCE_SECONDS = 10.0


class Listener:
    """Counts what it hears, and lets a test wait for the next word."""

    def __init__(self) -> None:
        self.word = asyncio.Event()

    async def next(self) -> None:
        await asyncio.wait_for(self.word.wait(), PATIENCE_SECONDS)
        self.word.clear()


async def store(conn: Conn) -> None:
    await deliveries.record(conn, Arrival(1, uuid4(), "ping", None, None, None, b"{}", None), 0.0)


async def test_a_delivery_stored_by_another_process_is_heard_at_once(dsn: str, conn: Conn) -> None:
    listener = Listener()
    task = asyncio.create_task(ears.listen_for_ever(dsn, listener.word.set))
    await listener.next()

    await store(conn)
    await listener.next()

    task.cancel()


async def test_listening_begins_again_after_its_connection_was_lost(dsn: str, conn: Conn) -> None:
    listener = Listener()
    task = asyncio.create_task(ears.listen_for_ever(dsn, listener.word.set))
    await listener.next()

    await conn.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN %'")
    await listener.next()
    await store(conn)
    await listener.next()

    task.cancel()

"""Races are held with two sessions: the first keeps its transaction open, the second is seen to wait or to pass."""

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

from bot.store.records import Conn

T = TypeVar("T")
PATIENCE_SECONDS = 20.0


async def beside(watcher: Conn, session: Conn, work: Coroutine[Any, Any, T]) -> "asyncio.Task[T]":
    """Begin `work` on `session`, and return once it has ended or waits for a lock; `watcher` looks on."""
    task = asyncio.create_task(work)
    async with asyncio.timeout(PATIENCE_SECONDS):
        while not task.done() and not await _waits(watcher, session.get_server_pid()):
            pass
    return task


async def _waits(watcher: Conn, process_id: int) -> bool:
    waiting: bool = await watcher.fetchval(
        "SELECT EXISTS (SELECT FROM pg_locks WHERE pid = $1 AND NOT granted)", process_id
    )
    return waiting

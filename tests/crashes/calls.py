"""Waiting for something that GitHub is asked to do, without looking at a clock."""

import asyncio
from collections.abc import Callable

from sandbox.request import Answer
from sandbox.world import World
from tests.crashes.process import PATIENCE_SECONDS


class Calls:
    """Hears every call that the sandbox answers, and passes it on to whoever listened before."""

    def __init__(self, world: World) -> None:
        self._called = asyncio.Event()
        self._before = world.witness
        world.witness = self._hear

    async def until(self, holds: Callable[[], bool]) -> None:
        """Wait until something holds, looking anew after each call. Raises TimeoutError."""
        async with asyncio.timeout(PATIENCE_SECONDS):
            while not holds():
                self._called.clear()
                await self._called.wait()

    def _hear(self, method: str, route: str, answer: Answer) -> None:
        if self._before is not None:
            self._before(method, route, answer)
        # The effect of the call that is heard is done; its record is written before the waiting task goes on.
        self._called.set()

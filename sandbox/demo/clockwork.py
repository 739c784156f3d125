"""The course's time: it runs as time does, and jumps over the hours in which nothing happens."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import datetime

from sandbox.clock import Clock
from sandbox.demo.remote import Remote


class Clockwork:
    """Moves GitHub's clock and the database's together, to within the time of one statement (milliseconds).

    The database's is set second and so lags, if at all: nothing it does at a deadline can be early on GitHub.
    """

    def __init__(self, remote: Remote, set_database: Callable[[datetime], Awaitable[None]]) -> None:
        self._clock = Clock()
        self._remote = remote
        self._set_database = set_database

    def now(self) -> datetime:
        """The course's time, UTC, as GitHub's clock shows it."""
        return self._clock.now()

    async def jump(self, to: datetime) -> None:
        """Let time run on from `to`. Not to be used near an instant at which something is due."""
        by = to - self._clock.now()
        self._clock.shift(by)
        await self._remote.post("/clock", shift_seconds=by.total_seconds())
        await self._set_database(self._clock.now())

    async def reach(self, moment: datetime) -> None:
        """Wait for `moment` in real time."""
        await asyncio.sleep(max(0.0, (moment - self._clock.now()).total_seconds()))

"""The tick: every task claims in a transaction of its own, on the database's clock; no call to GitHub, no waiting.

Any number of processes may tick at once, and a tick that was missed is made up for by the next one: each claim is one
conditional statement over what is due (docs/design.md section 2).
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from uuid import UUID

import asyncpg

from bot import failpoints, log, metrics
from bot.store import clock, delivery_logs, projects
from bot.sweeper import deadlines, evidence, freezes, hands, housekeeping, nudges, openings, outages, tasks, work
from bot.sweeper.tick import Claimed, Tick

Task = Callable[[Tick], Awaitable[Claimed]]

TICK_SECONDS = 1.0
"""The longest time between two ticks; a due instant before that wakes the next one."""

TASKS: Mapping[str, Task] = {
    "deadlines": deadlines.claim,
    "hands": hands.claim,
    "openings": openings.claim,
    "outages": outages.claim,
    "evidence": evidence.claim,
    "freezes": freezes.claim,
    "tasks": tasks.claim,
    "nudges": nudges.claim,
    "housekeeping": housekeeping.claim,
} | {kind: work.claim_of(kind) for kind in work.TAKE}


@dataclass(frozen=True, slots=True)
class Ticker:
    """One per process."""

    pool: "asyncpg.Pool[asyncpg.Record]"
    holder: UUID
    lease_seconds: int
    stumbled: asyncio.Event = field(default_factory=asyncio.Event)
    """A task failed: what it claimed may have been written all the same."""
    lost: asyncio.Event = field(default_factory=asyncio.Event)
    """The webhook could not store a delivery: GitHub's log has it, and is read once the database answers again."""

    async def tick(self, free: Mapping[str, int]) -> Claimed:
        """Run every task once and return the leases taken. One task's failure does not stop the others."""
        begun = time.monotonic()
        await self._see_to_losses()
        claimed: Claimed = []
        waiting = list(TASKS.items())[::-1]
        while waiting:
            name, task = waiting.pop()
            try:
                # One connection and one instant for all, until a task fails: it may have taken the connection with it.
                async with self.pool.acquire() as conn:
                    tick = Tick(conn, await clock.now(conn), self.holder, self.lease_seconds, free)
                    claimed += await _turn(tick, name, task)
                    while waiting:
                        name, task = waiting.pop()
                        claimed += await _turn(tick, name, task)
            except Exception:
                log.get().exception("task failed", action="tick.failed", task=name)
                self.stumbled.set()
        metrics.tick_seconds.observe(time.monotonic() - begun)
        return claimed

    async def _see_to_losses(self) -> None:
        """Before any task: what was lost may be what a freeze must wait for. Raises while the database is away."""
        if not self.lost.is_set():
            return
        # Forgotten before it is seen to: what is lost meanwhile says so again.
        self.lost.clear()
        try:
            async with self.pool.acquire() as conn:
                await delivery_logs.due(conn)
        except Exception:
            self.lost.set()
            raise

    async def seconds_to_next(self) -> float:
        """How long the clock may rest: until the next due instant, a second at most."""
        async with self.pool.acquire() as conn:
            now = await clock.now(conn)
            due = await projects.next_due(conn, now)
        if due is None:
            return TICK_SECONDS
        return min(TICK_SECONDS, max(0.0, (due - now).total_seconds()))


async def _turn(tick: Tick, name: str, task: Task) -> Claimed:
    async with tick.conn.transaction():
        leases = await task(tick)
    failpoints.reach(f"{name}.committed")
    return leases

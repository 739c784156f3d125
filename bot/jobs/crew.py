"""The hands of a process: leases handed over by the sweeper are worked on as tasks beside the tick."""

import asyncio
from collections import Counter
from collections.abc import Mapping

from bot import log
from bot.jobs.desk import Desk
from bot.jobs.frame import run_leased
from bot.jobs.registry import AT_ONCE, JOBS
from bot.store.leases import Lease


class Crew:
    """Takes leases until it is closed; closing lets what is under way finish."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._busy: Counter[str] = Counter()
        self._tasks: set[asyncio.Task[None]] = set()
        self._open = True

    def free(self) -> Mapping[str, int]:
        """How many more leases of each kind can be worked on; none while the crew is closed."""
        if not self._open:
            return {}
        return {kind: most - self._busy[kind] for kind, most in AT_ONCE.items() if most > self._busy[kind]}

    def submit(self, lease: Lease) -> None:
        """Work on it now."""
        self._busy[lease.kind] += 1
        task = asyncio.create_task(run_leased(self._desk, lease, JOBS[lease.kind]), name=f"{lease.kind}:{lease.key}")
        self._tasks.add(task)
        task.add_done_callback(lambda done: self._ended(lease, done))

    async def idle(self) -> None:
        """Wait until nothing is under way."""
        while self._tasks:
            await asyncio.wait(set(self._tasks))

    async def close(self, patience_seconds: float) -> None:
        """Start nothing more and finish the calls in hand; what takes longer keeps its lease until that runs out."""
        self._open = False
        if self._tasks:
            _, late = await asyncio.wait(set(self._tasks), timeout=patience_seconds)
            for task in late:
                log.get().warning("job cut short", action="job.cut_short", job=task.get_name())
                task.cancel()

    def _ended(self, lease: Lease, task: "asyncio.Task[None]") -> None:
        self._busy[lease.kind] -= 1
        self._tasks.discard(task)

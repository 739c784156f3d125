"""The hands of a process: leases handed over by the sweeper are worked on as tasks beside the tick."""

import asyncio
from collections.abc import Mapping

from bot import log
from bot.jobs.desk import Desk
from bot.jobs.frame import run_leased
from bot.jobs.registry import AT_ONCE, JOBS
from bot.store import leases
from bot.store.leases import Lease

LAST_SECONDS = 3.0
"""How long jobs that are cut short may take to say what they know: which review was certainly not asked for."""


class Crew:
    """Takes leases until it is closed; closing lets what is under way finish."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._at_work: dict[str, set[int]] = {kind: set() for kind in JOBS}
        self._tasks: set[asyncio.Task[None]] = set()
        self._open = True

    def free(self) -> Mapping[str, int]:
        """How many more leases of each kind can be worked on; none while the crew is closed."""
        if not self._open:
            return {}
        free = {kind: most - len(self._at_work[kind]) for kind, most in AT_ONCE.items()}
        return {kind: hands for kind, hands in free.items() if hands > 0}

    async def release_strays(self) -> None:
        """Free the leases of this process that nobody here works on (docs/design.md section 5).

        A claim, or the end of a job, may be written while the connection that would say so is lost: the process lives
        and would keep such a lease until it runs out. Called between two ticks, when every claim has been handed over.
        """
        async with self._desk.pool.acquire() as conn:
            for kind, keys in self._at_work.items():
                if strays := await leases.release_strays(conn, self._desk.process_id, kind, list(keys)):
                    log.get().warning("stray leases freed", action="job.strays_freed", kind=kind, count=strays)

    def submit(self, lease: Lease) -> None:
        """Work on it now."""
        self._at_work[lease.kind].add(lease.key)
        task = asyncio.create_task(run_leased(self._desk, lease, JOBS[lease.kind]), name=f"{lease.kind}:{lease.key}")
        self._tasks.add(task)
        task.add_done_callback(lambda done: self._ended(lease, done))

    async def idle(self) -> None:
        """Wait until nothing is under way."""
        while self._tasks:
            await asyncio.wait(set(self._tasks))

    async def close(self, patience_seconds: float) -> None:
        """Begin no further call and finish those in hand; what takes longer keeps its lease until the process is gone.

        What remains of a job is left to other processes, at once.
        """
        self._open = False
        self._desk.hub.close()
        if self._tasks:
            _, late = await asyncio.wait(set(self._tasks), timeout=patience_seconds)
            for task in late:
                log.get().warning("job cut short", action="job.cut_short", job=task.get_name())
                task.cancel()
            if late:
                await asyncio.wait(late, timeout=LAST_SECONDS)

    def _ended(self, lease: Lease, task: "asyncio.Task[None]") -> None:
        self._at_work[lease.kind].discard(lease.key)
        self._tasks.discard(task)

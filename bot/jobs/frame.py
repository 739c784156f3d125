"""The one frame around every piece of work that calls GitHub (docs/design.md section 5).

A job begins only while its lease is the row's, is renewed after each repository, starts nothing more once it is lost,
and ends by giving the lease back, or by leaving the work due again after a failure. Where the process ends meanwhile,
no further call begins (bot/github/door.py), and the lease is given back as it was: another process goes on at once.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import asynccontextmanager, suppress
from typing import TypeVar

from bot import failpoints, log, metrics
from bot.errors import TryAgain
from bot.github.failures import Closing, Delayed, GitHubFailure, Suspended
from bot.jobs.desk import Desk
from bot.store import installations, leases
from bot.store.leases import Lease, LeaseLost
from bot.store.records import Conn

AT_ONCE = 4
"""Repositories worked on at a time in one job (docs/design.md section 5)."""

FIRST_TOLD = (LeaseLost, Closing, Exception)
"""Of several failures of one job, which is the job's: what forbids to write anything, then what leaves it to others."""

T = TypeVar("T")
Job = Callable[[Desk, "Held"], Awaitable[None]]


class Held:
    """A lease while its job runs."""

    def __init__(self, desk: Desk, lease: Lease) -> None:
        self.lease = lease
        self.lost = False
        self.returned = False
        self._desk = desk
        # Workers of one job share the token: who renews it and who compares it must not cross. A connection comes
        # first, then the token: whoever holds the token never waits for a connection that waits for the token.
        self._token = asyncio.Lock()

    async def check(self, conn: Conn) -> None:
        """Fence a transaction: the lease is ours until it ends. Raises LeaseLost."""
        async with self._token:
            if self.lost or not await leases.held(conn, self.lease):
                self.lost = True
                raise LeaseLost(self.lease.kind)

    async def renew(self) -> None:
        """Begin the lease's life anew. Raises LeaseLost."""
        async with self._desk.pool.acquire() as conn, self._token:
            try:
                self.lease = await leases.renew(conn, self.lease)
            except LeaseLost:
                self.lost = True
                raise

    async def each(self, items: Iterable[T], step: Callable[[T], Awaitable[None]]) -> None:
        """Do `step` for each item, four at a time, renewing after each that settled.

        One item's failure does not stop the others; the first is raised at the end. Where GitHub asked for silence,
        the lease was lost or the process ends nothing further is started, and what is under way is finished.
        """
        queue, failures = list(reversed(list(items))), list[Exception]()

        async def work() -> None:
            while queue and not (
                self.lost or self._desk.hub.closing or any(isinstance(it, Delayed) for it in failures)
            ):
                item = queue.pop()
                try:
                    await step(item)
                    await self.renew()
                except Exception as failure:
                    failures.append(failure)

        await asyncio.gather(*(work() for _ in range(AT_ONCE)))
        if queue and self._desk.hub.closing:
            failures.append(Closing())
        failures.sort(key=lambda failure: next(i for i, kind in enumerate(FIRST_TOLD) if isinstance(failure, kind)))
        for failure in failures[1:]:
            log.get().warning("one of several failed", action="job.part_failed", error=str(failure))
        if failures:
            raise failures[0]

    @asynccontextmanager
    async def finishing(self) -> AsyncIterator[Conn]:
        """A transaction that ends the work: what it writes and the lease given back, both or neither."""
        async with self._desk.pool.acquire() as conn, self._token, conn.transaction():
            yield conn
            await leases.give_back(conn, self.lease)
        self.returned = True


async def run_leased(desk: Desk, lease: Lease, job: Job) -> None:
    """Run one job under its lease, whatever happens in it. Never raises for what a job does."""
    held = Held(desk, lease)
    with log.bound(lease=lease.kind, account=lease.account_id, key=lease.key):
        try:
            outcome = await _attempt(desk, held, job)
        except Exception:
            # Not even the failure could be written: what this process holds is looked through before the next tick.
            log.get().exception("job could not be settled", action="job.unsettled")
            desk.stumbled()
            outcome = "unsettled"
    metrics.leases_total.labels(kind=lease.kind, outcome=outcome).inc()
    desk.wake()


async def _attempt(desk: Desk, held: Held, job: Job) -> str:
    try:
        async with desk.pool.acquire() as conn:
            await held.check(conn)
        failpoints.reach("lease.taken")
        await job(desk, held)
        if not held.returned:
            async with held.finishing():
                pass
    except LeaseLost:
        log.get().info("lease lost", action="job.lost")
        return "lost"
    except Closing:
        return await _leave_to_others(desk, held)
    except TryAgain as wait:
        return await _put_off(desk, held, wait.after_seconds, wait.reason)
    except Delayed as wait:
        return await _put_off(desk, held, wait.after_seconds, str(wait))
    except GitHubFailure as failure:
        return await _refused(desk, held, failure)
    except Exception:
        log.get().exception("job failed", action="job.failed")
        return await _put_off(desk, held, leases.RETRY_SECONDS, "failed")
    return "done"


async def _leave_to_others(desk: Desk, held: Held) -> str:
    log.get().info("job left to others", action="job.left")
    with suppress(LeaseLost):
        async with held.finishing():
            pass
    return "left"


async def _refused(desk: Desk, held: Held, failure: GitHubFailure) -> str:
    log.get().warning("GitHub refused", action="job.refused", error=str(failure))
    if isinstance(failure, Suspended):
        # The event may have been lost: what the installation is now is read from GitHub.
        async with desk.pool.acquire() as conn:
            await installations.look_again(conn, held.lease.account_id)
    return await _put_off(desk, held, leases.RETRY_SECONDS, str(failure))


async def _put_off(desk: Desk, held: Held, after_seconds: float, reason: str) -> str:
    log.get().info("job put off", action="job.put_off", after_seconds=after_seconds, reason=reason)
    async with desk.pool.acquire() as conn:
        await leases.fail(conn, held.lease, desk.lease_seconds, after_seconds)
    return "failed"

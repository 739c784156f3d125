"""What a tick costs: at rest, after outages of this service, at a deadline and at the end of a grace."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import datetime

from bench.ground import DEADLINE, OVER, PUSHES, Ground, fill, ground, suffer
from bench.measure import Ratio, Timed, Watch, compare
from bot.store import clock
from bot.store.records import Conn
from bot.sweeper.tick import Tick
from bot.sweeper.ticker import TASKS

LEASE_SECONDS = 120


async def measure(server: str, size: int, rounds: int) -> AsyncIterator[Ratio]:
    """Over `size` repositories with 20 pushes each, beside an empty database or a single repository."""
    async with AsyncExitStack() as stack:
        empty, one, many = [await stack.enter_async_context(ground(server)) for _ in range(3)]
        await fill(one, 1, PUSHES)
        await fill(many, size, PUSHES)
        alone = "over one"
        yield await compare(f"a tick at rest over {size:,} repositories", rest(many), "over none", rest(empty), rounds)
        yield await compare(f"the deadline of {size:,} repositories", deadline(many), alone, deadline(one), rounds)
        yield await compare(f"the freeze of {size:,} repositories", freeze(many), alone, freeze(one), rounds)
        await suffer(one, 20)
        await suffer(many, 20)
        after = f"a tick at rest over {size:,} repositories after 20 outages"
        yield await compare(after, rest(many), alone, rest(one), rounds)


def rest(on: Ground) -> Timed:
    """All tasks, where nothing is due."""

    async def timed() -> float:
        async with undone(on) as conn:
            await turn(conn, on, *TASKS)
            with Watch() as watch:
                await turn(conn, on, *TASKS)
        return watch.seconds

    return timed


def deadline(on: Ground) -> Timed:
    """The one task that closes what is due."""

    async def timed() -> float:
        async with undone(on) as conn:
            await clock.stand(conn, DEADLINE)
            with Watch() as watch:
                await turn(conn, on, "deadlines")
        return watch.seconds

    return timed


def freeze(on: Ground) -> Timed:
    """The one task that settles what counts, with all evidence in."""

    async def timed() -> float:
        async with undone(on) as conn:
            await clock.stand(conn, DEADLINE)
            await turn(conn, on, "deadlines")
            await clock.stand(conn, OVER)
            await all_read(conn, OVER)
            with Watch() as watch:
                await turn(conn, on, "freezes")
            assert await conn.fetchval("SELECT count(*) FROM enrolments WHERE frozen_at IS NULL") == 0
        return watch.seconds

    return timed


async def turn(conn: Conn, on: Ground, *tasks: str) -> None:
    """These tasks once, in the order of a tick, without a worker to take leases for."""
    now = await clock.now(conn)
    for name in tasks:
        await TASKS[name](Tick(conn, now, on.holder, LEASE_SECONDS, dict.fromkeys(TASKS, 0)))


async def all_read(conn: Conn, now: datetime) -> None:
    """GitHub's log of deliveries holds nothing that we do not."""
    await conn.execute("UPDATE delivery_logs SET due_at = NULL, read_at = $1", now)


@asynccontextmanager
async def undone(on: Ground) -> AsyncIterator[Conn]:
    """A connection whose work is rolled back."""
    async with on.pool.acquire() as conn:
        transaction = conn.transaction()
        await transaction.start()
        try:
            yield conn
        finally:
            await transaction.rollback()

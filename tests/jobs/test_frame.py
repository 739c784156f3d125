"""The one frame around leased work (docs/design.md section 5)."""

import asyncio

import pytest
import structlog

from bot.errors import TryAgain
from bot.github.failures import Paused, Refused
from bot.jobs.desk import Desk
from bot.jobs.frame import Held, run_leased
from bot.store import leases
from bot.store.leases import KINDS, RETRY_SECONDS
from bot.store.pool import open_pool
from tests.store import rows, work
from tests.store.work import LEASE_SECONDS

from .conftest import Pool, desk_on, take_over, taken

PUT_OFF = "SELECT extract(epoch FROM due_at - now())::float AS wait, attempts, leased_at FROM outbox"
each_kind = pytest.mark.parametrize("kind", KINDS)


async def is_free(desk: Desk, kind: str) -> bool:
    """Whether nobody holds the one row of this kind."""
    columns = KINDS[kind]
    free: bool = await desk.pool.fetchval(f"SELECT {columns.at} IS NULL AND {columns.by} IS NULL FROM {columns.table}")
    return free


@each_kind
async def test_work_that_is_done_gives_its_lease_back(desk: Desk, kind: str) -> None:
    async def job(_desk: Desk, held: Held) -> None:
        await held.renew()

    await run_leased(desk, await taken(desk, kind), job)

    assert await is_free(desk, kind)


async def test_a_job_whose_token_is_not_the_rows_does_nothing(desk: Desk) -> None:
    lease = await taken(desk, "outbox")
    successor = await take_over(desk, lease)
    begun = False

    async def job(_desk: Desk, _held: Held) -> None:
        nonlocal begun
        begun = True

    await run_leased(desk, lease, job)

    assert not begun
    async with desk.pool.acquire() as conn:
        assert await leases.held(conn, successor)


async def test_work_that_ends_after_its_lease_was_lost_writes_nothing(desk: Desk) -> None:
    lease = await taken(desk, "outbox")

    async def job(desk: Desk, held: Held) -> None:
        async with held.finishing() as conn:
            await conn.execute("UPDATE installations SET login = 'written'")
            await take_over(desk, lease)

    async with desk.pool.acquire() as conn:
        await rows.installation(conn, login="as it was")
    await run_leased(desk, lease, job)

    assert await desk.pool.fetchval("SELECT login FROM installations") == "as it was"
    assert not await is_free(desk, "outbox")


@each_kind
async def test_work_that_the_end_of_the_process_stops_is_free_at_once(desk: Desk, kind: str) -> None:
    async def job(desk: Desk, _held: Held) -> None:
        desk.hub.close()
        await desk.hub.app().read("/app")

    lease = await taken(desk, kind)
    await run_leased(desk, lease, job)

    assert await is_free(desk, kind)
    async with desk.pool.acquire() as conn:
        (again,) = await work.take(conn, kind, desk.process_id)
    assert again.key == lease.key


@pytest.mark.parametrize(
    ("failure", "seconds"),
    [
        (TryAgain("its mark has not been absent for a minute", 60), 60),
        (Paused("the installation pauses", after_seconds=90), 90),
        (Refused("no", status=422), RETRY_SECONDS),
        (ValueError("a fault of ours"), RETRY_SECONDS),
    ],
    ids=lambda value: type(value).__name__,
)
async def test_work_that_failed_is_due_again_as_its_failure_says_and_nothing_is_raised(
    desk: Desk, failure: Exception, seconds: float
) -> None:
    async def job(_desk: Desk, _held: Held) -> None:
        raise failure

    with structlog.testing.capture_logs():
        await run_leased(desk, await taken(desk, "outbox"), job)

    row = await desk.pool.fetchrow(PUT_OFF)
    assert row is not None
    assert row["wait"] == pytest.approx(seconds, abs=5)
    assert (row["attempts"], row["leased_at"]) == (1, None)


async def test_a_failure_without_a_due_column_backdates_the_lease_while_it_is_held(desk: Desk) -> None:
    async def job(_desk: Desk, _held: Held) -> None:
        raise TryAgain("later", 45)

    await run_leased(desk, await taken(desk, "locks"), job)

    runs_out = f"SELECT extract(epoch FROM lock_job_at - now())::float + {LEASE_SECONDS} FROM installations"
    assert await desk.pool.fetchval(runs_out) == pytest.approx(45, abs=5)


async def test_a_failure_after_the_lease_was_lost_leaves_the_successor_alone(desk: Desk) -> None:
    lease = await taken(desk, "outbox")

    async def job(desk: Desk, _held: Held) -> None:
        await take_over(desk, lease)
        raise TryAgain("later")

    await run_leased(desk, lease, job)

    assert await desk.pool.fetchval("SELECT attempts FROM outbox") == 0
    assert not await is_free(desk, "outbox")


async def test_nothing_is_raised_even_where_the_failure_cannot_be_written(dsn: str) -> None:
    async with open_pool(dsn) as pool, desk_on(pool) as desk:
        lease = await taken(desk, "outbox")

        async def job(desk: Desk, _held: Held) -> None:
            await desk.pool.close()
            raise ValueError("and then the database went away")

        with structlog.testing.capture_logs() as lines:
            await run_leased(desk, lease, job)

    assert [line["action"] for line in lines if line["log_level"] == "error"] == ["job.failed", "job.unsettled"]


async def test_whoever_waits_for_a_change_is_woken_when_a_job_ends(pool: Pool) -> None:
    async with desk_on(pool) as desk:
        woken = asyncio.Event()
        listening = Desk(
            pool, desk.hub, desk.process_id, 1, "app[bot]", LEASE_SECONDS, woken.set, desk.stumbled, desk.filing
        )

        async def job(_desk: Desk, _held: Held) -> None:
            raise TryAgain("later")

        await run_leased(listening, await taken(desk, "outbox"), job)

        assert woken.is_set()

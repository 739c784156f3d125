"""Many repositories under one lease: four at a time, and no more once there is a reason to stop (section 5)."""

import asyncio

import pytest
import structlog

from bot.github.failures import Closing, Paused, Refused
from bot.jobs.desk import Desk
from bot.jobs.frame import AT_ONCE, Held
from bot.store import leases
from bot.store.leases import LeaseLost
from bot.store.pool import open_pool

from .conftest import desk_on, take_over, taken

PATIENCE_SECONDS = 10.0


async def test_items_are_worked_on_four_at_a_time_and_each_one_once(desk: Desk) -> None:
    held = Held(desk, await taken(desk, "locks"))
    done: list[int] = []
    under_way, most = 0, 0
    full = asyncio.Event()

    async def step(item: int) -> None:
        nonlocal under_way, most
        under_way += 1
        most = max(most, under_way)
        if under_way == AT_ONCE:
            full.set()
        await full.wait()
        under_way -= 1
        done.append(item)

    async with asyncio.timeout(PATIENCE_SECONDS):
        await held.each(range(20), step)

    assert sorted(done) == list(range(20))
    assert most == AT_ONCE


async def test_the_lease_is_renewed_after_each_item(desk: Desk) -> None:
    held = Held(desk, await taken(desk, "locks"))
    tokens = {held.lease.token}

    async def step(_item: int) -> None:
        tokens.add(held.lease.token)

    await held.each(range(3), step)

    assert held.lease.token > max(tokens)
    async with desk.pool.acquire() as conn:
        assert await leases.held(conn, held.lease)


async def test_one_items_failure_does_not_stop_the_others_and_is_raised_at_the_end(desk: Desk) -> None:
    held = Held(desk, await taken(desk, "locks"))
    done: list[int] = []

    async def step(item: int) -> None:
        if item % 2:
            raise Refused(f"not {item}", status=422)
        done.append(item)

    with structlog.testing.capture_logs() as lines, pytest.raises(Refused):
        await held.each(range(10), step)

    assert sorted(done) == [0, 2, 4, 6, 8]
    assert [line["action"] for line in lines] == ["job.part_failed"] * 4


async def test_once_github_asks_for_silence_nothing_more_is_started_and_what_is_under_way_is_finished(
    desk: Desk,
) -> None:
    held = Held(desk, await taken(desk, "locks"))
    begun: list[int] = []
    finished: list[int] = []
    all_under_way, silence = asyncio.Event(), asyncio.Event()

    async def step(item: int) -> None:
        begun.append(item)
        if len(begun) == AT_ONCE:
            all_under_way.set()
        await all_under_way.wait()
        if item == 0:
            silence.set()
            raise Paused("the installation pauses", after_seconds=60)
        await silence.wait()
        finished.append(item)

    async with asyncio.timeout(PATIENCE_SECONDS):
        with pytest.raises(Paused):
            await held.each(range(20), step)

    assert begun == [0, 1, 2, 3]
    assert sorted(finished) == [1, 2, 3]


async def test_once_the_process_ends_nothing_more_is_started_and_what_is_under_way_is_finished(desk: Desk) -> None:
    held = Held(desk, await taken(desk, "locks"))
    begun: list[int] = []
    finished: list[int] = []
    all_under_way = asyncio.Event()

    async def step(item: int) -> None:
        begun.append(item)
        if len(begun) == AT_ONCE:
            desk.hub.close()
            all_under_way.set()
        await all_under_way.wait()
        if item == 0:
            raise Refused("not this one", status=422)
        finished.append(item)

    with structlog.testing.capture_logs():
        async with asyncio.timeout(PATIENCE_SECONDS):
            with pytest.raises(Closing):
                await held.each(range(20), step)

    assert begun == [0, 1, 2, 3]
    assert sorted(finished) == [1, 2, 3]


async def test_what_was_all_done_when_the_process_ends_is_done(desk: Desk) -> None:
    held = Held(desk, await taken(desk, "locks"))

    async def step(_item: int) -> None:
        desk.hub.close()

    await held.each(range(1), step)


async def test_once_the_lease_is_lost_nothing_more_is_started_and_the_loss_is_what_is_raised(desk: Desk) -> None:
    lease = await taken(desk, "locks")
    held = Held(desk, lease)
    begun: list[int] = []

    async def step(item: int) -> None:
        begun.append(item)
        if item == 0:
            await take_over(desk, held.lease)
            raise Refused("not this one", status=422)

    with structlog.testing.capture_logs(), pytest.raises(LeaseLost):
        await held.each(range(20), step)

    assert len(begun) <= 2 * AT_ONCE


async def test_a_fenced_transaction_of_a_lost_lease_is_refused_and_ends_the_job(desk: Desk) -> None:
    lease = await taken(desk, "dispatches")
    held = Held(desk, lease)
    await take_over(desk, lease)

    async with desk.pool.acquire() as conn, conn.transaction():
        with pytest.raises(LeaseLost):
            await held.check(conn)

    assert held.lost


async def test_the_workers_of_a_job_never_wait_for_each_other_for_ever_however_few_connections_there_are(
    dsn: str,
) -> None:
    async with open_pool(dsn, size=1) as pool, desk_on(pool) as desk:
        held = Held(desk, await taken(desk, "dispatches"))

        async def step(_item: int) -> None:
            async with pool.acquire() as conn, conn.transaction():
                await held.check(conn)

        async with asyncio.timeout(PATIENCE_SECONDS):
            await held.each(range(40), step)

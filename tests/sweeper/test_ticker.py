"""A tick goes through all tasks, whatever becomes of one of them."""

from datetime import UTC, datetime
from uuid import uuid4

import asyncpg
import pytest

from bot.store.leases import Lease
from bot.sweeper import ticker
from bot.sweeper.tick import Claimed, Tick
from bot.sweeper.ticker import Ticker

LEASE = Lease("locks", 1, 1, datetime(2026, 12, 1, tzinfo=UTC), uuid4())


async def claims(_: Tick) -> Claimed:
    return [LEASE]


async def writes(tick: Tick) -> Claimed:
    await tick.conn.execute("INSERT INTO clock_turns VALUES (1)")
    return [LEASE]


async def fails(tick: Tick) -> Claimed:
    await tick.conn.execute("INSERT INTO clock_turns VALUES (2)")
    raise ValueError("a task that fails")


async def loses_its_connection(tick: Tick) -> Claimed:
    await tick.conn.execute("SELECT pg_terminate_backend(pg_backend_pid())")
    return [LEASE]


@pytest.mark.parametrize("failure", [fails, loses_its_connection])
async def test_a_task_that_fails_leaves_nothing_and_stops_no_other(
    pool: "asyncpg.Pool[asyncpg.Record]", monkeypatch: pytest.MonkeyPatch, failure: ticker.Task
) -> None:
    async with pool.acquire() as conn:
        await conn.execute("CREATE TABLE clock_turns (number integer)")
    monkeypatch.setattr(ticker, "TASKS", {"first": claims, "second": failure, "third": writes})
    one = Ticker(pool, uuid4(), 600)

    assert await one.tick({}) == [LEASE, LEASE]

    assert one.stumbled.is_set()
    async with pool.acquire() as conn:
        assert [row["number"] for row in await conn.fetch("SELECT number FROM clock_turns")] == [1]


async def test_what_the_webhook_lost_is_marked_before_any_task_and_once(
    pool: "asyncpg.Pool[asyncpg.Record]", monkeypatch: pytest.MonkeyPatch
) -> None:
    marks = list[datetime | None]()

    async def looks(tick: Tick) -> Claimed:
        marks.append(await tick.conn.fetchval("SELECT due_at FROM delivery_logs"))
        return []

    monkeypatch.setattr(ticker, "TASKS", {"looks": looks})
    one = Ticker(pool, uuid4(), 600)
    await one.tick({})
    one.lost.set()
    await one.tick({})
    await one.tick({})

    assert marks[0] is None
    assert marks[1] == marks[2] is not None


async def test_a_loss_is_remembered_until_the_database_answers(
    pool: "asyncpg.Pool[asyncpg.Record]", monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ticker, "TASKS", {"claims": claims})
    one = Ticker(pool, uuid4(), 600)
    one.lost.set()
    async with pool.acquire() as conn:
        await conn.execute("ALTER TABLE delivery_logs RENAME TO away")
        with pytest.raises(asyncpg.UndefinedTableError):
            await one.tick({})
        assert one.lost.is_set()

        await conn.execute("ALTER TABLE away RENAME TO delivery_logs")
        assert await one.tick({}) == [LEASE]
        assert not one.lost.is_set()
        assert await conn.fetchval("SELECT due_at FROM delivery_logs") is not None

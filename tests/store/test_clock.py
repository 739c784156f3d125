"""The one clock: course time can be moved, real time cannot; and when a lease is free."""

from datetime import timedelta
from uuid import UUID, uuid4

import pytest

from bot.store import clock, leases, repositories
from bot.store.records import Conn

from . import rows
from .rows import DEADLINE

LEASE_SECONDS = 600
HOLDER = uuid4()


async def test_course_time_is_real_time_until_it_is_moved(conn: Conn) -> None:
    async with conn.transaction():
        assert await clock.now(conn) == await conn.fetchval("SELECT now()")

    assert not await clock.is_moved(conn)


async def test_course_time_that_was_stopped_stands(conn: Conn) -> None:
    await clock.stand(conn, DEADLINE)

    assert [await clock.now(conn), await clock.now(conn)] == [DEADLINE, DEADLINE]
    assert await clock.is_moved(conn)


async def test_course_time_that_was_shifted_runs_on_with_real_time(conn: Conn) -> None:
    await clock.stand(conn, DEADLINE - timedelta(days=1))

    await clock.shift(conn, DEADLINE)

    async with conn.transaction():
        real = await conn.fetchval("SELECT now()")
        shift = await conn.fetchval("SELECT shift FROM clock")
        assert await clock.now(conn) == real + shift
    assert timedelta(0) <= await clock.now(conn) - DEADLINE < timedelta(minutes=1)
    assert await clock.is_moved(conn)


async def test_course_time_is_one_instant_within_a_transaction(conn: Conn) -> None:
    await clock.shift(conn, DEADLINE)

    async with conn.transaction():
        assert await clock.now(conn) == await clock.now(conn)


async def test_real_time_goes_on_while_course_time_stands(conn: Conn) -> None:
    await clock.stand(conn, DEADLINE)

    first, second = await clock.real_now(conn), await clock.real_now(conn)

    assert first < second


@pytest.mark.parametrize("away", [timedelta(days=-365), timedelta(days=365)], ids=["a year ago", "in a year"])
async def test_leases_use_real_time_while_course_time_stands(conn: Conn, away: timedelta) -> None:
    await clock.stand(conn, await clock.real_now(conn) + away)
    await rows.repository(conn, read_due_at=await clock.real_now(conn))

    (lease,) = await repositories.claim_reads(conn, await rows.process(conn), LEASE_SECONDS, 1)
    renewed = await leases.renew(conn, lease)

    assert abs(renewed.token - await clock.real_now(conn)) < timedelta(minutes=1)
    assert not await _is_free(conn, "1 s", renewed.holder)
    assert await _is_free(conn, "601 s", renewed.holder)


@pytest.mark.parametrize(
    ("taken_ago", "silent_for", "free"),
    [
        (None, "0 s", True),
        ("0 s", "0 s", False),
        ("600 s", "0 s", False),
        ("600.000001 s", "0 s", True),
        ("1 s", "29.999999 s", False),
        ("1 s", "30 s", True),
        ("1 s", "1 day", True),
    ],
)
async def test_a_lease_is_free_when_never_taken_or_older_than_its_life_or_its_holder_is_silent(
    conn: Conn, taken_ago: str | None, silent_for: str, free: bool
) -> None:
    # One statement, so that every now() in it is the same instant and the boundaries are exact.
    async with conn.transaction():
        await conn.execute(
            "INSERT INTO processes (id, role, beat_at) VALUES ($1, 'all', now() - $2::text::interval)",
            HOLDER,
            silent_for,
        )
        assert await _is_free(conn, taken_ago, HOLDER) is free


async def test_a_lease_is_free_when_its_holder_ended_on_purpose(conn: Conn) -> None:
    await conn.execute("INSERT INTO processes (id, role, stopped_at) VALUES ($1, 'all', now())", HOLDER)

    assert await _is_free(conn, "1 s", HOLDER)


async def test_a_lease_is_free_when_its_holder_is_no_process_at_all(conn: Conn) -> None:
    assert await _is_free(conn, "1 s", uuid4())


async def test_a_lease_without_a_holder_lives_until_it_runs_out(conn: Conn) -> None:
    assert not await _is_free(conn, "1 s", None)
    assert await _is_free(conn, "601 s", None)


async def _is_free(conn: Conn, taken_ago: str | None, holder: UUID | None) -> bool:
    free: bool = await conn.fetchval(
        "SELECT lease_free(now() - $1::text::interval, $2, $3)", taken_ago, holder, LEASE_SECONDS
    )
    return free

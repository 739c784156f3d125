"""Processes by their heartbeats: who lives, and how far the clocks lie apart."""

from datetime import datetime, timedelta
from uuid import uuid4

import pytest

from bot.rules import skew
from bot.store import clock, processes
from bot.store.records import Conn


async def now(conn: Conn) -> datetime:
    """Real time, by the database's clock."""
    return await clock.real_now(conn)


async def test_a_process_that_beats_again_after_it_was_stopped_lives(conn: Conn) -> None:
    process_id = uuid4()
    await processes.begin(conn, process_id, "all")
    await processes.stop(conn, process_id)
    assert await conn.fetchval("SELECT stopped_at <= now() FROM processes")

    await processes.beat(conn, process_id, await now(conn), None)

    assert await conn.fetchval("SELECT stopped_at IS NULL FROM processes")


async def test_a_process_that_begins_forgets_those_long_gone(conn: Conn) -> None:
    old, recent, new = uuid4(), uuid4(), uuid4()
    for process_id, silent_for in ((old, "25 hours"), (recent, "1 hour")):
        await processes.begin(conn, process_id, "all")
        await conn.execute(
            "UPDATE processes SET beat_at = now() - $1::text::interval WHERE id = $2", silent_for, process_id
        )

    await processes.begin(conn, new, "worker")

    assert {row["id"] for row in await conn.fetch("SELECT id FROM processes")} == {recent, new}


async def test_each_heartbeat_tells_how_far_the_clocks_lie_apart(conn: Conn) -> None:
    right, wrong, dead = uuid4(), uuid4(), uuid4()
    for process_id, ahead in ((right, 0), (wrong, -40), (dead, 4_000)):
        await processes.begin(conn, process_id, "all")
        time = await now(conn) + timedelta(seconds=ahead)
        await processes.beat(conn, process_id, time, await clock.now(conn) + timedelta(seconds=2))
    await processes.stop(conn, dead)

    measured = skew.by_clock(await processes.alive(conn))

    assert measured["process"].total_seconds() == pytest.approx(-40, abs=2)
    assert measured["github"].total_seconds() == pytest.approx(2, abs=2)


async def test_a_process_that_has_not_measured_yet_says_nothing_of_clocks(conn: Conn) -> None:
    await processes.begin(conn, uuid4(), "web")

    (standing,) = await processes.alive(conn)

    assert skew.by_clock([standing]) == {}

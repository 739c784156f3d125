"""Housekeeping: by its period, by one process, and only what is old enough (docs/design.md section 9)."""

from collections import Counter
from datetime import datetime, timedelta

from bot.store import confirmations, deliveries, processes, scheduled_tasks
from bot.store.records import Conn
from bot.sweeper import housekeeping
from bot.sweeper.housekeeping import PIECES
from bot.sweeper.tick import Tick

from . import rows
from .rows import DEADLINE, INSTALLATION, TICK
from .sessions import beside
from .test_confirmations import COMMENT, WAITING

DAY, HOUR = timedelta(days=1), timedelta(hours=1)
PURGE = "purge deliveries"


async def test_each_piece_has_its_row_and_each_row_its_piece(conn: Conn) -> None:
    assert [task.name for task in await scheduled_tasks.all_of_them(conn)] == sorted(PIECES)


async def test_a_piece_is_begun_when_its_period_is_over_and_not_before(conn: Conn) -> None:
    assert await scheduled_tasks.claim(conn, PURGE, DEADLINE)

    assert not await scheduled_tasks.claim(conn, PURGE, DEADLINE + HOUR - TICK)
    assert await scheduled_tasks.claim(conn, PURGE, DEADLINE + HOUR)


async def test_of_two_sessions_one_begins_it(conn: Conn, other: Conn) -> None:
    async with conn.transaction():
        assert await scheduled_tasks.claim(conn, PURGE, DEADLINE)
        second = await beside(conn, other, scheduled_tasks.claim(other, PURGE, DEADLINE))

    assert not await second


async def test_a_paused_piece_is_not_begun(conn: Conn) -> None:
    await conn.execute("UPDATE scheduled_tasks SET enabled = false")

    assert not await scheduled_tasks.claim(conn, PURGE, DEADLINE)


async def test_bodies_of_understood_deliveries_go_after_thirty_days_and_their_guids_stay(conn: Conn) -> None:
    old, now = DEADLINE - 30 * DAY - TICK, DEADLINE
    understood = {"body": b"x", "handled_at": old}
    gone = await rows.delivery(conn, old, **understood)
    await rows.delivery(conn, DEADLINE - 30 * DAY, **understood)
    await rows.delivery(conn, old, body=b"x")

    await sweep(conn, now)

    assert [row["guid"] for row in await conn.fetch("SELECT guid FROM deliveries WHERE body IS NULL")] == [gone]
    assert await conn.fetchval("SELECT count(*) FROM deliveries") == 3
    assert await deliveries.waiting(conn) == 1


async def test_codes_are_forgotten_a_day_after_they_were_given_out(conn: Conn) -> None:
    for code in ("old", "new"):
        assert await confirmations.ask(conn, COMMENT, code, WAITING)
    await conn.execute("UPDATE confirmations SET asked_at = asked_at - interval '1 day' WHERE code = 'old'")

    await sweep(conn, DEADLINE)

    assert [row["code"] for row in await conn.fetch("SELECT code FROM confirmations")] == ["new"]


async def test_processes_gone_for_a_day_are_forgotten(conn: Conn) -> None:
    old, young = await rows.process(conn), await rows.process(conn)
    await conn.execute("UPDATE processes SET beat_at = now() - interval '25 hours' WHERE id = $1", old)

    await sweep(conn, DEADLINE)

    left = {row["id"] for row in await conn.fetch("SELECT id FROM processes")}
    assert young in left
    assert old not in left


async def test_installations_are_read_again_every_day(conn: Conn) -> None:
    await rows.installation(conn)
    await rows.installation(conn, INSTALLATION + 1, state="gone")

    await sweep(conn, DEADLINE)

    due = await conn.fetch("SELECT installation_id FROM installations WHERE read_due_at IS NOT NULL")
    assert [row["installation_id"] for row in due] == [INSTALLATION]


async def test_how_it_went_is_written(conn: Conn) -> None:
    await sweep(conn, DEADLINE)

    found = {task.name: task for task in await scheduled_tasks.all_of_them(conn)}[PURGE]
    assert (found.started_at, found.finished_at, found.outcome) == (DEADLINE, DEADLINE, "done: 0")


async def test_a_piece_that_fails_does_not_stop_the_others_and_waits_for_its_period(conn: Conn) -> None:
    await conn.execute("ALTER TABLE deliveries RENAME COLUMN body TO words")

    await sweep(conn, DEADLINE)

    outcomes = {task.name: task.outcome for task in await scheduled_tasks.all_of_them(conn)}
    assert outcomes.pop(PURGE) == "failed: UndefinedColumnError"
    assert all(outcome and outcome.startswith("done") for outcome in outcomes.values())
    assert not await scheduled_tasks.claim(conn, PURGE, DEADLINE)


async def sweep(conn: Conn, now: datetime) -> None:
    """One turn of the housekeeping."""
    holder = await rows.process(conn)
    await processes.beat(conn, holder, now, None)
    async with conn.transaction():
        await housekeeping.claim(Tick(conn, now, holder, 600, Counter()))

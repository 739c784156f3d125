"""Our own outages: who writes them, and whose deadline they touch (docs/design.md sections 4 and 9)."""

from datetime import timedelta
from uuid import uuid4

import asyncpg
import pytest

from bot.store import clock, outages, processes, scheduled_tasks
from bot.store.records import Conn

from . import rows
from .downtime import DAY, GRACE, HOUR, MINUTE, OVER, applied, outage, silent_for
from .rows import DEADLINE
from .sessions import beside


async def written(conn: Conn) -> list[asyncpg.Record]:
    return await conn.fetch("SELECT part, began_at, ended_at FROM outages ORDER BY part")


async def affected(conn: Conn) -> list[int]:
    return [
        row["repository_id"] for row in await conn.fetch("SELECT repository_id FROM outage_repositories ORDER BY 1")
    ]


async def test_the_first_beat_ever_is_the_end_of_no_outage(conn: Conn) -> None:
    await processes.begin(conn, uuid4(), "all")

    assert await written(conn) == []
    assert await conn.fetchval("SELECT array_agg(part ORDER BY part) FROM pulses") == ["intake", "work"]


@pytest.mark.parametrize("how", ["begin", "beat"])
async def test_a_silence_is_written_with_its_real_length_and_its_end_in_course_time(conn: Conn, how: str) -> None:
    process_id = uuid4()
    await processes.begin(conn, process_id, "all")
    await clock.stand(conn, DEADLINE)
    await silent_for(conn, 3 * HOUR)

    if how == "begin":
        await processes.begin(conn, uuid4(), "all")
    else:
        await processes.beat(conn, process_id, DEADLINE, None)

    found = await written(conn)
    assert [(row["part"], row["ended_at"]) for row in found] == [("intake", DEADLINE), ("work", DEADLINE)]
    for row in found:
        assert timedelta() <= DEADLINE - 3 * HOUR - row["began_at"] < MINUTE


async def test_a_short_silence_is_none(conn: Conn) -> None:
    await silent_for(conn, timedelta(seconds=10))

    await processes.begin(conn, uuid4(), "all")

    assert await written(conn) == []


async def test_the_end_of_a_silence_is_its_end(conn: Conn) -> None:
    await silent_for(conn, HOUR)

    for _ in range(3):
        await processes.begin(conn, uuid4(), "all")

    assert len(await written(conn)) == 2


@pytest.mark.parametrize(("role", "parts"), [("web", ["intake"]), ("worker", ["work"]), ("all", ["intake", "work"])])
async def test_each_role_keeps_its_own_part_alive(conn: Conn, role: str, parts: list[str]) -> None:
    await silent_for(conn, HOUR)

    await processes.begin(conn, uuid4(), role)

    assert [row["part"] for row in await written(conn)] == parts
    assert (
        await conn.fetchval(
            "SELECT array_agg(part ORDER BY part) FROM pulses WHERE beat_at > now() - '1 min'::interval"
        )
        == parts
    )


async def test_two_processes_that_end_a_silence_at_once_write_one_outage(conn: Conn, other: Conn) -> None:
    await silent_for(conn, HOUR)

    async with conn.transaction():
        await conn.execute("SELECT FROM pulses FOR NO KEY UPDATE")
        second = await beside(conn, other, processes.begin(other, uuid4(), "all"))
        await processes.begin(conn, uuid4(), "all")
    await second

    assert len(await written(conn)) == 2


async def test_two_processes_that_beat_for_the_first_time_at_once_write_none(conn: Conn, other: Conn) -> None:
    async with conn.transaction():
        await processes.begin(conn, uuid4(), "all")
        second = await beside(conn, other, processes.begin(other, uuid4(), "all"))
    await second

    assert await written(conn) == []


async def test_an_outage_is_looked_at_once_and_has_githubs_records_read(conn: Conn) -> None:
    project_id = await rows.project(conn)
    working = await rows.enrolment(conn, project_id)
    settled_meanwhile = await rows.enrolment(conn, project_id, deadline_applied_at=DEADLINE, frozen_at=DEADLINE)
    settled_before = await rows.enrolment(conn, project_id, deadline_applied_at=DEADLINE, frozen_at=DEADLINE - 2 * HOUR)
    await rows.enrolment(conn, project_id, withdrawn_at=DEADLINE)
    await rows.enrolment(conn, await rows.project(conn, state="draft"))
    await rows.enrolment(conn, await rows.project(conn, archived_at=DEADLINE))
    await rows.enrolment(conn, project_id, await rows.repository(conn, gone_at=DEADLINE))
    await outage(conn, DEADLINE - HOUR, DEADLINE + HOUR)

    assert len(await outages.look(conn, OVER)) == 1
    assert await outages.look(conn, OVER) == []

    due = await conn.fetch("SELECT repository_id FROM activities WHERE due_at <= now() ORDER BY 1")
    assert [row["repository_id"] for row in due] == [working, settled_meanwhile]
    assert settled_before not in [row["repository_id"] for row in due]
    assert await conn.fetchval("SELECT due_at <= now() FROM delivery_logs")


async def test_two_sessions_look_at_an_outage_once(conn: Conn, other: Conn) -> None:
    await outage(conn, DEADLINE - HOUR, DEADLINE + HOUR)

    async with conn.transaction():
        assert len(await outages.look(conn, OVER)) == 1
        second = await beside(conn, other, outages.look(other, OVER))
    assert await second == []


@pytest.mark.parametrize(
    ("began", "ended", "touched"),
    [
        (-2 * HOUR, HOUR, True),
        (-2 * HOUR, -HOUR, True),
        (-2 * HOUR, -HOUR - rows.TICK, False),
        (-50 * MINUTE, -40 * MINUTE, True),
        (GRACE, HOUR, True),
        (GRACE + rows.TICK, HOUR, False),
    ],
)
async def test_it_touches_a_deadline_from_an_hour_before_to_the_end_of_the_grace(
    conn: Conn, began: timedelta, ended: timedelta, touched: bool
) -> None:
    repository = await applied(conn)
    await outage(conn, DEADLINE + began, DEADLINE + ended)

    await outages.look(conn, OVER)

    assert await affected(conn) == ([repository] if touched else [])


async def test_the_latest_outage_is_told_for_as_long_as_it_is_asked_for(conn: Conn) -> None:
    await outage(conn, DEADLINE - HOUR, DEADLINE, "work")
    await outage(conn, DEADLINE - HOUR, DEADLINE)
    await outage(conn, DEADLINE - DAY, DEADLINE - HOUR, "work", recovered_at=DEADLINE)

    found = await outages.latest(conn, DEADLINE - DAY)

    assert found == outages.Outage("intake", DEADLINE - HOUR, DEADLINE)
    assert await outages.latest(conn, DEADLINE + rows.TICK) is None


async def test_outages_are_forgotten_with_whom_they_affected(conn: Conn) -> None:
    await applied(conn)
    old = await outage(conn, DEADLINE - HOUR, DEADLINE)
    new = await outage(conn, DEADLINE, DEADLINE + HOUR)
    await outages.look(conn, OVER)

    assert await scheduled_tasks.forget_outages(conn, DEADLINE + rows.TICK) == 1

    assert await conn.fetchval("SELECT array_agg(id) FROM outages") == [new]
    assert await conn.fetchval("SELECT count(*) FROM outage_repositories WHERE outage_id = $1", old) == 0
    assert await conn.fetchval("SELECT count(*) FROM outage_repositories WHERE outage_id = $1", new) == 1

"""The effective deadline, and the provisional freeze that is written when it has come (docs/design.md section 4)."""

from collections import Counter
from datetime import datetime, timedelta
from typing import Any

import asyncpg
import pytest

from bot.rules.inverses import OwnDeadline
from bot.store import enrolments, projects
from bot.store.pool import open_connection
from bot.store.records import Conn
from bot.sweeper import deadlines
from bot.sweeper.tick import Tick

from . import rows
from .rows import ACCOUNT, DEADLINE, TICK
from .sessions import beside

DAY = timedelta(days=1)


async def test_a_deadline_is_applied_at_exactly_its_instant_and_not_before(conn: Conn) -> None:
    repository = await rows.enrolment(conn, await rows.project(conn))

    assert await enrolments.apply_due(conn, DEADLINE - TICK) == []
    assert _repositories(await enrolments.apply_due(conn, DEADLINE)) == [repository]
    assert await _column(conn, repository, "deadline_applied_at") == DEADLINE


async def test_a_missed_deadline_is_made_up_for_and_applied_once(conn: Conn) -> None:
    repository = await rows.enrolment(conn, await rows.project(conn))

    assert _repositories(await enrolments.apply_due(conn, DEADLINE + 30 * DAY)) == [repository]
    assert await enrolments.apply_due(conn, DEADLINE + 31 * DAY) == []


@pytest.mark.parametrize("own", [DEADLINE - DAY, DEADLINE + DAY], ids=["earlier", "later"])
async def test_a_repository_with_its_own_deadline_is_applied_at_its_own(conn: Conn, own: datetime) -> None:
    repository = await rows.enrolment(conn, await rows.project(conn), deadline_at=own)

    assert await enrolments.apply_due(conn, own - TICK) == []
    assert _repositories(await enrolments.apply_due(conn, own)) == [repository]


async def test_a_later_own_deadline_is_applied_after_the_project_has_closed(conn: Conn) -> None:
    project_id = await rows.project(conn, state="closed", deadline_applied_at=DEADLINE)
    repository = await rows.enrolment(conn, project_id, deadline_at=DEADLINE + DAY)

    assert _repositories(await enrolments.apply_due(conn, DEADLINE + DAY)) == [repository]


@pytest.mark.parametrize(
    ("project", "repository", "part"),
    [
        ({"state": "draft"}, {}, {}),
        ({"archived_at": DEADLINE - DAY}, {}, {}),
        ({}, {"gone_at": DEADLINE - DAY, "gone_as": "deleted"}, {}),
        ({}, {}, {"withdrawn_at": DEADLINE - DAY}),
    ],
    ids=["draft", "archived", "gone", "withdrawn"],
)
async def test_a_repository_that_is_not_working_is_not_applied(
    conn: Conn, project: dict[str, Any], repository: dict[str, Any], part: dict[str, Any]
) -> None:
    project_id = await rows.project(conn, **project)
    await rows.enrolment(conn, project_id, await rows.repository(conn, **repository), **part)

    assert await enrolments.apply_due(conn, DEADLINE + DAY) == []


async def test_the_frozen_slot_becomes_the_current_run_which_may_be_none(conn: Conn) -> None:
    project_id = await rows.project(conn)
    with_run, without = await rows.repository(conn), await rows.repository(conn)
    await rows.receipt(conn, with_run, "a", DEADLINE - DAY)
    current = await rows.run(conn, with_run, "a", DEADLINE - DAY)
    await rows.enrolment(conn, project_id, with_run, current_run=current)
    await rows.enrolment(conn, project_id, without)

    await enrolments.apply_due(conn, DEADLINE)

    assert await _column(conn, with_run, "frozen_run") == current
    assert await _column(conn, without, "frozen_run") is None


@pytest.mark.parametrize("dated", [True, False])
async def test_a_run_that_nothing_dates_gives_way_at_the_deadline_to_the_last_that_is_dated(
    conn: Conn, dated: bool
) -> None:
    project_id = await rows.project(conn)
    repository = await rows.enrolment(conn, project_id)
    before = await rows.run(conn, repository, "dated", DEADLINE - 2 * DAY) if dated else None
    await rows.receipt(conn, repository, "dated", DEADLINE - 2 * DAY)
    undated = await rows.run(conn, repository, "undated", DEADLINE - DAY)
    await enrolments.reselect(conn, ACCOUNT, [repository], DEADLINE - TICK)
    assert await _column(conn, repository, "current_run") == undated

    await enrolments.apply_due(conn, DEADLINE)

    assert await _column(conn, repository, "frozen_run") == before
    assert await _column(conn, repository, "current_run") == before


async def test_a_run_on_a_head_that_is_dated_on_another_branch_alone_gives_way_too(conn: Conn) -> None:
    repository = await rows.enrolment(conn, await rows.project(conn))
    await rows.receipt(conn, repository, "a", DEADLINE - DAY, ref="refs/heads/side")
    await rows.run(conn, repository, "a", DEADLINE - DAY)
    await enrolments.reselect(conn, ACCOUNT, [repository], DEADLINE - TICK)

    await enrolments.apply_due(conn, DEADLINE)

    assert await _column(conn, repository, "frozen_run") is None


async def test_a_run_that_nothing_dates_goes_on_counting_where_the_deadline_lies_ahead(conn: Conn) -> None:
    course = await rows.course(conn)
    repository = await rows.enrolment(conn, await rows.project(conn, course, state="closed"))
    ahead = await rows.project(conn, course, deadline_at=DEADLINE + DAY)
    await rows.enrolment(conn, ahead, repository)
    undated = await rows.run(conn, repository, "a", DEADLINE - DAY)
    await enrolments.reselect(conn, ACCOUNT, [repository], DEADLINE - TICK)

    await enrolments.apply_due(conn, DEADLINE)

    counts = await conn.fetch("SELECT project_id = $1 AS ahead, current_run FROM enrolments", ahead)
    assert {row["ahead"]: row["current_run"] for row in counts} == {True: undated, False: None}


async def test_the_tick_at_a_deadline_waits_for_no_other_part_of_a_repository_that_somebody_holds(
    conn: Conn, other: Conn
) -> None:
    course = await rows.course(conn)
    repository = await rows.enrolment(conn, await rows.project(conn, course, state="closed"))
    ahead = await rows.project(conn, course, deadline_at=DEADLINE + DAY)
    await rows.enrolment(conn, ahead, repository)
    await rows.run(conn, repository, "a", DEADLINE - DAY)
    await enrolments.reselect(conn, ACCOUNT, [repository], DEADLINE - TICK)

    async with conn.transaction():
        await conn.execute("SELECT FROM enrolments WHERE project_id = $1 FOR NO KEY UPDATE", ahead)
        applying = await beside(conn, other, enrolments.apply_due(other, DEADLINE))
        assert applying.done()

    assert _repositories(await applying) == [repository]


async def test_a_push_that_becomes_known_while_a_tick_waits_dates_the_run(conn: Conn, other: Conn, dsn: str) -> None:
    project_id = await rows.project(conn)
    first, second = await rows.enrolment(conn, project_id), await rows.enrolment(conn, project_id)
    run = await rows.run(conn, second, "a", DEADLINE - DAY)
    await enrolments.reselect(conn, ACCOUNT, [second], DEADLINE - TICK)

    async with open_connection(dsn) as watcher:
        async with conn.transaction():
            await conn.execute("SELECT FROM repositories WHERE id = $1 FOR NO KEY UPDATE", first)
            applying = await beside(watcher, other, enrolments.apply_due(other, DEADLINE))
            assert not applying.done()
            await rows.receipt(watcher, second, "a", DEADLINE - DAY)
        await applying

    assert await _column(conn, second, "frozen_run") == run


async def test_two_sessions_at_once_apply_each_repository_once(conn: Conn, other: Conn) -> None:
    project_id = await rows.project(conn)
    due = {await rows.enrolment(conn, project_id) for _ in range(3)}

    async with conn.transaction():
        first = _repositories(await enrolments.apply_due(conn, DEADLINE))
        second = await beside(conn, other, enrolments.apply_due(other, DEADLINE))

    assert set(first) == due
    assert await second == []


async def test_two_processes_that_tick_at_once_close_a_project_and_audit_it_once(conn: Conn, other: Conn) -> None:
    project_id = await rows.project(conn)
    repository = await rows.enrolment(conn, project_id)
    holder = await rows.process(conn)

    async with conn.transaction():
        await deadlines.claim(Tick(conn, DEADLINE, holder, 600, Counter()))
        second = await beside(conn, other, deadlines.claim(Tick(other, DEADLINE, holder, 600, Counter())))
    await second
    await deadlines.claim(Tick(conn, DEADLINE, holder, 600, Counter()))

    written = await conn.fetch("SELECT action, project_id, repository_id, detail FROM audit_log ORDER BY id")
    deadline = {"deadline": DEADLINE.isoformat()}
    assert [tuple(row) for row in written] == [
        ("project.closed", project_id, None, {"from": "open", "to": "closed"} | deadline),
        ("repository.applied", project_id, repository, deadline),
    ]


async def test_a_deadline_moved_away_while_a_tick_waits_for_the_project_is_not_applied(conn: Conn, other: Conn) -> None:
    project_id = await rows.project(conn)

    async with conn.transaction():
        await projects.hold(conn, ACCOUNT, project_id)
        await conn.execute("UPDATE projects SET deadline_at = $1", DEADLINE + DAY)
        closing = await beside(conn, other, projects.claim_due(other, DEADLINE))
        assert closing.done(), "a tick never waits"

    assert await closing == []
    assert await projects.claim_due(conn, DEADLINE) == []


async def test_the_effective_deadline_follows_the_project_and_an_own_one_stands(conn: Conn) -> None:
    project_id = await rows.project(conn)
    following = await rows.enrolment(conn, project_id)
    own = await rows.enrolment(conn, project_id, deadline_at=DEADLINE + DAY)

    await conn.execute("UPDATE projects SET deadline_at = $1 WHERE id = $2", DEADLINE + 7 * DAY, project_id)

    assert await _column(conn, following, "effective_at") == DEADLINE + 7 * DAY
    assert await _column(conn, own, "effective_at") == DEADLINE + DAY


async def test_without_its_own_deadline_a_repository_follows_the_project_again(conn: Conn) -> None:
    project_id = await rows.project(conn)
    repository = await rows.enrolment(conn, project_id, deadline_at=DEADLINE + DAY)
    project = await projects.hold(conn, ACCOUNT, project_id)

    assert await enrolments.set_own_deadline(conn, project, [repository], OwnDeadline(None)) == [repository]

    assert await _column(conn, repository, "effective_at") == DEADLINE


def _repositories(applied: list[asyncpg.Record]) -> list[int]:
    return [row["repository_id"] for row in applied]


async def _column(conn: Conn, repository_id: int, name: str) -> Any:
    return await conn.fetchval(f"SELECT {name} FROM enrolments WHERE repository_id = $1", repository_id)

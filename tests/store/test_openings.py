"""A draft opens at its start, once, or stays one where it cannot (docs/design.md section 8)."""

from collections import Counter
from datetime import datetime, timedelta
from typing import Any

import pytest

from bot.store import projects
from bot.store.records import Conn
from bot.sweeper import deadlines, nudges, openings
from bot.sweeper.tick import Tick

from . import rows
from .rows import ACCOUNT, DEADLINE

START = DEADLINE - timedelta(days=7)
MINUTE = timedelta(minutes=1)
SECOND = timedelta(seconds=1)


async def scheduled(conn: Conn, **columns: Any) -> int:
    """A draft that opens by itself at the start, without repositories."""
    return await rows.project(conn, state="draft", opens_at=START, **columns)


async def tick(conn: Conn, now: datetime) -> None:
    """The clock's turn."""
    async with conn.transaction():
        assert await openings.claim(await turn(conn, now)) == []


async def turn(conn: Conn, now: datetime) -> Tick:
    """What each task of the clock is handed."""
    return Tick(conn, now, await rows.process(conn), 600, Counter())


async def in_a_row(conn: Conn, **columns: Any) -> tuple[int, int]:
    """An open project that closes at the start, and the draft that opens then over the same repository."""
    course = await rows.course(conn)
    first = await rows.project(conn, course, deadline_at=START, **columns)
    draft = await scheduled(conn, course_id=course, created_at=START - MINUTE)
    await rows.enrolment(conn, draft, await rows.enrolment(conn, first))
    return first, draft


async def state(conn: Conn, project_id: int) -> str:
    """Draft, open and so on."""
    return str(await conn.fetchval("SELECT state FROM projects WHERE id = $1", project_id))


async def audited(conn: Conn) -> list[tuple[str, datetime]]:
    """What was written about openings, and of when."""
    return [tuple(row) for row in await conn.fetch("SELECT action, at FROM audit_log ORDER BY id")]


async def test_a_scheduled_draft_stays_one_until_its_very_start_and_is_published_and_audited_once(conn: Conn) -> None:
    draft = await scheduled(conn)
    await rows.enrolment(conn, draft)

    await tick(conn, START - MINUTE)
    assert await state(conn, draft) == "draft"
    assert await audited(conn) == []

    for now in (START, START + MINUTE):
        await tick(conn, now)
        assert await state(conn, draft) == "open"
        assert await audited(conn) == [("project.open", START)]
    assert await conn.fetchval("SELECT published_at FROM projects") == START


async def test_one_that_nobody_would_see_stays_a_draft_unaudited_and_opens_with_its_first_repository(
    conn: Conn,
) -> None:
    empty = await scheduled(conn)
    await rows.enrolment(conn, empty, withdrawn_at=START - MINUTE)

    await tick(conn, START)
    await tick(conn, START + MINUTE)
    assert await state(conn, empty) == "draft"
    assert await audited(conn) == []

    await rows.enrolment(conn, empty)
    await tick(conn, START + 2 * MINUTE)
    assert await state(conn, empty) == "open"


async def test_one_whose_repository_another_open_project_holds_is_left_to_the_staff_and_audited_once(
    conn: Conn,
) -> None:
    course = await rows.course(conn)
    repository = await rows.enrolment(conn, await rows.project(conn, course, slug="lab1"))
    hindered, free = await scheduled(conn, course_id=course), await scheduled(conn, course_id=course)
    await rows.enrolment(conn, hindered, repository)
    await rows.enrolment(conn, free)

    await tick(conn, START)
    await tick(conn, START + MINUTE)

    assert [await state(conn, hindered), await state(conn, free)] == ["draft", "open"]
    assert [action for action, _ in await audited(conn)] == ["project.opening_refused", "project.open"]


async def test_one_whose_repository_another_process_is_letting_go_at_this_moment_stays_due_and_opens_then(
    conn: Conn, other: Conn
) -> None:
    _, draft = await in_a_row(conn)
    closing = await turn(other, START)

    async with other.transaction():
        await deadlines.claim(closing)
        for seconds in range(3):
            await tick(conn, START + seconds * SECOND)
        assert [await state(conn, draft), await audited(conn)] == ["draft", []]
    await tick(conn, START + 3 * SECOND)

    assert await state(conn, draft) == "open"
    assert [action for action, _ in await audited(conn)] == ["project.closed", "repository.applied", "project.open"]


async def test_one_that_follows_a_project_which_a_command_holds_waits_unseen_until_that_is_closed(
    conn: Conn, other: Conn
) -> None:
    first, draft = await in_a_row(conn)
    closing = await turn(conn, START)

    async with other.transaction():
        await projects.hold(other, ACCOUNT, first)
        async with conn.transaction():
            await deadlines.claim(closing)
        await tick(conn, START)
        assert [await state(conn, first), await state(conn, draft)] == ["open", "draft"]
        assert [action for action, _ in await audited(conn)] == ["repository.applied"]
        next_due = await projects.next_due(conn, START)
        assert next_due is None or next_due > START, "the ticker rests"
    async with conn.transaction():
        await deadlines.claim(closing)
    await tick(conn, START)

    assert [await state(conn, first), await state(conn, draft)] == ["closed", "open"]


async def test_one_that_waits_for_a_project_to_close_nudges_nobody_though_its_own_deadline_is_near(conn: Conn) -> None:
    _, draft = await in_a_row(conn)
    await conn.execute(
        "UPDATE projects SET deadline_at = $2, created_at = $3 WHERE id = $1",
        draft,
        START + 60 * MINUTE,
        START - 90 * MINUTE,
    )

    await tick(conn, START)
    async with conn.transaction():
        await nudges.claim(await turn(conn, START))

    assert await state(conn, draft) == "draft"
    assert await conn.fetchval("SELECT count(*) FROM outbox") == 0


async def test_the_holders_own_deadline_decides_not_that_of_its_repository(conn: Conn) -> None:
    first, draft = await in_a_row(conn)
    await conn.execute("UPDATE enrolments SET deadline_at = $2 WHERE project_id = $1", first, START + MINUTE)

    await tick(conn, START)
    assert [await state(conn, draft), await audited(conn)] == ["draft", []]
    async with conn.transaction():
        await deadlines.claim(await turn(conn, START))
    await tick(conn, START)

    assert await state(conn, draft) == "open"


async def test_a_holder_that_no_deadline_closes_refuses_it_for_good(conn: Conn) -> None:
    _, draft = await in_a_row(conn, archived_at=START - MINUTE)

    await tick(conn, START)

    assert await state(conn, draft) == "draft"
    assert [action for action, _ in await audited(conn)] == ["project.opening_refused"]


async def test_beside_a_holder_that_closes_now_another_that_stays_refuses_it(conn: Conn) -> None:
    _, draft = await in_a_row(conn)
    course = await conn.fetchval("SELECT course_id FROM projects WHERE id = $1", draft)
    await rows.enrolment(conn, draft, await rows.enrolment(conn, await rows.project(conn, course)))

    await tick(conn, START)

    assert [action for action, _ in await audited(conn)] == ["project.opening_refused"]


@pytest.mark.parametrize("repositories", [0, 1])
async def test_one_whose_deadline_came_first_is_left_to_the_staff_who_are_told_once_and_looked_at_no_more(
    conn: Conn, repositories: int
) -> None:
    draft = await scheduled(conn, created_at=START - MINUTE)
    for _ in range(repositories):
        await rows.enrolment(conn, draft)

    for now in (DEADLINE, DEADLINE + SECOND):
        await tick(conn, now)
        async with conn.transaction():
            await nudges.claim(await turn(conn, now))

    assert await state(conn, draft) == "draft"
    assert await audited(conn) == [("project.opening_refused", DEADLINE)]
    assert [row["body"] for row in await conn.fetch("SELECT body FROM outbox")] == [
        "Its deadline had come before it could open."
    ]
    assert await conn.fetchval("SELECT opens_at FROM projects") is None
    assert await projects.claim_openings(conn, DEADLINE + SECOND) == []


async def test_one_refused_long_before_its_deadline_is_told_now_and_nudged_about_on_its_last_day(conn: Conn) -> None:
    draft = await scheduled(conn, created_at=START - MINUTE)
    course = await conn.fetchval("SELECT course_id FROM projects WHERE id = $1", draft)
    await rows.enrolment(conn, draft, await rows.enrolment(conn, await rows.project(conn, course)))

    for now in (START, START + MINUTE, DEADLINE - MINUTE):
        await tick(conn, now)
        async with conn.transaction():
            await nudges.claim(await turn(conn, now))

    said = [row["written_at"] for row in await conn.fetch("SELECT written_at FROM outbox ORDER BY id")]
    assert said == [START, DEADLINE - MINUTE]

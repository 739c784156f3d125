"""A draft opens at its start, once, or stays one where it cannot (docs/design.md section 8)."""

from collections import Counter
from datetime import datetime, timedelta
from typing import Any

from bot.store.records import Conn
from bot.sweeper import openings
from bot.sweeper.tick import Tick

from . import rows
from .rows import DEADLINE

START = DEADLINE - timedelta(days=7)
MINUTE = timedelta(minutes=1)


async def scheduled(conn: Conn, **columns: Any) -> int:
    """A draft that opens by itself at the start, without repositories."""
    return await rows.project(conn, state="draft", opens_at=START, **columns)


async def tick(conn: Conn, now: datetime) -> None:
    """The clock's turn."""
    async with conn.transaction():
        assert await openings.claim(Tick(conn, now, await rows.process(conn), 600, Counter())) == []


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

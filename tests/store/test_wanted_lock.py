"""The lock that a repository is wanted to have, kept by triggers from other rows (docs/design.md section 4)."""

from typing import Any

import asyncpg
import pytest

from bot.store.records import Conn

from . import rows
from .rows import DEADLINE
from .sessions import beside

APPLIED: dict[str, Any] = {"deadline_applied_at": DEADLINE}
OPEN: dict[str, Any] = {"state": "open"}
CLOSED: dict[str, Any] = {"state": "closed"}

Part = tuple[dict[str, Any], dict[str, Any]]
"""A project, and what a repository's part in it says."""


@pytest.mark.parametrize(
    ("parts", "wanted"),
    [
        pytest.param([], None, id="in no project, nothing speaks"),
        pytest.param([(OPEN, {})], False, id="an open project before the deadline wants it open"),
        pytest.param([(OPEN, APPLIED)], True, id="an open project after the repository's deadline wants it closed"),
        pytest.param([(CLOSED, {})], False, id="a closed project leaves a later own deadline open"),
        pytest.param([(CLOSED, APPLIED)], True, id="a closed project wants it closed"),
        pytest.param([(CLOSED, APPLIED), (OPEN, {})], False, id="the open project that holds it decides"),
        pytest.param([(CLOSED, {}), (OPEN, APPLIED)], True, id="the open project that holds it decides to close"),
        pytest.param([(CLOSED, APPLIED), (CLOSED, {})], False, id="no project cuts an extension of another short"),
        pytest.param([(CLOSED, APPLIED), (CLOSED, APPLIED)], True, id="without an open one any closed project decides"),
        pytest.param([({"state": "graded"}, APPLIED)], True, id="a graded project keeps it closed"),
        pytest.param([(CLOSED, APPLIED | {"withdrawn_at": DEADLINE})], False, id="a withdrawal lifts the lock"),
        pytest.param(
            [(CLOSED, APPLIED | {"withdrawn_at": DEADLINE}), (CLOSED, APPLIED)],
            True,
            id="withdrawn from one project, another still wants it closed",
        ),
        pytest.param(
            [(CLOSED, APPLIED | {"withdrawn_at": DEADLINE}), ({"state": "draft"}, {})],
            False,
            id="a draft keeps nothing that a withdrawal lifts",
        ),
        pytest.param(
            [(CLOSED, APPLIED | {"withdrawn_at": DEADLINE}), (CLOSED | {"archived_at": DEADLINE}, APPLIED)],
            None,
            id="an archived project keeps its lock though another one is withdrawn from",
        ),
        pytest.param([({"state": "draft"}, {})], None, id="a draft does not speak"),
        pytest.param([(CLOSED | {"archived_at": DEADLINE}, APPLIED)], None, id="an archived project does not speak"),
        pytest.param([(CLOSED | {"strategy": "commit"}, APPLIED)], False, id="the strategy commit wants no lock"),
    ],
)
async def test_what_is_wanted_follows_from_the_rows(conn: Conn, parts: list[Part], wanted: bool | None) -> None:
    repository = await rows.repository(conn)
    course = await rows.course(conn)
    for project, part in parts:
        await rows.enrolment(conn, await rows.project(conn, course, **project), repository, **part)

    assert await _wanted(conn, repository) is wanted


async def test_a_repository_that_is_gone_keeps_the_lock_it_has_and_is_spoken_of_again_once_it_is_back(
    conn: Conn,
) -> None:
    repository = await rows.enrolment(conn, await rows.project(conn), **APPLIED)

    await conn.execute("UPDATE repositories SET gone_at = $1, gone_as = 'removed'", DEADLINE)
    assert await _wanted(conn, repository) is None

    await conn.execute("UPDATE repositories SET gone_at = NULL, gone_as = NULL")
    assert await _wanted(conn, repository) is True


async def test_a_course_in_shadow_mode_does_not_speak(conn: Conn) -> None:
    shadow = await rows.project(conn, await rows.course(conn, mode="shadow"))
    repository = await rows.enrolment(conn, shadow, **APPLIED)

    assert await _wanted(conn, repository) is None


@pytest.mark.parametrize(
    ("change", "wanted"),
    [
        ("UPDATE enrolments SET deadline_applied_at = NULL", False),
        ("UPDATE enrolments SET withdrawn_at = now()", False),
        ("UPDATE projects SET strategy = 'commit'", False),
        ("UPDATE projects SET archived_at = now()", None),
        ("UPDATE projects SET state = 'draft'", None),
        ("UPDATE repositories SET gone_at = now(), gone_as = 'deleted'", None),
    ],
)
async def test_every_change_of_what_it_rests_on_is_followed(conn: Conn, change: str, wanted: bool | None) -> None:
    repository = await rows.enrolment(conn, await rows.project(conn), **APPLIED)
    assert await _wanted(conn, repository) is True

    await conn.execute(change)

    assert await _wanted(conn, repository) is wanted


async def test_a_project_that_closes_lets_the_next_one_decide(conn: Conn) -> None:
    course = await rows.course(conn)
    first, second = await rows.project(conn, course), await rows.project(conn, course, state="draft")
    repository = await rows.enrolment(conn, first, **APPLIED)
    await rows.enrolment(conn, second, repository)

    await conn.execute("UPDATE projects SET state = 'closed' WHERE id = $1", first)
    await conn.execute("UPDATE enrolments SET holding = false WHERE project_id = $1", first)
    assert await _wanted(conn, repository) is True

    await conn.execute("UPDATE projects SET state = 'open' WHERE id = $1", second)
    await conn.execute("UPDATE enrolments SET holding = true WHERE project_id = $1", second)
    assert await _wanted(conn, repository) is False


async def test_two_sessions_that_change_two_projects_of_one_repository_end_with_the_right_value(
    conn: Conn, other: Conn
) -> None:
    course = await rows.course(conn)
    first = await rows.project(conn, course, state="closed")
    second = await rows.project(conn, course, state="closed")
    repository = await rows.enrolment(conn, first)
    await rows.enrolment(conn, second, repository)

    # Each alone still sees the other part wait for its own deadline: closed once both have come.
    async with conn.transaction():
        await _set_applied(conn, first, DEADLINE)
        applying = await beside(conn, other, _set_applied(other, second, DEADLINE))
        assert not applying.done(), "the second waits for what the first makes of the repository"
    await applying
    assert await _wanted(conn, repository) is True

    # Both let it go, neither having seen that the other does.
    async with conn.transaction():
        await _set_applied(conn, first, None)
        lifting = await beside(conn, other, _set_applied(other, second, None))
    await lifting
    assert await _wanted(conn, repository) is False


async def test_a_change_that_is_rolled_back_leaves_the_wish_as_it_was(conn: Conn) -> None:
    repository = await rows.enrolment(conn, await rows.project(conn))
    transaction = conn.transaction()
    await transaction.start()
    await conn.execute("UPDATE enrolments SET deadline_applied_at = now()")
    assert await _wanted(conn, repository) is True

    await transaction.rollback()

    assert await _wanted(conn, repository) is False


async def test_at_most_one_open_project_holds_a_repository(conn: Conn) -> None:
    course = await rows.course(conn)
    repository = await rows.enrolment(conn, await rows.project(conn, course))
    second = await rows.project(conn, course)

    with pytest.raises(asyncpg.UniqueViolationError, match="enrolments_one_open_project"):
        await rows.enrolment(conn, second, repository)


async def _set_applied(conn: Conn, project_id: int, instant: object) -> None:
    await conn.execute("UPDATE enrolments SET deadline_applied_at = $1 WHERE project_id = $2", instant, project_id)


async def _wanted(conn: Conn, repository_id: int) -> bool | None:
    wanted: bool | None = await conn.fetchval("SELECT wanted_lock FROM repositories WHERE id = $1", repository_id)
    return wanted

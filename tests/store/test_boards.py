"""What makes a control issue due, and that no news is lost between reading and writing (docs/design.md section 10)."""

from datetime import timedelta

import pytest

from bot.store import boards
from bot.store.leases import Lease
from bot.store.records import Conn

from . import rows
from .rows import ACCOUNT, DEADLINE
from .sessions import beside
from .work import take

CHANGES = {
    "a deadline": "UPDATE projects SET deadline_at = deadline_at + interval '1 day'",
    "a repository is applied": "UPDATE enrolments SET deadline_applied_at = effective_at",
    "a repository is locked": "UPDATE repositories SET locked_at = now()",
    "a repository is gone": "UPDATE repositories SET gone_at = now()",
    "a push is understood": "UPDATE receipts SET pusher = 'student'",
    "the zone": "UPDATE courses SET timezone = 'UTC'",
    "the mode": "UPDATE courses SET mode = 'shadow'",
    "a task": "INSERT INTO tasks (account_id, kind, course_id, project_id, created_at) "
    "SELECT account_id, 'approve', course_id, id, now() FROM projects",
}
NOTHING_SHOWN = {
    "a repository is leased": "UPDATE repositories SET leased_at = now(), read_due_at = NULL",
    "a project is leased": "UPDATE projects SET dispatch_job_at = now()",
    "a repository of nobody": "INSERT INTO repositories (account_id, id, name, default_branch, private) "
    "VALUES (5, 1, 'x', 'main', true)",
}


async def shown(conn: Conn) -> int:
    """A project with one repository, of which everything is shown."""
    await rows.installation(conn)
    project_id = await rows.project(conn)
    repository_id = await rows.enrolment(conn, project_id)
    await rows.receipt(conn, repository_id, "a", DEADLINE, pusher="unknown")
    await conn.execute("DELETE FROM board_news")
    return project_id


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
async def test_what_a_board_says_makes_it_due_when_it_changes(conn: Conn, change: str) -> None:
    project_id = await shown(conn)

    await conn.execute(change)

    assert set(await projects_with_news(conn)) == {project_id}


@pytest.mark.parametrize("change", NOTHING_SHOWN.values(), ids=NOTHING_SHOWN)
async def test_what_it_does_not_say_does_not(conn: Conn, change: str) -> None:
    await shown(conn)

    await conn.execute(change)

    assert await projects_with_news(conn) == []


async def test_one_statement_over_many_repositories_is_one_piece_of_news(conn: Conn) -> None:
    project_id = await shown(conn)
    for _ in range(5):
        await rows.enrolment(conn, project_id)
    await conn.execute("DELETE FROM board_news")

    await conn.execute("UPDATE enrolments SET deadline_applied_at = effective_at")

    assert len(await boards.news(conn, ACCOUNT, project_id)) == 1


async def test_what_becomes_known_after_the_reading_stays_due(conn: Conn) -> None:
    project_id, lease = await taken(conn)
    read = await boards.news(conn, ACCOUNT, project_id)

    await conn.execute("UPDATE projects SET state = 'closed'")
    await boards.shown(conn, lease, "a digest", read, None)

    assert await projects_with_news(conn) == [project_id]


async def test_what_was_not_committed_at_the_reading_stays_due(conn: Conn, other: Conn) -> None:
    project_id, lease = await taken(conn)

    async with other.transaction():
        await other.execute("UPDATE enrolments SET deadline_applied_at = effective_at")
        read = await boards.news(conn, ACCOUNT, project_id)
    await boards.shown(conn, lease, "a digest", read, None)

    assert set(await projects_with_news(conn)) == {project_id}


async def test_writers_of_one_project_do_not_wait_for_each_other(conn: Conn, other: Conn) -> None:
    project_id = await shown(conn)
    first, second = await rows.enrolment(conn, project_id), await rows.enrolment(conn, project_id)
    change = "UPDATE enrolments SET current_run = 7 WHERE repository_id = $1"

    async with conn.transaction():
        await conn.execute(change, first)
        beside_it = await beside(conn, other, other.execute(change, second))
        assert beside_it.done()
    await beside_it


async def test_an_edit_keeps_the_next_one_waiting_for_half_a_minute(conn: Conn) -> None:
    _, lease = await taken(conn)
    await boards.shown(conn, lease, "a digest", [], 30.0)
    await conn.execute("UPDATE boards SET leased_at = NULL, leased_by = NULL")

    assert await take(conn, "boards", await rows.process(conn)) == []
    await conn.execute("UPDATE boards SET due_at = due_at - interval '30 seconds'")
    assert len(await take(conn, "boards", await rows.process(conn))) == 1


async def test_what_was_given_up_is_not_taken_until_somebody_touches_the_issue(conn: Conn) -> None:
    project_id, lease = await taken(conn)
    await boards.give_up(conn, lease, [], "gone")
    await conn.execute("UPDATE boards SET leased_at = NULL, leased_by = NULL")
    assert await take(conn, "boards", await rows.process(conn)) == []

    where = await boards.facts(conn, ACCOUNT, project_id)
    assert where is not None
    await boards.touched(conn, ACCOUNT, where.repository_id, where.issue_number)

    assert len(await take(conn, "boards", await rows.process(conn))) == 1


async def test_only_commits_received_in_time_are_counted(conn: Conn) -> None:
    project_id = await rows.project(conn)
    in_time, late, staff = [await rows.enrolment(conn, project_id) for _ in range(3)]
    await rows.receipt(conn, in_time, "a", DEADLINE)
    await rows.receipt(conn, late, "b", DEADLINE + timedelta(seconds=1))
    await rows.receipt(conn, staff, "c", DEADLINE, pusher="staff")

    assert await boards.received(conn, ACCOUNT, project_id) == 1


async def taken(conn: Conn) -> tuple[int, Lease]:
    """A project whose board is being written."""
    project_id = await shown(conn)
    await conn.execute("UPDATE projects SET grace_seconds = 60")
    (lease,) = await take(conn, "boards", await rows.process(conn))
    return project_id, lease


async def projects_with_news(conn: Conn) -> list[int]:
    return [row["project_id"] for row in await conn.fetch("SELECT DISTINCT project_id FROM board_news")]

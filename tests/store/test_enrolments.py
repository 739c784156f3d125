"""Into a project, and into a new round of it (docs/design.md sections 4 and 11)."""

from datetime import timedelta
from typing import Any

from bot.store import enrolments, projects
from bot.store.records import Conn

from . import rows
from .rows import ACCOUNT, DEADLINE, TICK
from .sessions import beside

DAY = timedelta(days=1)
FROZEN: dict[str, Any] = {
    "deadline_applied_at": DEADLINE,
    "frozen_at": DEADLINE,
    "frozen_run": 1,
    "submission_sha": "a",
    "submission_at": DEADLINE,
    "review_settled_at": DEADLINE,
    "review_skipped": "no submission",
}


async def test_a_repository_is_enrolled_once_and_follows_the_projects_deadline(conn: Conn) -> None:
    project = await projects.hold(conn, ACCOUNT, await rows.project(conn, state="draft"))
    repository = await rows.repository(conn)

    assert await enrolments.enrol(conn, project, [repository], DEADLINE - DAY) == [repository]
    assert await enrolments.enrol(conn, project, [repository], DEADLINE - DAY) == []

    row = await conn.fetchrow("SELECT effective_at, holding FROM enrolments")
    assert row is not None
    assert tuple(row) == (DEADLINE, False)


async def test_an_open_project_holds_what_it_enrols_and_leaves_what_another_one_holds(conn: Conn) -> None:
    course = await rows.course(conn)
    held = await rows.enrolment(conn, await rows.project(conn, course, slug="lab1"))
    free = await rows.repository(conn)
    second = await projects.hold(conn, ACCOUNT, await rows.project(conn, course, slug="lab2"))

    assert await enrolments.enrol(conn, second, [held, free], DEADLINE - DAY) == [free]

    assert await enrolments.held(conn, ACCOUNT) == {held: "lab1", free: "lab2"}


async def test_a_staff_repository_is_never_enrolled(conn: Conn) -> None:
    staff = await rows.repository(conn)
    project = await projects.hold(conn, ACCOUNT, await rows.project(conn, await rows.course(conn, "active", staff)))

    assert await enrolments.enrol(conn, project, [staff], DEADLINE - DAY) == []


async def test_what_was_applied_and_now_lies_ahead_begins_a_new_round_with_nothing_settled(conn: Conn) -> None:
    project_id = await rows.project(conn, state="closed", deadline_at=DEADLINE + DAY)
    repository = await rows.enrolment(conn, project_id, current_run=2, **FROZEN)
    project = await projects.hold(conn, ACCOUNT, project_id)

    assert await enrolments.reopen(conn, project, DEADLINE) == [repository]

    columns = ", ".join(FROZEN)
    row = await conn.fetchrow(f"SELECT {columns} FROM enrolments")
    assert row is not None
    assert dict(row) == dict.fromkeys(FROZEN)
    kept = await conn.fetchrow("SELECT round, current_run FROM enrolments")
    assert kept is not None
    assert tuple(kept) == (2, 2)


async def test_only_what_was_applied_and_lies_ahead_is_reopened(conn: Conn) -> None:
    project_id = await rows.project(conn, state="closed")
    await rows.enrolment(conn, project_id, **FROZEN)
    await rows.enrolment(conn, project_id, deadline_at=DEADLINE + DAY)
    await rows.enrolment(conn, project_id, withdrawn_at=DEADLINE, deadline_at=DEADLINE + DAY, **FROZEN)
    project = await projects.hold(conn, ACCOUNT, project_id)

    assert await enrolments.reopen(conn, project, DEADLINE) == []
    assert len(await enrolments.reopen(conn, project, DEADLINE - TICK)) == 1


async def test_a_tick_that_waits_for_nobody_applies_a_repository_again_in_its_new_round(
    conn: Conn, other: Conn
) -> None:
    project_id = await rows.project(conn, state="closed", deadline_at=DEADLINE + DAY)
    repository = await rows.enrolment(conn, project_id, **FROZEN)
    project = await projects.hold(conn, ACCOUNT, project_id)

    async with conn.transaction():
        await enrolments.reopen(conn, project, DEADLINE)
        ticking = await beside(conn, other, enrolments.apply_due(other, DEADLINE + DAY))
        assert ticking.done()

    assert [row["repository_id"] for row in await enrolments.apply_due(conn, DEADLINE + DAY)] == [repository]


async def test_the_overview_shows_the_frozen_score_once_the_deadline_was_applied(conn: Conn) -> None:
    repository = await rows.repository(conn)
    old = await rows.run(conn, repository, "a", DEADLINE, points=3)
    new = await rows.run(conn, repository, "b", DEADLINE, points=5)
    project_id = await rows.project(conn)
    await rows.enrolment(conn, project_id, repository, current_run=new, frozen_run=old)

    assert await _points(conn, project_id) == [5]
    await conn.execute("UPDATE enrolments SET deadline_applied_at = $1", DEADLINE)
    assert await _points(conn, project_id) == [3]


async def test_the_overview_shows_what_became_of_the_review_of_this_round_alone(conn: Conn) -> None:
    project_id = await rows.project(conn, state="closed")
    repository = await rows.enrolment(conn, project_id, round=2)
    for nth, outcome in ((1, "accepted"), (2, "given back"), (2, None)):
        await _dispatch(conn, project_id, repository, nth, outcome)

    assert [row.review for row in await enrolments.of_project(conn, ACCOUNT, project_id)] == ["not confirmed"]


async def _dispatch(conn: Conn, project_id: int, repository_id: int, nth: int, outcome: str | None) -> None:
    what: dict[str, Any] = {"trigger": "deadline", "round": nth, "sha": "a", "outcome": outcome}
    where = {"account_id": ACCOUNT, "project_id": project_id, "repository_id": repository_id}
    nonce = await conn.fetchval("SELECT gen_random_uuid()")
    await rows.insert(conn, "dispatches", "id", **where, **what, nonce=nonce, claimed_at=DEADLINE)


async def _points(conn: Conn, project_id: int) -> list[float | None]:
    return [row.points for row in await enrolments.of_project(conn, ACCOUNT, project_id)]

"""The one door through which a project's state changes (docs/design.md section 8)."""

from dataclasses import replace
from datetime import timedelta

import pytest

from bot.errors import Told
from bot.model import CLOCK, Project, State
from bot.rules.states import EDGES
from bot.store import projects
from bot.store.records import Conn

from . import rows
from .rows import ACCOUNT, DEADLINE
from .sessions import beside

DAY = timedelta(days=1)


async def in_state(conn: Conn, state: State) -> Project:
    """A project in `state` with one repository."""
    project_id = await rows.project(conn, state=state.value)
    await rows.enrolment(conn, project_id)
    return await projects.hold(conn, ACCOUNT, project_id)


@pytest.mark.parametrize("to", State)
@pytest.mark.parametrize("here", State)
async def test_the_edges_of_the_table_are_gone_and_audited_and_no_other(conn: Conn, here: State, to: State) -> None:
    project = await in_state(conn, here)

    if (here, to) in EDGES:
        assert await projects.transition(conn, project, to, CLOCK, DEADLINE)
    else:
        with pytest.raises(Told, match="E-STATE"):
            await projects.transition(conn, project, to, CLOCK, DEADLINE)

    gone = (here, to) in EDGES
    assert await conn.fetchval("SELECT state FROM projects") == (to if gone else here)
    assert await conn.fetchval("SELECT count(*) FROM audit_log") == int(gone)


async def test_a_project_that_is_no_longer_where_it_was_seen_stays_where_it_is(conn: Conn) -> None:
    seen = await in_state(conn, State.OPEN)
    await projects.transition(conn, seen, State.CLOSED, CLOCK, DEADLINE)

    assert not await projects.transition(conn, seen, State.CLOSED, CLOCK, DEADLINE + DAY)

    assert await conn.fetchval("SELECT deadline_applied_at FROM projects") == DEADLINE
    assert await conn.fetchval("SELECT count(*) FROM audit_log") == 1


async def test_of_two_sessions_one_moves_the_project(conn: Conn, other: Conn) -> None:
    project = await in_state(conn, State.OPEN)

    async with conn.transaction():
        assert await projects.transition(conn, project, State.CLOSED, CLOCK, DEADLINE)
        second = await beside(conn, other, projects.transition(other, project, State.CLOSED, CLOCK, DEADLINE))
        assert not second.done()

    assert not await second


async def test_closing_is_dated_and_opening_again_takes_the_date_back(conn: Conn) -> None:
    project = await in_state(conn, State.OPEN)

    await projects.transition(conn, project, State.CLOSED, CLOCK, DEADLINE)
    closed = await projects.hold(conn, ACCOUNT, project.id)
    assert closed.deadline_applied_at == DEADLINE

    await projects.transition(conn, closed, State.OPEN, CLOCK, DEADLINE + DAY)
    assert (await projects.hold(conn, ACCOUNT, project.id)).deadline_applied_at is None


async def test_the_date_of_the_first_publication_stands(conn: Conn) -> None:
    project = await in_state(conn, State.DRAFT)

    await projects.transition(conn, project, State.OPEN, CLOCK, DEADLINE - DAY)
    await projects.transition(conn, replace(project, state="open"), State.CLOSED, CLOCK, DEADLINE)
    await projects.transition(conn, replace(project, state="closed"), State.OPEN, CLOCK, DEADLINE + DAY)

    assert await conn.fetchval("SELECT published_at FROM projects") == DEADLINE - DAY


async def test_an_open_project_holds_its_repositories_and_a_closed_one_lets_them_go(conn: Conn) -> None:
    project = await in_state(conn, State.DRAFT)
    assert not await conn.fetchval("SELECT holding FROM enrolments")

    await projects.transition(conn, project, State.OPEN, CLOCK, DEADLINE - DAY)
    assert await conn.fetchval("SELECT holding FROM enrolments")

    await projects.transition(conn, replace(project, state="open"), State.CLOSED, CLOCK, DEADLINE)
    assert not await conn.fetchval("SELECT holding FROM enrolments")


async def test_a_project_whose_repository_another_open_one_holds_does_not_open_and_says_which(conn: Conn) -> None:
    course = await rows.course(conn)
    repository = await rows.enrolment(conn, await rows.project(conn, course, slug="lab1"))
    draft = await rows.project(conn, course, state="draft")
    await rows.enrolment(conn, draft, repository)

    with pytest.raises(Told, match="E-HELD") as refusal:
        await projects.transition(conn, await projects.hold(conn, ACCOUNT, draft), State.OPEN, CLOCK, DEADLINE - DAY)

    assert f"`lab1-{repository}` (in `lab1`)" in refusal.value.reason


async def test_a_due_project_is_claimed_at_exactly_its_deadline_and_not_before(conn: Conn) -> None:
    project_id = await rows.project(conn)

    assert await projects.claim_due(conn, DEADLINE - rows.TICK) == []
    assert [project.id for project in await projects.claim_due(conn, DEADLINE)] == [project_id]


async def test_drafts_and_archived_projects_are_not_closed(conn: Conn) -> None:
    course = await rows.course(conn)
    await rows.project(conn, course, state="draft")
    await rows.project(conn, course, archived_at=DEADLINE - DAY)

    assert await projects.claim_due(conn, DEADLINE + DAY) == []


async def test_a_draft_is_claimed_at_its_time(conn: Conn) -> None:
    opens = DEADLINE - DAY
    project_id = await rows.project(conn, state="draft", opens_at=opens)
    await rows.enrolment(conn, project_id)

    assert await projects.claim_openings(conn, opens - rows.TICK) == []
    assert [project.id for project in await projects.claim_openings(conn, opens)] == [project_id]


async def test_the_next_due_instant_is_the_earliest_that_lies_ahead(conn: Conn) -> None:
    project_id = await rows.project(conn, grace_seconds=1800)
    await rows.enrolment(conn, project_id, deadline_at=DEADLINE - DAY)
    await rows.enrolment(conn, project_id, deadline_applied_at=DEADLINE - DAY)
    grace = timedelta(seconds=1800)

    assert await projects.next_due(conn, DEADLINE - 2 * DAY) == DEADLINE - DAY
    assert await projects.next_due(conn, DEADLINE - DAY) == DEADLINE
    assert await projects.next_due(conn, DEADLINE) == DEADLINE + grace
    assert await projects.next_due(conn, DEADLINE + grace) is None

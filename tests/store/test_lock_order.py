"""Whatever changes the wanted lock of several repositories takes them in the order in which the lock job holds them."""

from collections.abc import Awaitable, Callable
from datetime import timedelta

import pytest

from bot.model import CLOCK, RepositoryFact, State
from bot.store import enrolments, locks, projects, repositories
from bot.store.records import Conn

from . import rows
from .rows import ACCOUNT, DEADLINE
from .sessions import beside

LOW, HIGH = 1, 2
DAY = timedelta(days=1)
Change = Callable[[Conn, int], Awaitable[object]]


async def apply(conn: Conn, _project_id: int) -> None:
    """The tick at the deadline."""
    await enrolments.apply_due(conn, DEADLINE)


async def close(conn: Conn, project_id: int) -> None:
    """The tick at the project's deadline."""
    await projects.transition(conn, await projects.hold(conn, ACCOUNT, project_id), State.CLOSED, CLOCK, DEADLINE)


async def reopen(conn: Conn, project_id: int) -> None:
    """A command that moves the deadline ahead."""
    await enrolments.reopen(conn, await projects.hold(conn, ACCOUNT, project_id), DEADLINE - DAY)


async def enrol(conn: Conn, _project_id: int) -> None:
    """A command that creates a project."""
    draft = await rows.project(conn, state="draft")
    await enrolments.enrol(conn, await projects.hold(conn, ACCOUNT, draft), [HIGH, LOW], DEADLINE)


async def read(conn: Conn, _project_id: int) -> None:
    """A job that lists the organisation's repositories."""
    facts = [RepositoryFact(number, f"lab1-{number}", "main", True, False, False) for number in (HIGH, LOW)]
    await repositories.upsert(conn, ACCOUNT, facts)


async def withdraw(conn: Conn, project_id: int) -> None:
    """A command that takes repositories out of a project."""
    await enrolments.withdraw(conn, await projects.hold(conn, ACCOUNT, project_id), [HIGH, LOW], DEADLINE)


async def take_back(conn: Conn, project_id: int) -> None:
    """A command that has them take part again."""
    await enrolments.take_back(conn, await projects.hold(conn, ACCOUNT, project_id), [HIGH, LOW])


async def other_teams(conn: Conn, _project_id: int) -> None:
    """A command that gives the course another team."""
    await conn.execute("UPDATE courses SET staff_team_id = staff_team_id + 1")


async def other_plan(conn: Conn, _: int) -> None:
    """The installation was read."""
    await locks.doubt(conn, ACCOUNT, DEADLINE, other_plan=True)


@pytest.mark.parametrize(
    ("given", "change"),
    [
        ({}, apply),
        ({}, close),
        ({"deadline_applied_at": DEADLINE}, reopen),
        ({}, enrol),
        ({}, read),
        ({}, withdraw),
        ({"withdrawn_at": DEADLINE}, take_back),
        ({}, other_teams),
        ({}, other_plan),
    ],
)
async def test_neither_can_hold_what_the_other_waits_for(
    conn: Conn, other: Conn, given: dict[str, object], change: Change
) -> None:
    project_id = await rows.project(conn)
    for number in (HIGH, LOW):
        repository = await rows.repository(conn, id=number, lock_kind="repository")
        await rows.enrolment(conn, project_id, repository, **given)

    # Left to the table's own order, as a plan for a large course would leave it.
    await other.execute("SET enable_nestloop = off; SET enable_mergejoin = off")

    async def work() -> None:
        async with other.transaction():
            await change(other, project_id)

    async with conn.transaction():
        await _hold(conn, LOW)
        changing = await beside(conn, other, work())
        assert not changing.done(), "it waits for the repository that comes first"
        await _hold(conn, HIGH)
    await changing


async def _hold(conn: Conn, number: int) -> None:
    """As the lock job does, one after the other."""
    await conn.execute("SELECT FROM repositories WHERE id = $1 FOR NO KEY UPDATE", number)

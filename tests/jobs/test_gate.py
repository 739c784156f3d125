"""Each call by its urgency at the gate that all processes share (docs/design.md section 5)."""

from itertools import pairwise

import pytest

from bot.github.gate import Call, Urgency
from bot.jobs.gate import CEILINGS, SharedGate
from bot.store.records import Conn
from tests.store import rows
from tests.store.rows import ACCOUNT, INSTALLATION

from .conftest import Pool


def call(
    method: str = "PUT",
    urgency: Urgency = Urgency.DEADLINE,
    repository_ids: tuple[int, ...] = (),
    creates_content: bool = False,
) -> Call:
    """A call of the installation."""
    return Call(method, "/x", ACCOUNT, INSTALLATION, repository_ids, urgency, creates_content)


async def spent(conn: Conn, points: int) -> None:
    """So many points were spent a moment ago."""
    await rows.installation(conn)
    await conn.execute(
        "UPDATE installations SET budget_at = now.second, points_by_second[now.second % 65 + 1] = $1 "
        "FROM (SELECT floor(extract(epoch FROM clock_timestamp()))::bigint AS second) AS now",
        points,
    )


def test_deadlines_may_use_all_that_github_allows_and_the_less_urgent_leave_some_to_the_more_urgent() -> None:
    assert set(CEILINGS) == set(Urgency)
    assert CEILINGS[Urgency.DEADLINE] == 900
    assert all(CEILINGS[more] > CEILINGS[less] for more, less in pairwise(Urgency))


@pytest.mark.parametrize("urgency", Urgency)
async def test_each_urgency_has_its_ceiling(pool: Pool, urgency: Urgency) -> None:
    async with pool.acquire() as conn:
        await spent(conn, CEILINGS[urgency] - 5)
    gate = SharedGate(pool)

    assert (await gate.admit(call(urgency=urgency))).verdict == "go"
    assert (await gate.admit(call(urgency=urgency))).verdict == "wait"


async def test_a_write_costs_five_points_and_a_read_one(pool: Pool) -> None:
    async with pool.acquire() as conn:
        await spent(conn, CEILINGS[Urgency.DEADLINE] - 6)
    gate = SharedGate(pool)

    verdicts = [(await gate.admit(call(method))).verdict for method in ("PUT", "PUT", "GET", "GET")]

    assert verdicts == ["go", "wait", "go", "wait"]


async def test_writes_to_a_shadow_course_are_held_and_reads_are_not(pool: Pool) -> None:
    async with pool.acquire() as conn:
        await rows.installation(conn)
        repository = await rows.enrolment(conn, await rows.project(conn, await rows.course(conn, mode="shadow")))
    gate = SharedGate(pool)

    assert (await gate.admit(call("PUT", repository_ids=(repository,)))).verdict == "shadow"
    assert (await gate.admit(call("GET", repository_ids=(repository,)))).verdict == "go"


async def test_a_pause_holds_every_call_of_the_installation_in_every_process(pool: Pool) -> None:
    async with pool.acquire() as conn:
        await rows.installation(conn)

    await SharedGate(pool).pause(call(), 90)

    admission = await SharedGate(pool).admit(call("GET", Urgency.READ))
    assert admission.verdict == "paused"
    assert admission.after_seconds == pytest.approx(90, abs=10)


async def test_content_is_counted_apart(pool: Pool) -> None:
    async with pool.acquire() as conn:
        await spent(conn, 0)
        await conn.execute("UPDATE installations SET content_by_second[budget_at % 65 + 1] = 80")
    gate = SharedGate(pool)

    assert (await gate.admit(call("POST", Urgency.COMMENT, creates_content=True))).verdict == "wait"
    assert (await gate.admit(call("POST", Urgency.COMMENT))).verdict == "go"


async def test_a_process_has_no_more_calls_out_than_its_share_and_keeps_some_for_deadlines(pool: Pool) -> None:
    async with pool.acquire() as conn:
        await rows.installation(conn)
        for _ in range(20):
            await rows.process(conn)
    gate = SharedGate(pool)
    checks = [(await gate.admit(call("GET", Urgency.CHECK))).verdict for _ in range(5)]
    locks = [(await gate.admit(call("GET"))).verdict for _ in range(3)]

    assert checks == ["go"] * 2 + ["wait"] * 3, "a twentieth of a hundred, of which the least urgent take two"
    assert locks == ["go"] * 3
    assert (await gate.admit(call("GET"))).verdict == "wait"
    gate.done(call("GET"))
    assert (await gate.admit(call("GET"))).verdict == "go"


async def test_what_does_not_go_takes_no_room(pool: Pool) -> None:
    async with pool.acquire() as conn:
        await spent(conn, CEILINGS[Urgency.DEADLINE])
        for _ in range(100):
            await rows.process(conn)
    gate = SharedGate(pool)
    assert [(await gate.admit(call())).verdict for _ in range(3)] == ["wait"] * 3
    async with pool.acquire() as conn:
        await conn.execute("UPDATE installations SET points_by_second = DEFAULT")

    assert [(await gate.admit(call())).verdict for _ in range(2)] == ["go", "wait"]


async def test_what_github_knows_by_another_name_is_read_again(pool: Pool) -> None:
    async with pool.acquire() as conn:
        await rows.installation(conn)
        repository = await rows.repository(conn)
        await SharedGate(pool).moved(call(repository_ids=(repository,)))
        assert await conn.fetchval("SELECT read_due_at IS NOT NULL FROM repositories WHERE id = $1", repository)

        await SharedGate(pool).moved(call())
        assert await conn.fetchval("SELECT read_due_at IS NOT NULL FROM installations")

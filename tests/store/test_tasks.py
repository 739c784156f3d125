"""Tasks follow their causes, and each signal is written once, whichever process sweeps (docs/design.md section 9)."""

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

import asyncpg
import pytest

from bot.store import clock, tasks
from bot.store.records import Conn

from . import rows
from .rows import ACCOUNT, DEADLINE
from .sessions import beside

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
NOW = DEADLINE + HOUR


async def unconfirmed(conn: Conn, **columns: Any) -> int:
    """A review of which nobody knows whether it began; the number of its row."""
    await clock.stand(conn, NOW)
    project_id = await rows.project(conn, state="closed")
    repository_id = await rows.enrolment(conn, project_id)
    row = {"trigger": "deadline", "round": 1, "sha": "a", "nonce": uuid4(), "claimed_at": DEADLINE}
    about = {"account_id": ACCOUNT, "project_id": project_id, "repository_id": repository_id}
    number: int = await rows.insert(conn, "dispatches", "id", **(row | about | {"outcome": "not confirmed"} | columns))
    return number


async def written(conn: Conn) -> list[tuple[str, list[int]]]:
    return [(row["kind"], row["task_ids"]) for row in await conn.fetch("SELECT kind, task_ids FROM outbox ORDER BY id")]


async def only_task(conn: Conn) -> asyncpg.Record:
    (row,) = await conn.fetch("SELECT * FROM tasks")
    return row


async def test_a_cause_opens_one_task_however_often_it_is_looked_at(conn: Conn) -> None:
    await unconfirmed(conn)

    for _ in range(3):
        await tasks.follow_causes(conn, NOW)

    task = await only_task(conn)
    assert (task["kind"], task["created_at"], task["due_at"]) == ("not confirmed", NOW, NOW + 2 * DAY)
    assert task["escalate_at"] == NOW + 9 * DAY
    assert await conn.fetchval("SELECT last_value FROM tasks_id_seq") == task["id"], "no number is used up in vain"


async def test_two_sessions_at_once_open_it_once(conn: Conn, other: Conn) -> None:
    await unconfirmed(conn)

    async with conn.transaction():
        await tasks.follow_causes(conn, NOW)
        second = await beside(conn, other, tasks.follow_causes(other, NOW))
    await second

    await only_task(conn)


async def test_one_session_at_a_time_is_elected(conn: Conn, other: Conn) -> None:
    async with conn.transaction():
        assert await tasks.elect(conn)
        assert not await tasks.elect(other)
    async with other.transaction():
        assert await tasks.elect(other)


async def test_a_cause_that_is_gone_closes_it_and_one_that_comes_back_opens_another(conn: Conn) -> None:
    await unconfirmed(conn)
    await tasks.follow_causes(conn, NOW)

    await conn.execute("UPDATE dispatches SET voided_at = $1", NOW)
    await tasks.follow_causes(conn, NOW + HOUR)
    task = await only_task(conn)
    assert (task["ended"], task["done_at"]) == ("gone", NOW + HOUR)

    await conn.execute("UPDATE dispatches SET voided_at = NULL")
    await tasks.follow_causes(conn, NOW + 2 * HOUR)
    assert await conn.fetchval("SELECT count(*) FROM tasks WHERE done_at IS NULL") == 1


async def test_a_claim_without_an_outcome_is_taken_for_lost_after_ten_minutes(conn: Conn) -> None:
    await unconfirmed(conn, outcome=None, claimed_at=NOW - timedelta(minutes=9))
    await tasks.follow_causes(conn, NOW)
    assert not await conn.fetch("SELECT FROM tasks")

    await clock.stand(conn, NOW + timedelta(minutes=2))
    await tasks.follow_causes(conn, NOW)

    await only_task(conn)


async def test_days_until_it_is_due_are_days_of_the_calendar_at_the_course(conn: Conn) -> None:
    # Between the two the clocks in Zurich go back by an hour.
    before, after = datetime(2026, 10, 24, 10, tzinfo=UTC), datetime(2026, 10, 26, 11, tzinfo=UTC)

    assert await conn.fetchval("SELECT later($1, '2 days', 'Europe/Zurich')", before) == after
    assert await conn.fetchval("SELECT later($1, '48 hours', 'Europe/Zurich')", before) == before + 2 * DAY
    assert await conn.fetchval("SELECT later($1, NULL, 'Europe/Zurich')", before) is None


async def test_what_is_due_is_reminded_of_at_the_full_minute_and_once(conn: Conn) -> None:
    await unconfirmed(conn)
    due = NOW + 2 * DAY
    await tasks.follow_causes(conn, NOW)
    await conn.execute("UPDATE tasks SET due_at = $1", due + timedelta(seconds=20))

    assert await tasks.sweep_overdue(conn, due + timedelta(seconds=59)) == 0
    assert await tasks.sweep_overdue(conn, due + timedelta(seconds=60)) == 1
    assert await tasks.sweep_overdue(conn, due + timedelta(seconds=120)) == 0

    assert [kind for kind, _ in await written(conn)] == ["reminder"]
    assert (await only_task(conn))["reminded_at"] == due + timedelta(seconds=60)


async def test_what_falls_due_together_in_a_project_is_one_comment(conn: Conn) -> None:
    await unconfirmed(conn)
    project_id = await conn.fetchval("SELECT project_id FROM dispatches")
    for _ in range(2):
        repository_id = await rows.enrolment(conn, project_id)
        row = {"trigger": "deadline", "round": 1, "sha": "a", "nonce": uuid4(), "claimed_at": DEADLINE}
        about = {"account_id": ACCOUNT, "project_id": project_id, "repository_id": repository_id}
        await rows.insert(conn, "dispatches", "id", outcome="not confirmed", **row, **about)
    await tasks.follow_causes(conn, NOW)

    await tasks.sweep_overdue(conn, NOW + 3 * DAY)

    ((kind, numbers),) = await written(conn)
    assert (kind, len(numbers)) == ("reminder", 3)


async def test_a_late_sweep_says_both_once(conn: Conn) -> None:
    await unconfirmed(conn)
    await tasks.follow_causes(conn, NOW)

    await tasks.sweep_overdue(conn, NOW + 90 * DAY)
    await tasks.sweep_overdue(conn, NOW + 91 * DAY)

    assert sorted(kind for kind, _ in await written(conn)) == ["escalation", "reminder"]


async def test_of_two_sweeps_at_once_one_is_elected(conn: Conn, other: Conn) -> None:
    await unconfirmed(conn)
    await tasks.follow_causes(conn, NOW)

    async with conn.transaction():
        assert await tasks.sweep_overdue(conn, NOW + 3 * DAY) == 1
        second = await beside(conn, other, tasks.sweep_overdue(other, NOW + 3 * DAY))
    assert await second == 0
    assert await tasks.sweep_overdue(other, NOW + 3 * DAY) == 0

    assert len(await written(conn)) == 1


async def test_who_is_not_elected_leaves_the_sweep_to_the_other(conn: Conn, other: Conn) -> None:
    await unconfirmed(conn)
    await tasks.follow_causes(conn, NOW)

    async with conn.transaction():
        assert await tasks.sweep_overdue(conn, NOW) == 0
        assert await tasks.sweep_overdue(other, NOW + 3 * DAY) == 0

    assert await tasks.sweep_overdue(other, NOW + 3 * DAY) == 1


async def test_a_sweep_whose_words_are_not_written_leaves_no_stamp(conn: Conn) -> None:
    await unconfirmed(conn)
    await tasks.follow_causes(conn, NOW)
    transaction = conn.transaction()
    await transaction.start()
    await tasks.sweep_overdue(conn, NOW + 3 * DAY)
    await transaction.rollback()

    assert (await only_task(conn))["reminded_at"] is None
    assert await tasks.sweep_overdue(conn, NOW + 3 * DAY) == 1


async def test_a_task_that_is_being_ended_at_this_moment_is_not_reminded_of(conn: Conn, other: Conn) -> None:
    await unconfirmed(conn)
    await tasks.follow_causes(conn, NOW)

    async with conn.transaction():
        await conn.execute("UPDATE tasks SET done_at = $1, ended = 'done'", NOW)
        sweep = await beside(conn, other, tasks.sweep_overdue(other, NOW + 3 * DAY))
        assert sweep.done(), "a tick never waits"
    assert await sweep == 0
    assert await tasks.sweep_overdue(other, NOW + 3 * DAY) == 0


async def voided_score(conn: Conn, **run: Any) -> int:
    """A repository with a run of several scores."""
    await clock.stand(conn, DEADLINE)
    repository_id = await rows.enrolment(conn, await rows.project(conn))
    fields = {"points": None, "max_points": None, "score_status": "multiple"} | run
    await rows.run(conn, repository_id, "a", DEADLINE - HOUR, **fields)
    return repository_id


async def kinds(conn: Conn) -> list[str]:
    await tasks.follow_causes(conn, DEADLINE)
    return [row["kind"] for row in await conn.fetch("SELECT kind FROM tasks WHERE done_at IS NULL")]


async def test_a_score_that_two_annotations_void_is_to_verify_until_a_newer_run_takes_its_place(conn: Conn) -> None:
    repository_id = await voided_score(conn)
    assert await kinds(conn) == ["to verify"]

    await rows.run(conn, repository_id, "b", DEADLINE - HOUR / 2)

    assert await kinds(conn) == []


async def test_a_newer_run_on_a_late_commit_takes_no_place(conn: Conn) -> None:
    repository_id = await voided_score(conn)
    await rows.receipt(conn, repository_id, "b", DEADLINE + HOUR)
    await rows.run(conn, repository_id, "b", DEADLINE + HOUR)

    assert await kinds(conn) == ["to verify"]


@pytest.mark.parametrize(
    "run", [{"workflow": ".github/workflows/lint.yml"}, {"head_branch": "wip"}, {"event": "repository_dispatch"}]
)
async def test_a_run_that_could_not_count_is_not_to_be_verified(conn: Conn, run: dict[str, Any]) -> None:
    await voided_score(conn, **run)

    assert await kinds(conn) == []


async def test_a_run_on_a_late_commit_is_not_to_be_verified(conn: Conn) -> None:
    repository_id = await voided_score(conn)
    await rows.receipt(conn, repository_id, "a", DEADLINE + HOUR)

    assert await kinds(conn) == []

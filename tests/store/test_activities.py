"""When GitHub's own list of pushes is read, and what waits for that (docs/design.md sections 3 and 4)."""

from datetime import datetime, timedelta
from typing import Any

import pytest

from bot.store import activities, enrolments
from bot.store.leases import Lease
from bot.store.records import Conn

from . import rows
from .rows import ACCOUNT, DEADLINE, TICK

SECOND, MINUTE = timedelta(seconds=1), timedelta(minutes=1)


async def applied(conn: Conn, grace: timedelta = 30 * MINUTE, **columns: Any) -> int:
    """A repository whose deadline was applied and whose activity was never read."""
    project_id = await rows.project(conn, state="closed", grace_seconds=int(grace.total_seconds()), grading="none")
    repository = await rows.enrolment(conn, project_id, **({"deadline_applied_at": DEADLINE} | columns))
    await conn.execute("DELETE FROM activities")
    return repository


async def due(conn: Conn) -> list[int]:
    """The repositories whose activity is to be read."""
    found = await conn.fetch("SELECT repository_id FROM activities WHERE due_at IS NOT NULL ORDER BY repository_id")
    return [row["repository_id"] for row in found]


async def read(conn: Conn, at: datetime, refused: str | None = None) -> None:
    """Somebody takes what is due and reads it as of `at`."""
    holder = await rows.process(conn)
    for lease in await activities.claim(conn, holder, 600, 9):
        await activities.read(conn, lease, at, refused, 30.0)
        await conn.execute("UPDATE activities SET leased_at = NULL, leased_by = NULL")


@pytest.mark.parametrize(
    ("grace", "after"), [(30 * MINUTE, 2 * MINUTE), (2 * MINUTE, 2 * MINUTE), (5 * SECOND, 5 * SECOND)]
)
async def test_it_is_read_two_minutes_after_the_deadline_or_at_the_end_of_a_shorter_grace(
    conn: Conn, grace: timedelta, after: timedelta
) -> None:
    repository = await applied(conn, grace)

    await activities.due_of_deadlines(conn, DEADLINE + after - TICK)
    assert await due(conn) == []
    await activities.due_of_deadlines(conn, DEADLINE + after)
    assert await due(conn) == [repository]


async def test_it_is_read_once_for_a_deadline_and_again_for_another(conn: Conn) -> None:
    repository = await applied(conn)
    await activities.due_of_deadlines(conn, DEADLINE + 2 * MINUTE)
    await read(conn, DEADLINE + 2 * MINUTE)

    await activities.due_of_deadlines(conn, DEADLINE + 20 * MINUTE)
    assert await due(conn) == []
    await conn.execute("UPDATE enrolments SET deadline_at = $1", DEADLINE + 10 * MINUTE)
    await activities.due_of_deadlines(conn, DEADLINE + 20 * MINUTE)
    assert await due(conn) == [repository]


@pytest.mark.parametrize(
    "columns", [{"deadline_applied_at": None}, {"frozen_at": DEADLINE}, {"withdrawn_at": DEADLINE}], ids=str
)
async def test_what_waits_for_no_freeze_is_not_read(conn: Conn, columns: dict[str, Any]) -> None:
    await applied(conn, **columns)

    await activities.due_of_deadlines(conn, DEADLINE + 20 * MINUTE)

    assert await due(conn) == []


async def test_the_freeze_waits_until_it_was_read_after_the_deadline(conn: Conn) -> None:
    await applied(conn, 5 * SECOND)
    over = DEADLINE + 5 * SECOND
    assert await enrolments.freeze_due(conn, over) == []
    await activities.due_of_deadlines(conn, over)
    assert await enrolments.freeze_due(conn, over) == []

    await read(conn, over - TICK)
    assert await enrolments.freeze_due(conn, over) == []
    await activities.due_of_deadlines(conn, over)
    await read(conn, over)
    assert len(await enrolments.freeze_due(conn, over)) == 1


async def test_the_freeze_waits_for_what_is_to_be_asked_and_not_for_ever(conn: Conn) -> None:
    repository = await applied(conn, 5 * SECOND)
    over = DEADLINE + 5 * SECOND
    await activities.due(conn, ACCOUNT, [repository])
    await conn.execute("UPDATE activities SET read_at = $1, attempts = 239", over)
    assert await enrolments.freeze_due(conn, over) == []

    await conn.execute("UPDATE activities SET attempts = 240")
    assert len(await enrolments.freeze_due(conn, over)) == 1


async def test_the_freeze_waits_for_the_log_of_deliveries_and_not_for_ever(conn: Conn) -> None:
    repository = await applied(conn, 5 * SECOND)
    over = DEADLINE + 5 * SECOND
    await conn.execute("INSERT INTO activities VALUES ($1, $2, NULL, 0, 'infinity')", ACCOUNT, repository)
    await conn.execute("UPDATE delivery_logs SET due_at = now() + interval '1 hour', attempts = 239")
    assert await enrolments.freeze_due(conn, over) == []

    await conn.execute("UPDATE delivery_logs SET attempts = 240")
    assert len(await enrolments.freeze_due(conn, over)) == 1


async def test_a_refusal_counts_as_read(conn: Conn) -> None:
    repository = await applied(conn, 5 * SECOND)
    await activities.due(conn, ACCOUNT, [repository])

    await read(conn, DEADLINE + 5 * SECOND, refused="404 Not Found")

    assert await due(conn) == []
    assert len(await enrolments.freeze_due(conn, DEADLINE + 5 * SECOND)) == 1


async def test_a_push_late_by_less_than_ten_minutes_is_asked_about_three_times(conn: Conn) -> None:
    repository = await applied(conn)
    await rows.receipt(conn, repository, "a", DEADLINE + 10 * MINUTE - TICK)
    asked = 0
    await activities.due_where_asked(conn, ACCOUNT, [repository])

    while await due(conn):
        await conn.execute("UPDATE activities SET due_at = now()")
        await activities.asked(conn, ACCOUNT, repository, DEADLINE + 20 * MINUTE)
        await read(conn, DEADLINE + 20 * MINUTE)
        asked += 1

    assert asked == 3


@pytest.mark.parametrize(
    ("arrived", "columns"),
    [
        (DEADLINE + 10 * MINUTE, {}),
        (DEADLINE, {}),
        (DEADLINE + MINUTE, {"pusher": "staff"}),
        (DEADLINE + MINUTE, {"activity_at": DEADLINE + MINUTE, "activity_id": 1}),
        (DEADLINE + MINUTE, {"ref": "refs/heads/side"}),
        (DEADLINE + 30 * MINUTE, {"claimed_at": DEADLINE + TICK}),
    ],
    ids=["much too late", "in time", "a teacher's", "listed", "a branch that does not count", "a late claim"],
)
async def test_what_is_certain_is_not_asked_about(conn: Conn, arrived: datetime, columns: dict[str, Any]) -> None:
    repository = await applied(conn)
    await rows.receipt(conn, repository, "a", arrived, **columns)

    await activities.due_where_asked(conn, ACCOUNT, [repository])

    assert await due(conn) == []


async def test_a_claim_of_having_been_in_time_is_asked_about_however_late_the_news(conn: Conn) -> None:
    repository = await applied(conn)
    await rows.receipt(conn, repository, "a", DEADLINE + 30 * MINUTE, claimed_at=DEADLINE)

    await activities.due_where_asked(conn, ACCOUNT, [repository])

    assert await due(conn) == [repository]


async def test_a_gap_in_the_past_of_a_branch_is_asked_about_once(conn: Conn) -> None:
    repository = await applied(conn)
    await rows.receipt(conn, repository, "b", DEADLINE, before_sha="a")
    await activities.due_where_asked(conn, ACCOUNT, [repository])
    assert await due(conn) == [repository]

    await activities.asked(conn, ACCOUNT, repository, DEADLINE)
    await read(conn, DEADLINE)
    await activities.due_where_asked(conn, ACCOUNT, [repository])
    assert await due(conn) == []


async def test_a_chain_without_a_gap_is_not_asked_about(conn: Conn) -> None:
    repository = await applied(conn)
    await rows.receipt(conn, repository, "a", DEADLINE - MINUTE)
    await rows.receipt(conn, repository, "b", DEADLINE, before_sha="a")

    await activities.due_where_asked(conn, ACCOUNT, [repository])

    assert await due(conn) == []


async def test_the_head_of_a_run_that_was_never_heard_of_is_asked_about_until_it_was_read_since(conn: Conn) -> None:
    repository = await applied(conn)
    await rows.run(conn, repository, "a", DEADLINE)
    await activities.due_where_asked(conn, ACCOUNT, [repository])
    assert await due(conn) == [repository]

    await read(conn, DEADLINE)
    await activities.due_where_asked(conn, ACCOUNT, [repository])
    assert await due(conn) == []


async def test_who_wants_it_read_while_it_is_being_read_has_it_read_again(conn: Conn) -> None:
    repository = await applied(conn)
    await activities.due(conn, ACCOUNT, [repository])
    (lease,) = await activities.claim(conn, await rows.process(conn), 600, 9)

    await activities.due(conn, ACCOUNT, [repository])
    await activities.read(conn, lease, DEADLINE, None, 30.0)

    assert isinstance(lease, Lease)
    assert await due(conn) == [repository]

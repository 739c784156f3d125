"""The definitive freeze: when it may be written, and what counts then (docs/design.md section 4)."""

from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from typing import Any

import asyncpg
import pytest

from bot.store import clock, enrolments
from bot.store.records import Conn
from bot.sweeper import freezes
from bot.sweeper.tick import Tick

from . import rows
from .rows import ACCOUNT, DEADLINE, TICK
from .sessions import beside

GRACE = timedelta(minutes=30)
OVER = DEADLINE + GRACE
HOUR = timedelta(hours=1)


async def applied(conn: Conn, repository_id: int | None = None, grading: str = "auto", **columns: Any) -> int:
    """A repository whose deadline was applied, in a project with half an hour of grace."""
    project_id = await rows.project(conn, state="closed", grace_seconds=int(GRACE.total_seconds()), grading=grading)
    return await rows.enrolment(conn, project_id, repository_id, deadline_applied_at=DEADLINE, **columns)


async def submission(conn: Conn) -> str | None:
    """What the freeze at the end of the grace settles on."""
    (frozen,) = await enrolments.freeze_due(conn, OVER)
    sha: str | None = frozen["submission_sha"]
    return sha


async def test_it_is_written_at_exactly_the_end_of_the_grace_and_not_before_and_once(conn: Conn) -> None:
    repository = await applied(conn)

    assert await enrolments.freeze_due(conn, OVER - TICK) == []
    assert _repositories(await enrolments.freeze_due(conn, OVER)) == [repository]
    assert await enrolments.freeze_due(conn, OVER + HOUR) == []
    assert await conn.fetchval("SELECT frozen_at FROM enrolments") == OVER


async def test_it_is_audited_once_with_the_deadline_and_what_counts(conn: Conn) -> None:
    repository = await applied(conn, deadline_at=DEADLINE + HOUR)
    await rows.receipt(conn, repository, "a", DEADLINE)

    for now in (OVER + HOUR - TICK, OVER + HOUR, OVER + 2 * HOUR):
        async with conn.transaction():
            await freezes.claim(Tick(conn, now, await rows.process(conn), 600, Counter()))

    (event,) = await conn.fetch("SELECT action, repository_id, at, detail FROM audit_log")
    assert tuple(event)[:3] == ("repository.frozen", repository, OVER + HOUR)
    assert event["detail"] == {
        "deadline": (DEADLINE + HOUR).isoformat(),
        "submission": "a",
        "received": DEADLINE.isoformat(),
        "review_skipped": None,
    }


async def test_an_own_deadline_has_the_grace_of_its_project_after_it(conn: Conn) -> None:
    repository = await applied(conn, deadline_at=DEADLINE + HOUR)

    assert await enrolments.freeze_due(conn, OVER + HOUR - TICK) == []
    assert _repositories(await enrolments.freeze_due(conn, OVER + HOUR)) == [repository]


async def test_what_was_not_applied_is_not_frozen(conn: Conn) -> None:
    await rows.enrolment(conn, await rows.project(conn))

    assert await enrolments.freeze_due(conn, OVER) == []


async def test_it_waits_for_what_was_received_up_to_then_and_not_understood(conn: Conn) -> None:
    await applied(conn)
    await rows.delivery(conn, OVER)

    assert await enrolments.freeze_due(conn, OVER + HOUR) == []

    await conn.execute("UPDATE deliveries SET handled_at = $1", OVER)
    assert len(await enrolments.freeze_due(conn, OVER + HOUR)) == 1


async def test_it_does_not_wait_for_what_was_received_afterwards(conn: Conn) -> None:
    await applied(conn)
    await rows.delivery(conn, OVER + TICK)

    assert len(await enrolments.freeze_due(conn, OVER + HOUR)) == 1


async def test_it_does_not_wait_for_the_deliveries_of_another_account(conn: Conn) -> None:
    await applied(conn)
    await rows.delivery(conn, DEADLINE, account_id=rows.ACCOUNT + 1)

    assert len(await enrolments.freeze_due(conn, OVER)) == 1


async def test_it_waits_for_an_unread_run_of_that_repository_alone(conn: Conn) -> None:
    waiting, ready = await applied(conn), await applied(conn)
    unread = {"score_status": None, "points": None, "read_due_at": await clock.real_now(conn)}
    await rows.run(conn, waiting, "a", DEADLINE, **unread)
    await rows.run(conn, ready, "a", DEADLINE, account_id=rows.ACCOUNT + 1, **unread)

    assert _repositories(await enrolments.freeze_due(conn, OVER)) == [ready]

    await conn.execute("UPDATE runs SET read_due_at = NULL")
    assert _repositories(await enrolments.freeze_due(conn, OVER)) == [waiting]


async def test_two_sessions_at_once_freeze_each_repository_once(conn: Conn, other: Conn) -> None:
    repository = await applied(conn)

    async with conn.transaction():
        first = await enrolments.freeze_due(conn, OVER)
        second = await beside(conn, other, enrolments.freeze_due(other, OVER))

    assert _repositories(first) == [repository]
    assert await second == []


@asynccontextmanager
async def halfway(conn: Conn, other: Conn) -> AsyncIterator[list[asyncpg.Record]]:
    """What `other` freezes, while `conn` changes what it rests on: it has read the rows and holds none of them yet."""
    await conn.execute(
        "CREATE OR REPLACE FUNCTION is_recovering(settles_at timestamptz, the_now timestamptz) RETURNS boolean LANGUAGE"
        " plpgsql VOLATILE AS $$ BEGIN PERFORM pg_advisory_xact_lock_shared(7); RETURN false; END $$;"
        "SELECT pg_advisory_lock(7)"
    )
    freezing = await beside(conn, other, enrolments.freeze_due(other, OVER))
    assert not freezing.done()
    found: list[asyncpg.Record] = []
    yield found
    await conn.execute("SELECT pg_advisory_unlock(7)")
    found += await freezing


async def test_a_deadline_that_moves_while_the_freeze_is_under_way_is_the_one_it_judges_by(
    conn: Conn, other: Conn
) -> None:
    repository = await applied(conn)
    await rows.receipt(conn, repository, "first", DEADLINE - 2 * HOUR)
    await rows.receipt(conn, repository, "second", DEADLINE - HOUR / 2)

    async with halfway(conn, other) as frozen:
        await conn.execute("UPDATE projects SET deadline_at = $1", DEADLINE - HOUR)

    settled = [(row["effective_at"], row["submission_sha"], row["submission_at"]) for row in frozen]
    assert settled == [(DEADLINE - HOUR, "first", DEADLINE - 2 * HOUR)]


async def test_a_deadline_that_moves_ahead_while_the_freeze_is_under_way_leaves_the_repository_open(
    conn: Conn, other: Conn
) -> None:
    await rows.receipt(conn, await applied(conn), "a", DEADLINE - HOUR)

    async with halfway(conn, other) as frozen:
        await conn.execute("UPDATE projects SET deadline_at = $1", OVER + HOUR)

    assert frozen == []
    assert await conn.fetchval("SELECT frozen_at FROM enrolments") is None


async def test_a_score_that_is_chosen_while_the_freeze_is_under_way_is_the_one_it_settles(
    conn: Conn, other: Conn
) -> None:
    repository = await rows.repository(conn)
    await rows.receipt(conn, repository, "scored", DEADLINE - 2 * HOUR)
    await rows.receipt(conn, repository, "scored too", DEADLINE - HOUR)
    await rows.receipt(conn, repository, "not scored", DEADLINE - TICK)
    run = await rows.run(conn, repository, "scored", DEADLINE)
    await applied(conn, repository, current_run=run, frozen_run=run)

    async with halfway(conn, other) as frozen:
        await rows.run(conn, repository, "scored too", DEADLINE + TICK)
        await enrolments.reselect(conn, ACCOUNT, [repository], OVER)

    assert [row["submission_sha"] for row in frozen] == ["scored too"]


async def test_a_push_that_becomes_known_while_the_freeze_is_under_way_counts(conn: Conn, other: Conn) -> None:
    repository = await applied(conn)
    await rows.receipt(conn, repository, "first", DEADLINE - HOUR)

    async with halfway(conn, other) as frozen:
        await rows.receipt(conn, repository, "second", DEADLINE - TICK)

    assert [row["submission_sha"] for row in frozen] == ["second"]


async def test_what_is_to_be_asked_since_the_freeze_is_under_way_is_waited_for(conn: Conn, other: Conn) -> None:
    await rows.receipt(conn, await applied(conn), "a", DEADLINE - HOUR)

    async with halfway(conn, other) as frozen:
        await conn.execute("UPDATE activities SET due_at = now()")

    assert frozen == []


async def test_the_head_of_the_frozen_run_wins_over_a_later_receipt(conn: Conn) -> None:
    repository = await rows.repository(conn)
    await rows.receipt(conn, repository, "scored", DEADLINE - HOUR)
    await rows.receipt(conn, repository, "later", DEADLINE - TICK)
    await applied(conn, repository, frozen_run=await rows.run(conn, repository, "scored", DEADLINE))

    (frozen,) = await enrolments.freeze_due(conn, OVER)

    assert (frozen["submission_sha"], frozen["submission_at"]) == ("scored", DEADLINE - HOUR)


async def test_without_a_run_the_last_commit_received_in_time_counts(conn: Conn) -> None:
    repository = await applied(conn)
    await rows.receipt(conn, repository, "second", DEADLINE - HOUR)
    await rows.receipt(conn, repository, "first", DEADLINE - 2 * HOUR)

    (frozen,) = await enrolments.freeze_due(conn, OVER)

    assert (frozen["submission_sha"], frozen["submission_at"]) == ("second", DEADLINE - HOUR)


async def test_a_commit_received_at_the_deadline_is_in_time_and_a_microsecond_later_is_not(conn: Conn) -> None:
    repository = await applied(conn)
    await rows.receipt(conn, repository, "in time", DEADLINE)
    await rows.receipt(conn, repository, "late", DEADLINE + TICK)

    assert await submission(conn) == "in time"


@pytest.mark.parametrize("pusher", ["unknown", "staff", "app", "actions", "bot"])
async def test_what_no_student_pushed_never_counts(conn: Conn, pusher: str) -> None:
    repository = await applied(conn)
    await rows.receipt(conn, repository, "theirs", DEADLINE - TICK, pusher=pusher)
    await rows.receipt(conn, repository, "a student's", DEADLINE - HOUR)

    assert await submission(conn) == "a student's"


async def test_the_push_of_another_person_counts(conn: Conn) -> None:
    await rows.receipt(conn, await applied(conn), "a guest's", DEADLINE - HOUR, pusher="person")

    assert await submission(conn) == "a guest's"


@pytest.mark.parametrize("ref", ["refs/heads/side", "refs/tags/main", "refs/heads/main/more"])
async def test_what_was_pushed_elsewhere_than_to_the_tracked_branch_never_counts(conn: Conn, ref: str) -> None:
    await rows.receipt(conn, await applied(conn), "elsewhere", DEADLINE - HOUR, ref=ref)

    assert await submission(conn) is None


async def test_a_commit_first_seen_elsewhere_is_in_time_only_by_its_arrival_on_the_tracked_branch(conn: Conn) -> None:
    repository = await applied(conn)
    await rows.receipt(conn, repository, "same", DEADLINE - HOUR, ref="refs/heads/side")
    await rows.receipt(conn, repository, "same", DEADLINE + TICK)

    assert await submission(conn) is None


async def test_the_branches_a_project_names_are_tracked_instead_of_the_default_one(conn: Conn) -> None:
    repository = await applied(conn)
    await conn.execute("UPDATE projects SET branches = '{report,code}'")
    await rows.receipt(conn, repository, "reported", DEADLINE - HOUR, ref="refs/heads/report")
    await rows.receipt(conn, repository, "default", DEADLINE - TICK)

    assert await submission(conn) == "reported"


@pytest.mark.parametrize(
    ("grading", "pushed", "reason"),
    [("none", True, "grading is none"), ("none", False, "grading is none"), ("auto", False, "no submission")],
)
async def test_a_review_that_will_not_be_asked_for_is_settled_with_the_reason(
    conn: Conn, grading: str, pushed: bool, reason: str
) -> None:
    repository = await applied(conn, grading=grading)
    if pushed:
        await rows.receipt(conn, repository, "a", DEADLINE - HOUR)

    await enrolments.freeze_due(conn, OVER)

    row = await conn.fetchrow("SELECT review_skipped, review_settled_at FROM enrolments")
    assert row is not None
    assert tuple(row) == (reason, OVER)


async def test_the_review_of_a_submission_is_due(conn: Conn) -> None:
    await rows.receipt(conn, await applied(conn), "a", DEADLINE - HOUR)

    await enrolments.freeze_due(conn, OVER)

    row = await conn.fetchrow("SELECT review_skipped, review_settled_at FROM enrolments")
    assert row is not None
    assert tuple(row) == (None, None)


def _repositories(frozen: list[asyncpg.Record]) -> list[int]:
    return [row["repository_id"] for row in frozen]

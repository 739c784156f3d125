"""Which score counts (docs/design.md section 4): the latest of the grading workflow on a commit received in time."""

from datetime import timedelta
from typing import Any

import pytest

from bot.model import Run
from bot.rules.scores import Score
from bot.store import clock, enrolments, runs
from bot.store.records import Conn

from . import rows
from .rows import ACCOUNT, DEADLINE, TICK
from .sessions import beside

HOUR = timedelta(hours=1)
BEFORE = DEADLINE - 3 * HOUR


async def scored(conn: Conn, repository_id: int, sha: str = "a", after_hours: int = 0, **columns: Any) -> int:
    """A run with a score on a commit that was received in time."""
    await conn.execute("DELETE FROM receipts WHERE repository_id = $1 AND head_sha = $2", repository_id, sha)
    await rows.receipt(conn, repository_id, sha, BEFORE)
    return await rows.run(conn, repository_id, sha, BEFORE + after_hours * HOUR, **columns)


async def enrolled(conn: Conn, **columns: Any) -> int:
    """A repository of an open project."""
    return await rows.enrolment(conn, await rows.project(conn), **columns)


async def chosen(conn: Conn, repository_id: int, now: Any = BEFORE) -> int | None:
    """The run that counts, chosen anew."""
    await enrolments.reselect(conn, ACCOUNT, [repository_id], now)
    return await slot(conn, repository_id, "current_run")


async def slot(conn: Conn, repository_id: int, name: str) -> int | None:
    """One of the two slots of a repository."""
    run: int | None = await conn.fetchval(f"SELECT {name} FROM enrolments WHERE repository_id = $1", repository_id)
    return run


async def test_the_latest_to_complete_counts_not_the_best_nor_the_last_to_be_stored(conn: Conn) -> None:
    repository = await enrolled(conn)
    latest = await scored(conn, repository, "b", after_hours=2, points=1)
    await scored(conn, repository, "a", after_hours=1, points=6)

    assert await chosen(conn, repository) == latest


async def test_a_rerun_of_an_old_attempt_does_not_displace_a_newer_head(conn: Conn) -> None:
    repository = await enrolled(conn)
    await scored(conn, repository, "a", after_hours=0, run_id=1)
    newer = await scored(conn, repository, "b", after_hours=1, run_id=2)
    await scored(conn, repository, "a", after_hours=2, run_id=1, attempt=2)

    assert await chosen(conn, repository) == newer


async def test_a_rerun_of_the_newest_run_replaces_its_first_attempt(conn: Conn) -> None:
    repository = await enrolled(conn)
    await scored(conn, repository, "a", after_hours=0, run_id=1)
    again = await scored(conn, repository, "a", after_hours=1, run_id=1, attempt=2)

    assert await chosen(conn, repository) == again


async def test_a_rerun_keeps_the_place_of_the_earliest_attempt_that_is_known(conn: Conn) -> None:
    repository = await enrolled(conn)
    await scored(conn, repository, "a", after_hours=0, run_id=1, attempt=2)
    newer = await scored(conn, repository, "b", after_hours=1, run_id=2)
    await scored(conn, repository, "a", after_hours=2, run_id=1, attempt=3)

    assert await chosen(conn, repository) == newer


@pytest.mark.parametrize(
    "other",
    [
        {"workflow": ".github/workflows/ci.yml"},
        {"head_branch": "side"},
        {"head_branch": None},
        {"event": "repository_dispatch"},
        {"score_status": "none"},
        {"score_status": "multiple"},
        {"score_status": "malformed"},
        {"score_status": None},
    ],
)
async def test_other_workflows_branches_and_events_and_runs_without_a_score_never_count(
    conn: Conn, other: dict[str, Any]
) -> None:
    repository = await enrolled(conn)
    counting = await scored(conn, repository, "a", after_hours=0)
    await scored(conn, repository, "b", after_hours=1, **other)

    assert await chosen(conn, repository) == counting


@pytest.mark.parametrize("pusher", ["unknown", "staff", "app", "actions", "bot"])
async def test_a_head_that_no_student_pushed_never_counts(conn: Conn, pusher: str) -> None:
    repository = await enrolled(conn)
    await scored(conn, repository)
    await conn.execute("UPDATE receipts SET pusher = $1", pusher)

    assert await chosen(conn, repository) is None


async def test_a_head_received_at_the_deadline_counts_and_a_microsecond_later_does_not(conn: Conn) -> None:
    repository = await enrolled(conn)
    await rows.receipt(conn, repository, "in time", DEADLINE)
    await rows.receipt(conn, repository, "late", DEADLINE + TICK)
    in_time = await rows.run(conn, repository, "in time", DEADLINE)
    await rows.run(conn, repository, "late", DEADLINE + HOUR)

    assert await chosen(conn, repository, DEADLINE - HOUR) == in_time
    assert await chosen(conn, repository, DEADLINE + HOUR) == in_time


async def test_a_receipt_on_another_branch_does_not_put_a_head_in_time(conn: Conn) -> None:
    repository = await enrolled(conn)
    await rows.receipt(conn, repository, "a", BEFORE, ref="refs/heads/side")
    await rows.receipt(conn, repository, "a", DEADLINE + TICK)
    await rows.run(conn, repository, "a", DEADLINE)

    assert await chosen(conn, repository) is None


async def test_a_head_is_in_time_by_its_earliest_receipt_on_any_branch_that_counts(conn: Conn) -> None:
    repository = await enrolled(conn)
    await conn.execute("UPDATE projects SET branches = '{main,dev}'")
    await rows.receipt(conn, repository, "a", BEFORE, ref="refs/heads/dev")
    await rows.receipt(conn, repository, "a", DEADLINE + TICK, pusher="actions")
    run = await rows.run(conn, repository, "a", DEADLINE)

    assert await chosen(conn, repository, DEADLINE + HOUR) == run


async def test_a_head_without_a_receipt_counts_only_while_the_deadline_lies_ahead(conn: Conn) -> None:
    repository = await enrolled(conn)
    run = await rows.run(conn, repository, "a", BEFORE)

    assert await chosen(conn, repository, DEADLINE - TICK) == run
    assert await chosen(conn, repository, DEADLINE) is None


async def test_a_head_without_a_receipt_counts_no_more_once_the_deadline_is_applied_whatever_time_was_read(
    conn: Conn,
) -> None:
    # Whoever read the time just before the deadline may have waited for the tick that applied it.
    repository = await enrolled(conn, deadline_applied_at=DEADLINE)
    await rows.run(conn, repository, "a", BEFORE)

    assert await chosen(conn, repository, DEADLINE - TICK) is None
    assert await slot(conn, repository, "frozen_run") is None


async def test_a_score_that_no_longer_counts_leaves_the_slot_empty(conn: Conn) -> None:
    repository = await enrolled(conn)
    await scored(conn, repository)
    assert await chosen(conn, repository) is not None

    await conn.execute("UPDATE projects SET deadline_at = $1", BEFORE - TICK)

    assert await chosen(conn, repository) is None


async def test_each_project_of_a_repository_chooses_by_its_own_deadline(conn: Conn) -> None:
    course = await rows.course(conn)
    repository = await rows.enrolment(conn, await rows.project(conn, course, state="closed", deadline_at=BEFORE - TICK))
    second = await rows.project(conn, course)
    await rows.enrolment(conn, second, repository)
    run = await scored(conn, repository)

    await enrolments.reselect(conn, ACCOUNT, [repository], BEFORE)

    chosen_by = await conn.fetch("SELECT project_id, current_run FROM enrolments")
    assert {row["project_id"]: row["current_run"] for row in chosen_by}[second] == run
    assert [row["current_run"] for row in chosen_by].count(None) == 1


async def test_during_the_grace_the_frozen_slot_follows_and_after_the_freeze_it_does_not(conn: Conn) -> None:
    repository = await enrolled(conn, deadline_applied_at=DEADLINE)
    first = await scored(conn, repository, "a", after_hours=0)
    assert await chosen(conn, repository, DEADLINE) == first
    assert await slot(conn, repository, "frozen_run") == first
    better = await scored(conn, repository, "b", after_hours=1, points=6)
    assert await chosen(conn, repository, DEADLINE) == better
    assert await slot(conn, repository, "frozen_run") == better

    await conn.execute("UPDATE enrolments SET frozen_at = $1", DEADLINE)
    last = await scored(conn, repository, "c", after_hours=2)

    assert await chosen(conn, repository, DEADLINE) == last
    assert await slot(conn, repository, "frozen_run") == better


async def test_before_the_deadline_the_frozen_slot_is_left_alone(conn: Conn) -> None:
    repository = await enrolled(conn)
    await scored(conn, repository)

    assert await chosen(conn, repository) is not None
    assert await slot(conn, repository, "frozen_run") is None


async def test_a_freeze_that_commits_while_a_score_is_chosen_is_seen_by_the_choice(conn: Conn, other: Conn) -> None:
    repository = await enrolled(conn, deadline_applied_at=DEADLINE)
    run = await scored(conn, repository)

    async with conn.transaction():
        await enrolments.freeze_due(conn, DEADLINE)
        choosing = await beside(conn, other, enrolments.reselect(other, ACCOUNT, [repository], DEADLINE))
        assert not choosing.done()
    await choosing

    assert await slot(conn, repository, "current_run") == run
    assert await slot(conn, repository, "frozen_run") is None


async def test_two_sessions_that_score_two_runs_at_once_choose_the_latest(conn: Conn, other: Conn) -> None:
    repository = await enrolled(conn)
    unread = {"score_status": None, "read_due_at": await clock.real_now(conn)}
    earlier = await scored(conn, repository, "a", after_hours=0, **unread)
    later = await scored(conn, repository, "b", after_hours=1, **unread)

    async def score(session: Conn, run_id: int) -> None:
        async with session.transaction():
            run = await runs.by_id(session, ACCOUNT, run_id)
            assert isinstance(run, Run)
            await runs.score(session, run, Score("ok"))
            await enrolments.reselect(session, ACCOUNT, [repository], BEFORE)

    async with conn.transaction():
        await score(conn, later)
        second = await beside(conn, other, score(other, earlier))
        assert not second.done()
    await second

    assert await slot(conn, repository, "current_run") == later

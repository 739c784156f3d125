"""Which repositories' runs are read again: quiet ones of graded projects, while their runs matter."""

from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest

from bot.store import clock, reconciliations
from bot.store.records import Conn

from . import rows
from .rows import ACCOUNT, DEADLINE, INSTALLATION, TICK, WORKFLOW
from .work import PLENTY, take

HOUR, MINUTE = timedelta(hours=1), timedelta(minutes=1)
DAY, WEEK = 24 * HOUR, 7 * 24 * HOUR
CLAIMED = DEADLINE + timedelta(seconds=1.7)


async def part(conn: Conn, project: dict[str, Any] | None = None, **enrolment: Any) -> int:
    """A repository that takes part in an open project where the App is installed."""
    if not await conn.fetchval("SELECT EXISTS (SELECT FROM installations)"):
        await rows.installation(conn)
    return await rows.enrolment(conn, await rows.project(conn, **(project or {})), **enrolment)


async def review(conn: Conn, repository_id: int, **columns: Any) -> None:
    """Its final review was asked for."""
    project_id = await conn.fetchval("SELECT project_id FROM enrolments WHERE repository_id = $1", repository_id)
    row = {"account_id": ACCOUNT, "project_id": project_id, "repository_id": repository_id, "trigger": "deadline"}
    row |= {"round": 1, "sha": "a", "nonce": uuid4(), "claimed_at": CLAIMED, "outcome": "accepted"}
    await rows.insert(conn, "dispatches", "id", **(row | columns))


async def test_a_repository_is_marked_once_until_it_was_read(conn: Conn) -> None:
    repository_id = await part(conn)

    assert await reconciliations.mark(conn, DEADLINE) == 1
    assert await reconciliations.mark(conn, DEADLINE) == 0
    await reconciliations.done(conn, ACCOUNT, repository_id)

    assert await take(conn, "reconciliations", await rows.process(conn)) == []
    assert await reconciliations.mark(conn, DEADLINE) == 1
    assert len(await take(conn, "reconciliations", await rows.process(conn))) == 1


@pytest.mark.parametrize(
    ("project", "enrolment"),
    [
        ({"state": "draft"}, {}),
        ({"state": "graded"}, {}),
        ({"grading": "none"}, {}),
        ({"archived_at": DEADLINE}, {}),
        ({}, {"withdrawn_at": DEADLINE, "holding": False}),
    ],
    ids=str,
)
async def test_what_takes_no_work_or_is_not_graded_is_left_alone(
    conn: Conn, project: dict[str, Any], enrolment: dict[str, Any]
) -> None:
    await part(conn, project, **enrolment)

    assert await reconciliations.mark(conn, DEADLINE) == 0


async def test_a_repository_that_is_gone_is_left_alone(conn: Conn) -> None:
    await part(conn)
    await conn.execute("UPDATE repositories SET gone_at = $1", DEADLINE)

    assert await reconciliations.mark(conn, DEADLINE) == 0


async def test_without_an_active_installation_nothing_is_read(conn: Conn) -> None:
    await rows.installation(conn, INSTALLATION + 1, state="suspended")
    await part(conn)

    assert await reconciliations.mark(conn, DEADLINE) == 0


async def test_a_repository_of_two_projects_is_read_once_and_for_the_one_that_is_graded(conn: Conn) -> None:
    repository_id = await part(conn, {"state": "closed"})
    await rows.enrolment(conn, await rows.project(conn), repository_id)
    await rows.enrolment(conn, await rows.project(conn, state="closed", grading="none"), repository_id)

    assert await reconciliations.mark(conn, DEADLINE) == 1


async def test_half_an_hour_after_the_last_push_of_any_branch_it_is_quiet(conn: Conn) -> None:
    repository_id = await part(conn)
    await rows.receipt(conn, repository_id, "a", DEADLINE - HOUR)
    await rows.receipt(conn, repository_id, "b", DEADLINE, ref="refs/heads/dev", pusher="bot")

    assert await reconciliations.mark(conn, DEADLINE + 30 * MINUTE - TICK) == 0
    assert await reconciliations.mark(conn, DEADLINE + 30 * MINUTE) == 1


async def test_a_day_after_its_freeze_it_is_dropped(conn: Conn) -> None:
    repository_id = await part(conn, {"state": "closed"}, deadline_applied_at=DEADLINE, frozen_at=DEADLINE)

    assert await reconciliations.mark(conn, DEADLINE + DAY - TICK) == 1
    await reconciliations.done(conn, ACCOUNT, repository_id)
    assert await reconciliations.mark(conn, DEADLINE + DAY) == 0


@pytest.mark.parametrize("outcome", ["accepted", "not confirmed", None], ids=str)
async def test_a_review_without_an_answer_is_waited_for_a_week(conn: Conn, outcome: str | None) -> None:
    repository_id = await part(conn, {"state": "closed"}, deadline_applied_at=DEADLINE, frozen_at=DEADLINE)
    await review(conn, repository_id, outcome=outcome)

    assert await reconciliations.mark(conn, DEADLINE + WEEK - TICK) == 1
    await reconciliations.done(conn, ACCOUNT, repository_id)
    assert await reconciliations.mark(conn, DEADLINE + WEEK) == 0


@pytest.mark.parametrize(
    "columns",
    [{"voided_at": DEADLINE}, {"outcome": "given back"}, {"trigger": "milestone", "checkpoint_id": 1}],
    ids=str,
)
async def test_what_is_no_review_that_was_asked_for_is_not_waited_for(conn: Conn, columns: dict[str, Any]) -> None:
    repository_id = await part(conn, {"state": "closed"}, deadline_applied_at=DEADLINE, frozen_at=DEADLINE)
    await review(conn, repository_id, **columns)

    assert await reconciliations.mark(conn, DEADLINE + DAY) == 0


@pytest.mark.parametrize(
    ("run", "answers"),
    [
        # GitHub's times are whole seconds: a run of the same second may have come after the claim.
        ({"created_at": CLAIMED.replace(microsecond=0)}, True),
        ({"created_at": CLAIMED.replace(microsecond=0) - TICK}, False),
        ({"status": "in_progress"}, False),
        ({"event": "push"}, False),
        ({"workflow": f"{WORKFLOW}.other"}, False),
    ],
    ids=str,
)
async def test_a_completed_run_of_the_workflow_since_the_claim_is_the_answer(
    conn: Conn, run: dict[str, Any], answers: bool
) -> None:
    repository_id = await part(conn, {"state": "closed"}, deadline_applied_at=DEADLINE, frozen_at=DEADLINE)
    await review(conn, repository_id)
    told = {"event": "repository_dispatch", "created_at": CLAIMED + MINUTE}
    await rows.run(conn, repository_id, "a", CLAIMED + MINUTE, **(told | run))

    assert await reconciliations.mark(conn, DEADLINE + DAY) == (0 if answers else 1)


async def test_where_githubs_clock_is_behind_ours_its_own_time_of_the_request_is_the_measure(conn: Conn) -> None:
    repository_id = await part(conn, {"state": "closed"}, deadline_applied_at=DEADLINE, frozen_at=DEADLINE)
    await review(conn, repository_id, github_date=CLAIMED - MINUTE)
    told = {"event": "repository_dispatch", "created_at": CLAIMED - MINUTE}
    await rows.run(conn, repository_id, "a", CLAIMED, **told)

    assert await reconciliations.mark(conn, DEADLINE + DAY) == 0


async def test_a_large_organisation_is_read_a_hundred_repositories_at_a_time(conn: Conn) -> None:
    await rows.installation(conn)
    project_id = await rows.project(conn)
    for _ in range(101):
        await rows.enrolment(conn, project_id)

    assert await reconciliations.mark(conn, DEADLINE) == 101

    assert len(await take(conn, "reconciliations", await rows.process(conn))) == PLENTY
    (waits,) = await conn.fetch("SELECT due_at FROM reconciliations WHERE leased_at IS NULL")
    assert timedelta() < waits["due_at"] - await clock.real_now(conn) <= timedelta(seconds=20)

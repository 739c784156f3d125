"""Runs as events tell of them, in whatever order they come (docs/design.md sections 2 and 4)."""

import itertools
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.store import rows

from . import bodies
from .bodies import Body
from .conftest import GitHub

REPOSITORIES = itertools.count(50_000)
STORY = [(action, attempt) for attempt in (1, 2) for action in ("requested", "in_progress", "completed")]
ROWS = """
SELECT run_id, attempt, status, conclusion, workflow, event, head_branch, head_sha, display_title, actor_id,
    check_suite_id, created_at, started_at, completed_at, read_due_at IS NOT NULL AS to_be_read
FROM runs WHERE repository_id = $1 ORDER BY attempt
"""

# One database for all examples of a test is meant: each has a repository of its own.
any_order = settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


async def told(github: GitHub, story: Sequence[tuple[str, int]]) -> list[dict[str, Any]]:
    """The runs of a repository of ours after these events, in this order."""
    async with github.pool.acquire() as conn:
        await conn.execute("DELETE FROM installations")
        await rows.installation(conn)
        repository = await rows.repository(conn, id=next(REPOSITORIES))
    for action, attempt in story:
        await github.tell("workflow_run", bodies.workflow_run(action, repository, attempt))
    return [dict(row) for row in await github.pool.fetch(ROWS, repository)]


@any_order
@given(story=st.permutations([*STORY, ("completed", 1)]))
async def test_the_events_of_two_attempts_end_the_same_in_any_order(
    github: GitHub, story: Sequence[tuple[str, int]]
) -> None:
    assert await told(github, story) == await told(github, STORY)


async def test_a_completed_attempt_is_kept_with_all_that_is_known_and_is_to_be_read(github: GitHub) -> None:
    _, second = await told(github, STORY)

    assert second == {
        "run_id": 500,
        "attempt": 2,
        "status": "completed",
        "conclusion": "success",
        "workflow": ".github/workflows/grading.yml",
        "event": "push",
        "head_branch": "main",
        "head_sha": "a" * 40,
        "display_title": "Solve it",
        "actor_id": 11,
        "check_suite_id": 602,
        "created_at": datetime(2026, 12, 1, 20, tzinfo=UTC),
        "started_at": datetime(2026, 12, 1, 20, 2, 10, tzinfo=UTC),
        "completed_at": datetime(2026, 12, 1, 20, 2, 30, tzinfo=UTC),
        "to_be_read": True,
    }


async def test_an_attempt_that_has_not_completed_has_no_time_of_completion_and_is_not_read(github: GitHub) -> None:
    (run,) = await told(github, [("in_progress", 1)])

    assert (run["status"], run["completed_at"], run["to_be_read"]) == ("in_progress", None, False)


async def test_a_score_that_was_read_is_not_read_again_when_the_event_comes_once_more(github: GitHub) -> None:
    await told(github, [("completed", 1)])
    repository = await github.pool.fetchval("SELECT repository_id FROM runs")
    await github.pool.execute("UPDATE runs SET read_due_at = NULL, score_status = 'ok'")

    await github.tell("workflow_run", bodies.workflow_run("completed", repository))

    assert await github.pool.fetchval("SELECT read_due_at IS NULL FROM runs")


async def test_a_run_of_a_repository_that_is_not_ours_is_recorded_and_not_read(github: GitHub) -> None:
    async with github.pool.acquire() as conn:
        await rows.installation(conn)

    await github.tell("workflow_run", bodies.workflow_run("completed", 12345))

    assert await github.pool.fetchval("SELECT read_due_at IS NULL FROM runs")


BOBS = {"id": 4711, "name": "lab1-amy", "owner": {"id": 12, "login": "bob"}}


@pytest.mark.parametrize(
    ("home", "branch"), [(BOBS, "bob:main"), (BOBS | {"owner": None}, ":main"), (None, ":main")], ids=str
)
async def test_a_run_of_a_fork_is_on_no_branch_of_the_repository(
    github: GitHub, home: Body | None, branch: str
) -> None:
    async with github.pool.acquire() as conn:
        await rows.installation(conn)

    await github.tell("workflow_run", bodies.workflow_run("completed", head_repository=home))

    assert await github.pool.fetchval("SELECT head_branch FROM runs") == branch


async def test_a_run_without_a_branch_or_an_actor_is_recorded(github: GitHub) -> None:
    async with github.pool.acquire() as conn:
        await rows.installation(conn)
    body: Body = bodies.workflow_run("completed", head_branch=None, actor=None)

    await github.tell("workflow_run", body)

    row = await github.pool.fetchrow("SELECT head_branch, actor_id FROM runs")
    assert row is not None
    assert tuple(row) == (None, None)

"""A command is tried three times where the fault is ours, and as long as it takes where it is GitHub's."""

from typing import Any

import asyncpg
import pytest
import structlog

from bot.jobs import commands
from tests.flows.course import Course
from tests.flows.midway import MEMBERSHIP, fault

LIMIT = {"message": "You have exceeded a secondary rate limit."}
PAUSE = {"status": 429, "headers": {"Retry-After": "60"}, "body": LIMIT}
BROKEN = {"status": 502, "times": 9}


def deadlocks(monkeypatch: pytest.MonkeyPatch, times: int) -> None:
    """The next `times` commands meet a deadlock."""
    run, left = commands._run, [None] * times

    async def broken(*what: Any) -> None:
        if left:
            left.pop()
            raise asyncpg.DeadlockDetectedError("deadlock detected")
        await run(*what)

    monkeypatch.setattr(commands, "_run", broken)


async def asked(course: Course) -> str:
    """Whether the teacher's `/help`, a comment of an hour ago, was answered, and how."""
    with structlog.testing.capture_logs():
        await course.an_hour_passes()
        await course.settle()
    return "\n".join(comment.body for comment in course.issue.comments if comment.user is course.world.app.bot)


async def waited(course: Course, how: dict[str, Any]) -> None:
    """A command for which GitHub had no answer, two times."""
    await course.begin()
    course.issue = course.staff.open_issue(course.teacher, "Lab 2")
    fault(course, MEMBERSHIP, **how)
    course.issue.comment(course.teacher, "/help")
    await course.settle()
    course.world.faults.clear()
    fault(course, MEMBERSHIP, **how)
    assert await asked(course) == ""
    course.world.faults.clear()
    (row,) = await course.rows("SELECT attempts FROM commands WHERE done_at IS NULL")
    assert row["attempts"] == 2


@pytest.mark.parametrize("how", [PAUSE, BROKEN], ids=["a pause", "a 502"])
async def test_waiting_for_github_uses_up_none_of_a_commands_tries(
    course: Course, monkeypatch: pytest.MonkeyPatch, how: dict[str, Any]
) -> None:
    await waited(course, how)
    deadlocks(monkeypatch, commands.FAULTS_AT_MOST - 1)

    assert await asked(course) == ""
    assert await asked(course) == ""
    assert "/deadline" in await asked(course)


async def test_after_three_faults_of_ours_the_person_is_told_once(
    course: Course, monkeypatch: pytest.MonkeyPatch
) -> None:
    await waited(course, PAUSE)
    deadlocks(monkeypatch, commands.FAULTS_AT_MOST)

    assert await asked(course) == ""
    assert await asked(course) == ""
    told = await asked(course)
    assert "Not done" in told
    assert await asked(course) == told

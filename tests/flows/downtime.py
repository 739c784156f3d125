"""To be down: webhooks that nobody answers, GitHub's records out of reach, and up again."""

import re
from collections.abc import Iterator
from contextlib import contextmanager

from sandbox.repository import Repository
from sandbox.user import User
from tests.flows.course import Course
from tests.flows.midway import fault

ACTIVITY = ("GET", "/repos/{owner}/{repo}/activity")
LOG = ("GET", "/app/hook/deliveries")
UP_AGAIN = "2026-12-02 00:59:00"
PROPOSED = re.compile(r"`(/extend [^`]+)`")
CODE = re.compile(r"/confirm \w+")


@contextmanager
def down(course: Course) -> Iterator[None]:
    """Nobody answers GitHub's webhooks."""
    address, course.world.app.webhook_url = course.world.app.webhook_url, "http://127.0.0.1:9/webhook"
    yield
    course.world.app.webhook_url = address


def student(course: Course, login: str) -> tuple[Repository, User]:
    """Their repository, and they."""
    return next(it for it in course.org.repositories.values() if it.name == f"lab1-{login}"), course.world.user(login)


async def waiting(course: Course) -> str:
    """What waits for a person."""
    return await course.write(course.assistant, "/tasks")


async def confirmed(course: Course, line: str) -> str:
    """Give a command, and confirm it where that is asked."""
    said = await course.write(course.teacher, line)
    code = CODE.search(said)
    return await course.write(course.teacher, code[0]) if code else said


async def over_a_deadline(course: Course) -> tuple[str, str]:
    """Down from two hours before the deadline to an hour after it; Amy pushed in time and Bob did not.

    Up again, with GitHub's records out of reach. The shas of the two.
    """
    (amy, hers), (bob, his) = course.student("amy"), course.student("bob")
    await course.open_project()
    fault(course, ACTIVITY, status=502, times=999)
    fault(course, LOG, status=502, times=999)
    with down(course):
        await course.at("2026-12-01 23:00:00")
        in_time = hers.push(amy)
        await course.at("2026-12-02 00:10:00")
        late = his.push(bob)
        await course.world.hook.idle()
    await course.at(UP_AGAIN)
    await course.outage(hours=3)
    await course.settle()
    return in_time, late


async def recovered(course: Course) -> None:
    """GitHub's records can be read again."""
    course.world.faults.clear()
    await course.an_hour_passes()
    await course.settle()


async def parts(course: Course) -> dict[str, tuple[bool, bool, str | None]]:
    """By repository: whether its deadline was applied, whether it is frozen, and what counts."""
    rows = await course.rows(
        "SELECT r.name, e.deadline_applied_at, e.frozen_at, e.submission_sha"
        " FROM enrolments e JOIN repositories r ON r.id = e.repository_id"
    )
    return {row[0]: (row[1] is not None, row[2] is not None, row[3]) for row in rows}

"""A process that dies over a weaker lock, and a deadline that moves before anybody goes on."""

import pytest

from tests.crashes.process import process
from tests.crashes.test_failpoints import bury_all_but, killed
from tests.flows.course import Course


@pytest.mark.parametrize("point", ["repository_lock.answered", "repository_lock.answered:1", "archive.answered"])
async def test_a_lock_that_no_row_knows_of_is_lifted_after_the_deadline_moved(course: Course, point: str) -> None:
    course.org.plan = "free"
    amy, repo = course.student("amy")
    repo.private = point == "archive.answered"
    await course.open_project()
    await course.at("2026-12-01 23:59:00")
    async with process(course, point) as first:
        await killed(first)
    assert course.is_closed(repo, amy)

    await course.write(course.assistant, "/extend @amy +2d")
    await bury_all_but(course, course.service.process_id)
    await course.an_hour_passes()
    await course.settle()

    assert not course.is_closed(repo, amy)
    assert (repo.archived, repo.rulesets) == (False, {})

"""Repositories and installations that go while a call is on its way, and come back."""

import pytest

from tests.flows.course import Course
from tests.flows.midway import CREATE, DEADLINE, DISPATCH, GRACE_OVER, UPDATE, fault, until_held


async def test_a_repository_deleted_before_its_event_arrives_leaves_the_set_of_closed_ones(course: Course) -> None:
    _, repo = course.student("amy")
    bo, other = course.student("bo")
    await course.open_project()
    await course.write(course.assistant, "/extend @bo 2026-12-03 12:00")
    await course.at(DEADLINE)
    await course.settle()
    course.world.hook.hold()
    repo.delete()
    await course.rows("UPDATE repositories SET verify_due_at = now() WHERE id = $1", repo.id)
    await course.settle()
    assert [row["gone_as"] for row in await course.rows("SELECT gone_as FROM repositories WHERE id = $1", repo.id)] == [
        "removed"
    ]

    course.world.hook.release()
    await course.settle()
    await course.at("2026-12-03 12:00:00")
    await course.settle()

    assert course.is_closed(other, bo)
    assert course.rulesets() == [{other.id}] * 2


async def test_a_repository_out_of_reach_for_a_while_says_the_truth_once_it_is_back(course: Course) -> None:
    amy, repo = course.student("amy")
    course.student("bo")
    await course.open_project()
    sha = repo.push(amy)
    await course.settle()
    installation = course.org.installation
    assert installation is not None
    installation.remove(repo)
    await course.world.hook.idle()
    await course.write(course.teacher, "/deadline 2026-12-05 12:00")

    installation.add(repo)
    await course.settle()

    assert "Sat 5 Dec 2026, 12:00:00" in course.check(repo, sha)


async def test_an_installation_replaced_while_the_lock_is_on_its_way_ends_closed(course: Course) -> None:
    amy, repo = course.student("amy")
    await course.open_project()
    await course.at(DEADLINE)
    held = fault(course, CREATE, hold="before")
    await until_held(course.service, held)
    assert course.org.installation is not None
    course.org.installation.uninstall()
    course.org.install(course.world.app)

    held.release()
    await course.settle()
    await course.an_hour_passes()
    await course.settle()

    assert course.is_closed(repo, amy)
    assert course.rulesets() == [{repo.id}] * 2


@pytest.mark.parametrize("when", ["removed", "deleted", "transferred", "renamed"])
async def test_a_repository_that_goes_away_while_its_review_is_on_its_way_stops_nothing(
    course: Course, when: str
) -> None:
    amy, repo = course.student("amy")
    bo, other = course.student("bo")
    await course.open_project()
    for user, target in ((amy, repo), (bo, other)):
        target.push(user)
    await course.settle()
    await course.at(DEADLINE)
    await course.settle()
    await course.at(GRACE_OVER)
    held = fault(course, DISPATCH, hold="before", times=2)
    await until_held(course.service, held)

    assert course.org.installation is not None
    if when == "removed":
        course.org.installation.remove(repo)
    elif when == "deleted":
        repo.delete()
    elif when == "renamed":
        repo.rename("lab1-other")
    else:
        repo.transfer(course.world.organisation("elsewhere"))
    held.release()
    await course.service.finish_work()
    await course.settle()
    await course.an_hour_passes()
    await course.settle()

    assert len(course.reviews(other)) == 1
    assert len(course.reviews(repo)) == (1 if when == "renamed" else 0)
    assert course.is_closed(other, bo)


async def test_a_check_that_could_not_be_shown_follows_the_next_change(course: Course) -> None:
    amy, repo = course.student("amy")
    await course.open_project()
    sha = repo.push(amy)
    await course.settle()
    refused = fault(course, UPDATE, status=403, body={"message": "Repository was archived so is read-only."})
    await course.write(course.assistant, "/extend @amy 2026-12-03 12:00")
    assert refused not in course.world.faults.pending

    await course.write(course.assistant, "/extend @amy 2026-12-05 12:00")

    assert "Sat 5 Dec 2026, 12:00:00" in course.check(repo, sha)

"""This service is down around a deadline: nothing is lost, nothing is late by it, nothing settled too early."""

from tests.flows.course import Course
from tests.flows.downtime import UP_AGAIN, over_a_deadline, parts, recovered, student, waiting


async def test_an_outage_over_a_deadline_closes_at_once_settles_after_the_recovery_and_ends_right(
    course: Course,
) -> None:
    in_time, _ = await over_a_deadline(course)
    assert await parts(course) == {"lab1-amy": (True, False, None), "lab1-bob": (True, False, None)}
    assert all(course.is_closed(*student(course, it)) for it in ("amy", "bob"))

    await recovered(course)

    assert await parts(course) == {"lab1-amy": (True, True, in_time), "lab1-bob": (True, True, None)}
    hers = student(course, "amy")[0]
    assert [review.client_payload["sha"] for review in course.reviews(hers)] == [in_time]
    assert course.check(hers, in_time).startswith("On time")


async def test_a_restart_is_no_outage(course: Course) -> None:
    course.student("amy")
    await course.open_project()
    await course.at("2026-12-01 23:59:05")
    await course.outage(seconds=10)
    await course.settle()

    assert await course.rows("SELECT FROM outages") == []


async def test_an_outage_far_from_any_deadline_is_no_task_and_is_shown_by_the_status(course: Course) -> None:
    course.student("amy")
    await course.open_project()
    await course.at("2026-12-01 12:00:00")
    await course.outage(hours=2)
    await course.settle()

    assert "Nothing waits for a person." in await waiting(course)
    assert "This service" not in course.issue.body
    assert "was down from **Tue 1 Dec 2026, 10:00:00" in await course.write(course.teacher, "/course status")


async def test_where_only_the_workers_were_down_pushes_were_taken_in_and_the_freeze_does_not_wait(
    course: Course,
) -> None:
    amy, repo = course.student("amy")
    await course.open_project()
    await course.at("2026-12-01 23:00:00")
    sha = repo.push(amy)
    await course.world.hook.idle()
    await course.at(UP_AGAIN)
    await course.outage("worker", hours=3)
    await course.settle()

    said = await waiting(course)
    assert "The part of this service that works on GitHub was down from **Tue 1 Dec 2026, 21:59:00" in said
    assert "Pushes were heard of all the while" in said
    assert "`/extend all +3h`" in said
    assert await parts(course) == {"lab1-amy": (True, True, sha)}
    assert course.check(repo, sha).startswith("On time")


async def test_what_was_pushed_while_the_app_was_suspended_is_found_when_it_is_back(course: Course) -> None:
    amy, repo = course.student("amy")
    await course.open_project()
    assert course.org.installation is not None
    course.org.installation.suspend()
    await course.settle()
    await course.at("2026-12-01 20:00:00")
    sha = repo.push(amy)
    await course.settle()
    assert await course.rows("SELECT FROM receipts WHERE head_sha = $1", sha) == []
    await course.at("2026-12-01 21:00:00")

    course.org.installation.unsuspend()
    await course.settle()

    (receipt,) = await course.rows("SELECT received_at, evidence FROM receipts WHERE head_sha = $1", sha)
    assert receipt["evidence"] == "activity"
    assert receipt["received_at"] == await course.at("2026-12-01 20:00:00")

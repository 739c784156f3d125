"""When a push arrived decides, whatever came late, twice, or with a forged date."""

from datetime import UTC, datetime

import pytest

from tests.flows.course import Course


async def test_a_webhook_that_arrives_late_is_dated_by_githubs_own_clock(course: Course) -> None:
    amy, repo = course.student("amy")
    await course.open_project()
    await course.at("2026-12-01 23:58:50")
    course.world.hook.hold()
    sha = repo.push(amy)
    await course.at("2026-12-02 00:01:50")
    course.world.hook.release()
    await course.settle()

    (receipt,) = await course.rows("SELECT received_at, evidence FROM receipts WHERE head_sha = $1", sha)
    assert receipt["evidence"] == "pushed_at"
    assert receipt["received_at"] == datetime(2026, 12, 1, 22, 58, 50, tzinfo=UTC)
    assert course.check(repo, sha).startswith("On time")
    await course.at("2026-12-02 00:29:00")
    await course.settle()
    assert [review.client_payload["sha"] for review in course.reviews(repo)] == [sha]


@pytest.mark.parametrize("claimed", [datetime(1970, 1, 1, tzinfo=UTC), datetime(2099, 1, 1, tzinfo=UTC)])
async def test_the_dates_inside_a_commit_play_no_role(course: Course, claimed: datetime) -> None:
    amy, repo = course.student("amy")
    await course.open_project()
    on_time = repo.push(amy, author_date=claimed)
    await course.settle()
    await course.at("2026-12-01 23:59:02")
    late = repo.push(amy, author_date=claimed)
    await course.settle()

    assert course.check(repo, on_time).startswith("On time")
    assert course.check(repo, late).startswith("Late by 1 s")


async def test_a_push_at_the_very_deadline_is_on_time(course: Course) -> None:
    amy, repo = course.student("amy")
    await course.open_project()
    await course.at("2026-12-01 23:59:00")
    sha = repo.push(amy)
    await course.settle()

    assert course.check(repo, sha).startswith("On time")


async def test_the_commit_of_a_feature_branch_is_not_in_time_because_of_that(course: Course) -> None:
    amy, repo = course.student("amy")
    await course.open_project()
    sha = repo.push(amy, branch="feature")
    await course.settle()
    await course.at("2026-12-01 23:59:05")
    repo.push(amy, branch="main", to_sha=sha, force=True)
    await course.settle()
    await course.at("2026-12-02 00:29:00")
    await course.settle()

    assert not course.reviews(repo)


async def test_pushes_of_teachers_and_bots_make_no_submission(course: Course) -> None:
    amy, repo = course.student("amy")
    repo.collaborator(course.teacher, "admin")
    await course.open_project()
    own = repo.push(amy)
    repo.push(course.teacher, message="a hint")
    repo.push(course.world.actions_bot, message="generated")
    await course.settle()

    await course.at("2026-12-02 00:29:00")
    await course.settle()

    assert [review.client_payload["sha"] for review in course.reviews(repo)] == [own]


async def test_a_students_push_on_top_of_a_teachers_commit_is_a_submission(course: Course) -> None:
    amy, repo = course.student("amy")
    repo.collaborator(course.teacher, "admin")
    await course.open_project()
    repo.push(course.teacher, message="a hint")
    sha = repo.push(amy)
    await course.settle()

    await course.at("2026-12-02 00:29:00")
    await course.settle()

    assert [review.client_payload["sha"] for review in course.reviews(repo)] == [sha]


async def test_pushes_before_the_course_knew_the_repository_count(course: Course) -> None:
    amy, repo = course.student("amy")
    sha = repo.push(amy)
    await course.open_project()

    await course.at("2026-12-02 00:29:00")
    await course.settle()

    assert [review.client_payload["sha"] for review in course.reviews(repo)] == [sha]


async def test_the_same_delivery_twice_and_in_any_order_changes_nothing(course: Course) -> None:
    amy, repo = course.student("amy")
    await course.open_project()
    course.world.hook.duplicate(times=3)
    course.world.hook.hold()
    first = repo.push(amy)
    await course.at("2026-11-30 15:00:00")
    second = repo.push(amy)
    course.world.hook.release(order="reversed")
    await course.settle()
    for delivery in list(course.world.hook.log):
        course.world.hook.redeliver(delivery.guid)
    await course.settle()

    rows = await course.rows("SELECT head_sha FROM receipts ORDER BY received_at")
    assert [row["head_sha"] for row in rows] == [first, second]
    await course.at("2026-12-02 00:29:00")
    await course.settle()
    assert [review.client_payload["sha"] for review in course.reviews(repo)] == [second]


async def test_the_freeze_waits_for_news_that_was_received_in_time(course: Course) -> None:
    amy, repo = course.student("amy")
    await course.open_project()
    sha = repo.push(amy)
    await course.world.hook.idle()

    await course.at("2026-12-02 00:29:00")
    await course.service.tick()
    (row,) = await course.rows("SELECT deadline_applied_at, frozen_at FROM enrolments")
    assert row["deadline_applied_at"] is not None
    assert row["frozen_at"] is None
    await course.settle()

    assert [review.client_payload["sha"] for review in course.reviews(repo)] == [sha]

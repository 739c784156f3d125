"""The thread: a course closes on time, end to end."""

import pytest

from sandbox.errors import PushRefused
from tests.flows.course import Course


async def test_a_course_closes_on_time_and_its_review_is_asked_for_once(course: Course) -> None:
    amy, repo = course.student("amy")
    await course.open_project()
    await course.at("2026-12-01 20:00:00")
    sha = repo.push(amy)
    await course.settle()

    await course.at("2026-12-01 23:58:59")
    await course.settle()
    assert not course.is_closed(repo, amy)

    await course.at("2026-12-01 23:59:00")
    await course.settle()
    assert course.is_closed(repo, amy)
    with pytest.raises(PushRefused):
        repo.push_tag(amy, "late")
    assert not course.reviews(repo)

    await course.at("2026-12-02 00:29:00")
    await course.settle()

    (review,) = course.reviews(repo)
    assert review.client_payload["sha"] == sha
    assert review.client_payload["trigger"] == "deadline"
    assert review.client_payload["deadline"] == "2026-12-01T22:59:00Z"


async def test_any_number_of_repositories_is_closed_by_one_call_for_each_ruleset_of_the_pair(course: Course) -> None:
    repos = [course.student(login)[1] for login in ("amy", "bo", "cy", "di", "eve")]
    await course.open_project()

    await course.at("2026-12-01 23:59:00")
    await course.settle()

    assert course.locking_calls() == 2
    assert course.rulesets() == [{repo.id for repo in repos}] * 2


async def test_staff_and_the_app_can_still_push_to_a_closed_repository(course: Course) -> None:
    amy, repo = course.student("amy")
    repo.collaborator(course.teacher, "admin")
    await course.open_project()

    await course.at("2026-12-01 23:59:00")
    await course.settle()

    assert course.is_closed(repo, amy)
    assert not course.is_closed(repo, course.teacher)
    assert not course.is_closed(repo, course.owner)
    assert not course.is_closed(repo, course.world.app.bot)


async def test_the_lock_is_read_back_from_github(course: Course) -> None:
    course.student("amy")
    await course.open_project()

    await course.at("2026-12-01 23:59:00")
    await course.settle()

    (row,) = await course.rows("SELECT lock_verified_at, verify_due_at FROM repositories")
    assert row["lock_verified_at"] is not None
    assert row["verify_due_at"] is None


async def test_a_repository_without_a_submission_gets_no_review_and_the_audit_says_why(course: Course) -> None:
    _, repo = course.student("amy")
    await course.open_project()

    await course.at("2026-12-02 00:29:00")
    await course.settle()

    assert not course.reviews(repo)
    (event,) = await course.rows("SELECT detail FROM audit_log WHERE action = 'review.skipped'")
    assert event["detail"] == {"reason": "no submission"}


async def test_a_tick_makes_no_request(course: Course) -> None:
    course.student("amy")
    await course.open_project()
    await course.at("2026-12-02 00:29:00")
    before = len(course.world.calls)

    await course.service.ticker.tick({"locks": 1, "dispatches": 1, "checks": 1, "outbox": 1})

    assert len(course.world.calls) == before


async def test_a_service_that_was_down_over_the_deadline_catches_up_once_and_in_order(course: Course) -> None:
    amy, repo = course.student("amy")
    await course.open_project()
    sha = repo.push(amy)
    await course.settle()

    await course.at("2026-12-03 09:00:00")
    await course.settle()
    await course.settle()

    assert course.is_closed(repo, amy)
    assert [review.client_payload["sha"] for review in course.reviews(repo)] == [sha]
    rows = await course.rows(
        "SELECT action FROM audit_log WHERE repository_id IS NOT NULL AND action <> 'evidence.added' ORDER BY id"
    )
    # The lock waits for nothing, the freeze for the evidence.
    actions = [row["action"] for row in rows]
    assert actions == ["repository.applied", "repository.locked", "repository.frozen", "review.asked"]


async def test_two_processes_on_one_database_do_the_same_work_once(pair: Course) -> None:
    amy, repo = pair.student("amy")
    await pair.open_project()
    repo.push(amy)
    await pair.settle()

    await pair.at("2026-12-01 23:59:00")
    await pair.settle()
    await pair.at("2026-12-02 00:29:00")
    await pair.settle()

    assert pair.locking_calls() == 2
    assert len(pair.reviews(repo)) == 1
    replies = [comment for comment in pair.issue.comments if comment.user is pair.world.app.bot]
    assert len(replies) == 3

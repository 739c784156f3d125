"""Judgement waits for evidence: what came around a deadline is asked about before it is called late (section 3)."""

import pytest

from sandbox.faults import Fault
from sandbox.repository import Repository
from sandbox.user import User
from tests.flows.course import Course

DEADLINE = "2026-12-01 23:59:00"
GRACE_OVER = "2026-12-02 00:29:00"
ACTIVITY = "/repos/{owner}/{repo}/activity"


@pytest.fixture
async def amys(course: Course) -> tuple[User, Repository]:
    """An open project without runs, and one student of it."""
    amy, repo = course.student("amy")
    repo.workflows.clear()
    await course.open_project(options="--grading none")
    return amy, repo


async def news_on_the_way(course: Course, user: User, repo: Repository, pushed: str, stale: str | None = None) -> str:
    """A push whose webhook is still on its way; `stale` is when the payload claims that it was."""
    await course.at(pushed)
    if stale:
        now = course.world.clock.now()
        repo.stale_pushed_at = await course.at(stale)
        await course.at(pushed)
        assert course.world.clock.now() == now
    course.world.hook.hold()
    return repo.push(user)


async def unlisted(course: Course, user: User, repo: Repository) -> str:
    """A push in time that GitHub neither tells of nor lists until after a freeze five seconds later."""
    sha = await news_on_the_way(course, user, repo, "2026-12-01 23:58:59")
    repo.activity.hide(lambda entry: entry.change.after == sha)
    await course.at("2026-12-01 23:59:05")
    await course.settle()
    return sha


async def submission(course: Course) -> str | None:
    """What was settled, once it is."""
    (row,) = await course.rows("SELECT frozen_at, submission_sha FROM enrolments")
    assert row["frozen_at"] is not None
    sha: str | None = row["submission_sha"]
    return sha


async def test_a_push_in_time_whose_news_is_late_and_claims_too_much_is_asked_about_and_on_time(
    course: Course, amys: tuple[User, Repository]
) -> None:
    amy, repo = amys
    sha = await news_on_the_way(course, amy, repo, "2026-12-01 23:58:50", stale="2026-12-01 20:00:00")
    repo.activity.hide()
    await course.at("2026-12-02 00:04:00")
    course.world.hook.release()
    await course.settle()

    assert course.check(repo, sha).startswith("Being checked: received around the deadline")
    repo.activity.reveal()
    await course.an_hour_passes()
    await course.settle()
    assert course.check(repo, sha).startswith("On time: received 23:58:50, 10 s before the deadline")
    assert "recorded in GitHub's list of pushes" in course.check(repo, sha)


async def test_a_late_push_is_late_once_github_has_listed_it(course: Course, amys: tuple[User, Repository]) -> None:
    amy, repo = amys
    await course.at(DEADLINE)
    repo.activity.hide()
    sha = repo.push(amy, branch="main")
    late = await news_on_the_way(course, amy, repo, "2026-12-01 23:59:30")
    course.world.hook.release()
    await course.settle()
    assert course.is_closed(repo, amy)

    assert course.check(repo, late).startswith("Being checked")
    repo.activity.reveal()
    await course.an_hour_passes()
    await course.settle()
    assert course.check(repo, late).startswith("Late by ")
    await course.at(GRACE_OVER)
    await course.settle()
    assert await submission(course) == sha


async def test_the_freeze_waits_until_github_was_asked_and_the_lock_does_not(
    course: Course, amys: tuple[User, Repository]
) -> None:
    amy, repo = amys
    sha = await news_on_the_way(course, amy, repo, "2026-12-01 23:58:50", stale="2026-12-01 20:00:00")
    repo.activity.hide()
    await course.at("2026-12-02 00:28:59")
    course.world.hook.release()
    await course.settle()
    assert course.is_closed(repo, amy)

    await course.at("2026-12-02 01:00:00")
    await course.settle()
    assert [row["frozen_at"] for row in await course.rows("SELECT frozen_at FROM enrolments")] == [None]
    repo.activity.reveal()
    await course.an_hour_passes()
    await course.settle()
    assert await submission(course) == sha


async def test_what_github_never_lists_is_believed_after_three_times_of_asking(
    course: Course, amys: tuple[User, Repository]
) -> None:
    amy, repo = amys
    sha = await news_on_the_way(course, amy, repo, "2026-12-01 23:58:50", stale="2026-12-01 23:40:00")
    repo.activity.hide()
    await course.at(GRACE_OVER)
    course.world.hook.release()
    for _ in range(3):
        await course.settle()
        await course.an_hour_passes()
    await course.settle()

    assert course.check(repo, sha).startswith("On time: received 23:40:00")
    assert await submission(course) == sha


async def test_a_push_nobody_was_told_of_is_found_before_the_freeze(
    course: Course, amys: tuple[User, Repository]
) -> None:
    amy, repo = amys
    course.world.hook.drop()
    await course.at("2026-12-01 23:58:50")
    sha = repo.push(amy)
    course.world.hook.forget(lambda _: True)
    await course.settle()
    assert not await course.rows("SELECT FROM receipts WHERE head_sha = $1", sha)

    await course.at(GRACE_OVER)
    await course.settle()

    assert await submission(course) == sha
    assert course.check(repo, sha).startswith("On time: received 23:58:50")
    added = await course.rows("SELECT detail FROM audit_log WHERE action = 'evidence.added' ORDER BY id")
    assert [row["detail"]["news"] for row in added if row["detail"]["sha"] == sha] == ["new"]


async def test_evidence_that_comes_after_the_freeze_settles_anew_and_the_old_verdict_is_kept(course: Course) -> None:
    amy, repo = course.student("amy")
    await course.open_project(options="--grading none --grace 5s")
    first = repo.push(amy)
    await course.settle()
    sha = await unlisted(course, amy, repo)
    assert await submission(course) == first

    course.world.hook.release()
    await course.settle()

    assert await submission(course) == sha
    assert course.check(repo, sha).startswith("On time")
    kept = await course.rows("SELECT sha, submission, replaced_by, reason FROM past_verdicts")
    assert [tuple(row) for row in kept] == [(first, True, None, "evidence: webhook")]
    judged = await course.rows("SELECT detail FROM audit_log WHERE action = 'repository.judged_again'")
    assert [row["detail"] for row in judged] == [{"by": "webhook", "submission": first}]


async def test_the_review_that_was_asked_for_stays_the_only_one_when_evidence_moves_the_submission(
    course: Course,
) -> None:
    amy, repo = course.student("amy")
    await course.open_project(options="--grace 5s")
    first = repo.push(amy)
    await course.settle()
    sha = await unlisted(course, amy, repo)
    assert [review.client_payload["sha"] for review in course.reviews(repo)] == [first]

    course.world.hook.release()
    await course.settle()
    await course.at("2026-12-02 02:00:00")
    await course.settle()

    assert await submission(course) == sha
    assert [review.client_payload["sha"] for review in course.reviews(repo)] == [first]


async def test_where_github_has_no_such_list_the_freeze_does_not_wait_and_the_payload_is_believed(
    course: Course, amys: tuple[User, Repository]
) -> None:
    amy, repo = amys
    course.world.faults.add(Fault("GET", ACTIVITY, status=404, times=100))
    sha = await news_on_the_way(course, amy, repo, "2026-12-01 23:58:50", stale="2026-12-01 23:40:00")
    await course.at("2026-12-02 00:04:00")
    course.world.hook.release()
    await course.settle()
    assert course.check(repo, sha).startswith("Being checked")

    for _ in range(2):
        await course.an_hour_passes()
        await course.settle()
    assert course.check(repo, sha).startswith("On time: received 23:40:00")
    await course.at(GRACE_OVER)
    await course.settle()
    assert await submission(course) == sha
    (row,) = await course.rows("SELECT refused, due_at FROM activities WHERE repository_id = $1", repo.id)
    assert row["refused"]
    assert row["due_at"] is None
    course.world.faults.clear()


async def test_a_list_that_is_not_found_once_is_asked_for_again_before_the_freeze(
    course: Course, amys: tuple[User, Repository]
) -> None:
    amy, repo = amys
    repo.push(amy)
    await course.settle()
    sha = await news_on_the_way(course, amy, repo, "2026-12-01 23:58:50")
    # Both the old token and a new one.
    course.world.faults.add(Fault("GET", ACTIVITY, status=404, times=2))
    await course.at(GRACE_OVER)
    await course.settle()
    (row,) = await course.rows("SELECT frozen_at FROM enrolments")
    assert row["frozen_at"] is None

    await course.an_hour_passes()
    await course.settle()
    assert await submission(course) == sha


async def test_a_repository_that_was_away_over_the_deadline_is_asked_about_when_it_is_back(
    course: Course, amys: tuple[User, Repository]
) -> None:
    amy, repo = amys
    repo.push(amy)
    await course.settle()
    sha = await news_on_the_way(course, amy, repo, "2026-12-01 23:58:50")
    course.world.hook.release(lambda _: [])
    course.world.hook.forget(lambda one: one.event == "push")
    away = [("GET", ACTIVITY), ("GET", "/repos/{owner}/{repo}"), ("GET", "/installation/repositories")]
    for method, route in away:
        body = {"total_count": 0, "repositories": []} if "installation" in route else {}
        course.world.faults.add(Fault(method, route, status=200 if body else 404, body=body, times=100))
    await course.at("2026-12-02 00:02:00")
    for _ in range(4):
        await course.settle()
        await course.an_hour_passes()
    assert await course.rows("SELECT FROM repositories WHERE id = $1 AND gone_at IS NOT NULL", repo.id)

    course.world.faults.clear()
    await course.at("2026-12-02 01:00:00")
    repo.rename("lab1-back")
    for _ in range(2):
        await course.settle()
        await course.an_hour_passes()

    assert await submission(course) == sha


async def test_a_push_to_a_branch_that_does_not_count_settles_nothing_anew(course: Course) -> None:
    amy, repo = course.student("amy")
    await course.open_project(options="--grading none --grace 5s")
    first = repo.push(amy)
    await course.settle()
    await course.at("2026-12-01 23:58:59")
    course.world.hook.hold()
    side = repo.push(amy, branch="side")
    repo.activity.hide(lambda entry: entry.change.after == side)
    await course.at("2026-12-01 23:59:05")
    await course.settle()
    assert await submission(course) == first

    course.world.hook.release()
    await course.settle()

    assert not await course.rows("SELECT FROM past_verdicts")
    assert not await course.rows("SELECT FROM audit_log WHERE action = 'repository.judged_again'")


async def test_after_a_grace_of_seconds_github_is_asked_once_more(course: Course) -> None:
    amy, repo = course.student("amy")
    repo.workflows.clear()
    await course.open_project(options="--grading none --grace 5s")
    repo.push(amy)
    await course.settle()
    sha = await unlisted(course, amy, repo)
    course.world.hook.release(lambda _: [])
    course.world.hook.forget(lambda one: one.event == "push")
    repo.activity.reveal()

    await course.at("2026-12-02 00:01:00")
    await course.settle()

    assert await submission(course) == sha


async def test_the_activity_is_read_once_after_the_deadline_and_not_at_each_tick(
    course: Course, amys: tuple[User, Repository]
) -> None:
    amy, repo = amys
    repo.push(amy)
    await course.settle()
    before = course.world.count("GET", ACTIVITY)

    for wall in (DEADLINE, "2026-12-02 00:00:59", "2026-12-02 00:01:00", "2026-12-02 00:20:00", GRACE_OVER):
        await course.at(wall)
        await course.settle()
        await course.settle()

    assert course.world.count("GET", ACTIVITY) - before == 1
    (row,) = await course.rows("SELECT read_at FROM activities WHERE repository_id = $1", repo.id)
    assert row["read_at"] == await course.at("2026-12-02 00:01:00")

"""Whatever is done to branches to make evidence hard ends in the verdicts of a perfect observer at GitHub."""

import random

import pytest

from sandbox.errors import PushRefused
from sandbox.repository import Repository
from sandbox.user import User
from tests.flows.course import Course
from tests.flows.outage import NOBODY, missed_by_the_hundred

IN_TIME, TOO_LATE, GRACE_OVER = "2026-12-01 23:00:00", "2026-12-02 00:10:00", "2026-12-02 00:29:00"


async def opened(course: Course, options: str = "--grading none") -> tuple[User, Repository]:
    """An open project and a student of it."""
    amy, repo = course.student("amy")
    await course.open_project(options=options)
    return amy, repo


async def settled(course: Course, repo: Repository) -> str | None:
    """What counts once the grace is over."""
    await course.at(GRACE_OVER)
    await course.settle()
    (row,) = await course.rows("SELECT frozen_at, submission_sha FROM enrolments WHERE repository_id = $1", repo.id)
    assert row["frozen_at"] is not None
    sha: str | None = row["submission_sha"]
    return sha


async def test_the_head_that_a_forced_push_put_there_in_time_counts(course: Course) -> None:
    amy, repo = await opened(course)
    repo.push(amy)
    await course.at(IN_TIME)
    forced = repo.push(amy, force=True)
    await course.settle()

    assert await settled(course, repo) == forced


async def test_a_forced_push_after_the_deadline_takes_nothing_from_the_head_that_was_there_in_time(
    course: Course,
) -> None:
    amy, repo = await opened(course, "--grading none --strategy commit")
    in_time = repo.push(amy)
    await course.settle()
    await course.at(TOO_LATE)
    late = repo.push(amy, force=True)
    await course.settle()

    assert await settled(course, repo) == in_time
    assert course.check(repo, late).startswith("Late by")


async def test_a_head_that_is_forced_back_in_time_counts_again(course: Course) -> None:
    amy, repo = await opened(course)
    first = repo.push(amy)
    await course.settle()
    repo.push(amy)
    await course.settle()
    await course.at(IN_TIME)
    repo.push(amy, to_sha=first, force=True)
    await course.settle()

    assert await settled(course, repo) == first


async def test_a_teachers_head_that_a_student_pushes_back_to_is_the_students(course: Course) -> None:
    amy, repo = await opened(course)
    repo.collaborator(course.teacher, "admin")
    hint = repo.push(course.teacher)
    await course.settle()
    assert course.check(repo, hint).startswith("Not a submission")
    repo.push(amy)
    await course.settle()
    await course.at(IN_TIME)
    repo.push(amy, to_sha=hint, force=True)
    await course.settle()

    assert course.check(repo, hint).startswith("On time")
    assert await settled(course, repo) == hint


async def test_a_head_that_is_forced_back_too_late_does_not(course: Course) -> None:
    amy, repo = await opened(course, "--grading none --strategy commit")
    first = repo.push(amy)
    await course.at(IN_TIME)
    second = repo.push(amy)
    await course.settle()
    await course.at(TOO_LATE)
    repo.push(amy, to_sha=first, force=True)
    await course.settle()

    assert await settled(course, repo) == second


async def test_a_commit_of_a_feature_branch_that_is_merged_late_is_late(course: Course) -> None:
    amy, repo = await opened(course, "--grading none --strategy commit")
    in_time = repo.push(amy)
    repo.push(amy, branch="feature")
    await course.settle()
    await course.at(TOO_LATE)
    merged = repo.merge(amy, "feature")
    await course.settle()

    assert await settled(course, repo) == in_time
    assert course.check(repo, merged).startswith("Late by")


async def test_a_push_that_the_lock_refuses_leaves_no_evidence_and_moves_nothing(course: Course) -> None:
    amy, repo = await opened(course)
    in_time = repo.push(amy)
    await course.settle()
    await course.at(TOO_LATE)
    await course.settle()
    with pytest.raises(PushRefused):
        repo.push(amy)

    assert await settled(course, repo) == in_time
    heard = await course.rows("SELECT head_sha FROM receipts WHERE repository_id = $1", repo.id)
    assert [row["head_sha"] for row in heard] == [in_time]


async def test_tags_and_deleted_branches_make_no_receipts(course: Course) -> None:
    amy, repo = await opened(course)
    in_time = repo.push(amy)
    repo.push_tags(amy, "v1", "v2")
    repo.push_tags(amy, "w1", "w2", "w3", "w4")
    repo.create_branch(amy, "side", in_time)
    repo.delete_branch(amy, "side")
    await course.settle()

    assert await settled(course, repo) == in_time
    heard = await course.rows("SELECT ref FROM receipts WHERE repository_id = $1 ORDER BY ref", repo.id)
    assert [row["ref"] for row in heard] == ["refs/heads/main", "refs/heads/side"]


async def test_a_commit_inside_a_push_is_in_time_and_pushed_back_to_too_late_it_displaces_nothing(
    course: Course,
) -> None:
    amy, repo = await opened(course, "--strategy commit")
    shas = repo.push_several(amy, 3)
    await course.settle()
    await course.at(TOO_LATE)
    repo.push(amy, to_sha=shas[1], force=True)
    await course.settle()

    assert await settled(course, repo) == shas[2]
    assert course.check(repo, shas[1]).startswith("On time")
    assert "inside a push that was received then" in course.check(repo, shas[1])


async def test_a_list_in_disorder_over_several_pages_is_read_as_it_happened(course: Course) -> None:
    amy, repo = await opened(course)
    course.world.app.webhook_url, door = NOBODY, course.world.app.webhook_url
    await course.at("2026-12-01 22:00:00")
    for minute in range(110):
        await course.at(f"2026-12-01 {22 + minute // 60}:{minute % 60:02}:00")
        last = repo.push(amy)
    await course.world.hook.idle()
    course.world.hook.forget(lambda _: True)
    course.world.app.webhook_url = door
    repo.activity.order = lambda entries: random.Random(7).sample(entries, len(entries))

    assert await settled(course, repo) == last
    (row,) = await course.rows("SELECT count(*) AS heard FROM receipts WHERE repository_id = $1", repo.id)
    assert row["heard"] == 110


async def test_what_was_pushed_before_and_after_a_renaming_that_nobody_was_told_of_is_one_history(
    course: Course,
) -> None:
    amy, repo = await opened(course)
    course.world.app.webhook_url, door = NOBODY, course.world.app.webhook_url
    repo.push(amy)
    repo.rename("lab1-another")
    await course.at(IN_TIME)
    last = repo.push(amy)
    await course.world.hook.idle()
    course.world.hook.forget(lambda one: one.event == "push")
    course.world.app.webhook_url = door

    assert await settled(course, repo) == last
    assert course.check(repo, last).startswith("On time")


async def test_the_pushes_of_an_outage_half_of_which_left_the_log_are_judged_as_if_nothing_had_been_down(
    course: Course,
) -> None:
    await missed_by_the_hundred(course, students=6)

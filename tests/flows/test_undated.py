"""A commit that nothing dates counts while the deadline lies ahead, and no longer (docs/design.md section 3)."""

from collections.abc import Callable

import pytest

from sandbox.actions import start_for_push
from sandbox.repository import Repository
from sandbox.user import User
from tests.flows.course import Course

DEADLINE = "2026-12-01 23:59:00"
GRACE_OVER = "2026-12-02 00:29:00"
HALF_A_DAY_LATER = "2026-12-02 12:29:00"
SLOTS = "SELECT current_run IS NOT NULL AS counts, frozen_run IS NOT NULL AS frozen FROM enrolments"
SETTLED = (
    "SELECT e.submission_sha, e.submission_at, e.frozen_at IS NOT NULL AS frozen, e.review_skipped,"
    " run.head_sha AS scored FROM enrolments e LEFT JOIN runs run ON run.id = e.frozen_run"
)


def by_the_template(repo: Repository, _: User) -> str:
    """The repository's first commit, which the reconciliation of runs may find a run on."""
    return repo.head()


def by_a_tag(repo: Repository, user: User) -> str:
    """A commit that reached GitHub by a tag alone; the tag is called as the branch is."""
    sha = repo.commit(user, repo.head())
    return repo.push_tag(user, "main", sha)


@pytest.mark.parametrize("undated", [by_the_template, by_a_tag])
async def test_a_commit_that_nothing_dates_is_late_at_the_deadline_and_no_submission(
    course: Course, undated: Callable[[Repository, User], str]
) -> None:
    amy, repo = course.student("amy")
    await course.open_project()
    sha = undated(repo, amy)
    start_for_push(repo, "main", sha, amy)
    await course.settle()
    assert not await course.rows("SELECT FROM receipts")
    (slots,) = await course.rows(SLOTS)
    assert tuple(slots) == (True, False), "on time while the deadline lies ahead"

    await course.at(DEADLINE)
    await course.settle()

    (slots,) = await course.rows(SLOTS)
    assert tuple(slots) == (False, False)
    for moment in (GRACE_OVER, HALF_A_DAY_LATER):
        await course.at(moment)
        await course.settle()
    (settled,) = await course.rows(SETTLED)
    assert tuple(settled) == (None, None, True, "no submission", None)
    assert course.reviews(repo) == []
    said = await course.write(course.teacher, "/evidence @amy")
    assert "late, since nothing dates it" in said
    assert "there is no submission" in said


async def test_the_last_commit_that_is_dated_counts_in_the_place_of_one_that_nothing_dates(course: Course) -> None:
    amy, repo = course.student("amy")
    await course.open_project()
    dated = repo.push(amy)
    await course.settle()
    await course.at("2026-11-30 15:00:00")
    start_for_push(repo, "main", by_a_tag(repo, amy), amy)
    await course.settle()

    for moment in (DEADLINE, GRACE_OVER, HALF_A_DAY_LATER):
        await course.at(moment)
        await course.settle()

    (settled,) = await course.rows("SELECT submission_sha FROM enrolments")
    assert settled["submission_sha"] == dated
    assert [review.client_payload["sha"] for review in course.reviews(repo)] == [dated]


@pytest.mark.parametrize("known_at", ["2026-12-02 00:10:00", HALF_A_DAY_LATER], ids=["grace", "afterwards"])
async def test_a_run_whose_push_becomes_known_late_counts_all_the_same(course: Course, known_at: str) -> None:
    amy, repo = course.student("amy")
    await course.open_project()
    await course.at("2026-12-01 23:00:00")
    repo.activity.hide()
    course.world.hook.drop("push")
    sha = repo.push(amy)
    await course.world.hook.idle()
    assert course.world.hook.forget(lambda delivery: delivery.event == "push") == 1
    await course.settle()
    (slots,) = await course.rows(SLOTS)
    assert tuple(slots) == (True, False)
    await course.at(DEADLINE)
    await course.settle()
    (slots,) = await course.rows(SLOTS)
    assert tuple(slots) == (False, False)
    if known_at > GRACE_OVER:
        await course.at(GRACE_OVER)
        await course.settle()
        (settled,) = await course.rows(SETTLED)
        assert settled["review_skipped"] == "no submission"

    await course.at(known_at)
    repo.activity.reveal()
    await course.rows("UPDATE activities SET due_at = now()")
    for moment in (known_at, HALF_A_DAY_LATER):
        await course.at(moment)
        await course.settle()

    (settled,) = await course.rows(SETTLED)
    assert (settled["submission_sha"], settled["review_skipped"], settled["scored"]) == (sha, None, sha)
    assert [review.client_payload["sha"] for review in course.reviews(repo)] == [sha]

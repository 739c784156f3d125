"""GitHub fails in every way it knows: what is locked, asked for and said is still right, and nothing happens twice."""

import re
from typing import Any

import pytest

from sandbox.faults import Fault
from tests.flows.course import Course

CREATE = ("POST", "/orgs/{org}/rulesets")
REPLACE = ("PUT", "/orgs/{org}/rulesets/{id}")
DISPATCH = ("POST", "/repos/{owner}/{repo}/dispatches")
COMMENT = ("POST", "/repos/{owner}/{repo}/issues/{issue_number}/comments")
CHECK = ("POST", "/repos/{owner}/{repo}/check-runs")
SECONDARY = {"message": "You have exceeded a secondary rate limit. Please wait a few minutes before you try again."}


def fault(course: Course, call: tuple[str, str], **how: Any) -> Fault:
    return course.world.faults.add(Fault(method=call[0], route=call[1], **how))


async def frozen(course: Course) -> None:
    """Deadline and grace are over, and all that follows has been tried once."""
    await course.at("2026-12-02 00:29:00")
    await course.settle()


@pytest.mark.parametrize(
    "how", [{"drop": "before"}, {"drop": "after"}, {"status": 502}, {"status": 502, "after_effect": True}]
)
async def test_a_lock_whose_answer_is_lost_is_found_and_held_once(course: Course, how: dict[str, object]) -> None:
    amy, repo = course.student("amy")
    await course.open_project()
    fault(course, CREATE, **how)

    await course.at("2026-12-01 23:59:00")
    await course.settle()
    await course.an_hour_passes()
    await course.settle()

    assert course.is_closed(repo, amy)
    assert course.rulesets() == [{repo.id}] * 2
    (row,) = await course.rows("SELECT rulesets, locked_at FROM repositories")
    assert row["rulesets"] == 2


async def test_a_lock_that_fails_is_tried_again_and_the_claim_is_not_held_for_ever(course: Course) -> None:
    amy, repo = course.student("amy")
    bo, other = course.student("bo")
    await course.open_project()
    await course.write(course.assistant, "/extend @bo 2026-12-03 12:00")
    await course.at("2026-12-01 23:59:00")
    await course.settle()
    fault(course, REPLACE, status=500, times=9)

    await course.at("2026-12-03 12:00:00")
    await course.settle()
    assert not course.is_closed(other, bo)
    await course.an_hour_passes()
    course.world.faults.clear()
    await course.settle()

    assert course.is_closed(other, bo)
    assert course.is_closed(repo, amy)


async def test_a_ruleset_deleted_by_hand_is_made_again_at_the_next_change(course: Course) -> None:
    amy, repo = course.student("amy")
    bo, other = course.student("bo")
    await course.open_project()
    await course.write(course.assistant, "/extend @bo 2026-12-03 12:00")
    await course.at("2026-12-01 23:59:00")
    await course.settle()
    course.org.rulesets.clear()

    await course.at("2026-12-03 12:00:00")
    await course.settle()

    assert course.is_closed(other, bo)
    assert course.is_closed(repo, amy)


@pytest.mark.parametrize(
    "how", [{"drop": "before"}, {"drop": "after"}, {"status": 502}, {"status": 500, "after_effect": True}]
)
async def test_a_review_that_github_did_not_answer_is_not_confirmed_and_never_asked_again(
    course: Course, how: dict[str, object]
) -> None:
    amy, repo = course.student("amy")
    await course.open_project()
    repo.push(amy)
    await course.settle()
    fault(course, DISPATCH, **how)

    await frozen(course)
    await course.an_hour_passes()
    await course.settle()

    assert course.world.count(*DISPATCH) == 1
    assert "1 review not confirmed" in await course.write(course.teacher, "/status")


async def test_a_review_that_github_refused_is_given_back_and_asked_again(course: Course) -> None:
    amy, repo = course.student("amy")
    await course.open_project()
    repo.push(amy)
    await course.settle()
    fault(course, DISPATCH, status=422, body={"message": "Validation Failed"})

    await frozen(course)
    assert not course.reviews(repo)
    await course.an_hour_passes()
    await course.settle()

    assert len(course.reviews(repo)) == 1
    refusals = await course.rows("SELECT detail FROM audit_log WHERE action = 'review.refused'")
    assert len(refusals) == 1


async def test_a_limit_pauses_the_installation_and_the_review_goes_out_once_afterwards(course: Course) -> None:
    repos = []
    await course.begin()
    for login in ("amy", "bo", "cy"):
        user, repo = course.student(login)
        repos.append((user, repo))
    await course.write(course.teacher, "/project create lab1 --deadline 2026-12-01 23:59 --repos lab1-*")
    await course.write(course.teacher, "/publish")
    for user, repo in repos:
        repo.push(user)
    await course.settle()
    fault(course, DISPATCH, status=403, headers={"retry-after": "60"}, body=SECONDARY)

    await frozen(course)
    asked = course.world.count(*DISPATCH)
    await course.settle()
    assert course.world.count(*DISPATCH) == asked, "nothing is sent while the installation pauses"
    await course.an_hour_passes()
    await course.settle()

    assert [len(course.reviews(repo)) for _, repo in repos] == [1, 1, 1]


async def test_one_repositorys_refusal_does_not_stop_the_others(course: Course) -> None:
    amy, repo = course.student("amy")
    bo, other = course.student("bo")
    await course.open_project()
    for user, target in ((amy, repo), (bo, other)):
        target.push(user)
    await course.settle()
    repo.archive()
    await course.settle()

    await frozen(course)

    assert len(course.reviews(other)) == 1
    assert not course.reviews(repo)


@pytest.mark.parametrize("how", [{"drop": "after"}, {"status": 502, "after_effect": True}])
async def test_an_answer_whose_posting_was_not_confirmed_is_posted_once(course: Course, how: dict[str, object]) -> None:
    course.student("amy")
    await course.open_project()
    fault(course, COMMENT, **how)

    await course.write(course.teacher, "/status")
    await course.an_hour_passes()
    await course.settle()

    answers = [comment for comment in course.issue.comments if "state: open" in comment.body]
    assert len(answers) == 1


async def test_an_answer_that_was_never_posted_is_posted_once_its_mark_was_absent_for_a_minute(course: Course) -> None:
    course.student("amy")
    await course.open_project()
    fault(course, COMMENT, drop="before")
    await course.write(course.teacher, "/status")

    await course.an_hour_passes()
    await course.settle()

    answers = [comment for comment in course.issue.comments if "state: open" in comment.body]
    assert len(answers) == 1


async def test_a_check_whose_answer_is_lost_is_shown_once(course: Course) -> None:
    amy, repo = course.student("amy")
    await course.open_project()
    fault(course, CHECK, drop="after")
    sha = repo.push(amy)
    await course.settle()
    await course.an_hour_passes()
    await course.settle()

    assert course.check(repo, sha).startswith("On time")


async def test_an_expired_token_is_renewed_once_in_the_middle_of_the_work(course: Course) -> None:
    amy, repo = course.student("amy")
    await course.open_project()
    assert course.org.installation is not None
    course.org.installation.revoke_tokens()

    await course.at("2026-12-01 23:59:00")
    await course.settle()

    assert course.is_closed(repo, amy)


async def test_a_plan_without_rulesets_is_said_and_the_deadline_is_judged_all_the_same(course: Course) -> None:
    course.org.plan = "free"
    amy, repo = course.student("amy")
    await course.open_project()
    await course.at("2026-12-01 23:59:05")
    sha = repo.push(amy)
    await course.settle()

    # An archived repository takes no check any more: which of the two comes first is left to chance.
    evidence = await course.write(course.teacher, "/evidence @amy")
    assert re.search(rf"{sha[:7]}.*late by", evidence), evidence
    assert "Upgrade to GitHub Pro" in await course.write(course.teacher, "/status")
    asked = course.locking_calls()
    await course.an_hour_passes()
    await course.settle()
    assert course.locking_calls() == asked, "a plan's refusal is permanent: it is not asked again and again"


async def test_a_comment_that_was_certainly_not_posted_is_posted_without_a_minutes_wait(course: Course) -> None:
    course.student("amy")
    await course.open_project()
    fault(course, COMMENT, status=403, headers={"retry-after": "1"}, body=SECONDARY)
    await course.write(course.teacher, "/status")
    (letter,) = await course.rows("SELECT tried_at FROM outbox WHERE posted_at IS NULL AND kind = 'comment'")

    assert letter["tried_at"] is None
    await course.an_hour_passes()
    await course.settle()
    answers = [comment for comment in course.issue.comments if "state: open" in comment.body]
    assert len(answers) == 1


async def test_a_check_that_github_refuses_is_named_until_there_is_something_new_to_show(course: Course) -> None:
    amy, repo = course.student("amy")
    await course.open_project()
    fault(course, CHECK, status=403, times=99, body={"message": "Resource not accessible by integration"})
    repo.push(amy)
    await course.settle()
    course.world.faults.clear()

    said = await course.write(course.teacher, "/status")
    assert "GitHub refuses the check in `lab1-amy` (Resource not accessible by integration)" in said

    await course.at("2026-12-01 23:59:00")
    await course.settle()
    assert "GitHub refuses the check" not in await course.write(course.teacher, "/status")
    assert course.check(repo, repo.head()).startswith("On time")

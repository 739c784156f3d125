"""The strategy `commit`: at the deadline each tracked branch gets one empty commit of the App; nothing is locked."""

import re
from typing import Any

import pytest

from sandbox.git import BRANCH, Commit
from sandbox.repository import Repository
from sandbox.rulesets import Ruleset
from sandbox.user import User
from tests.flows.course import Course
from tests.flows.evening import code_of
from tests.flows.midway import DEADLINE, GRACE_OVER, alone, die, fault, silence, until_held

MAKE = ("POST", "/repos/{owner}/{repo}/git/commits")
MOVE = ("PATCH", "/repos/{owner}/{repo}/git/refs/{ref}")
SAID = "Deadline of lab1: Tue 1 Dec 2026, 23:59:00 Europe/Zurich (+01:00)"
AUDIT = "SELECT action, detail FROM audit_log WHERE action LIKE 'repository.deadline_commit%' ORDER BY id"
LOST = [{"drop": "before"}, {"drop": "after"}, {"status": 502}, {"status": 502, "after_effect": True}]


async def begun(course: Course, options: str = "") -> tuple[User, Repository, str]:
    """Amy has pushed in time to an open project of this strategy; her commit."""
    amy, repo = course.student("amy")
    await course.open_project(options=f"--strategy commit {options}")
    sha = repo.push(amy)
    await course.settle()
    return amy, repo, sha


async def closes(course: Course) -> None:
    """The deadline comes."""
    await course.at(DEADLINE)
    await course.settle()


def marks(course: Course, repo: Repository, branch: str = "main") -> list[Commit]:
    """The App's commits on a branch, newest first."""
    name = course.world.app.bot.login
    return [commit for commit in repo.git.history(repo.head(branch)) if commit.author.name == name]


def is_marked_once(course: Course, repo: Repository, parent: str, branch: str = "main") -> bool:
    """Whether the branch has one mark, which is its head, changes nothing and stands on `parent`."""
    (mark,) = marks(course, repo, branch)
    empty = mark.tree == repo.git.commits[parent].tree
    return empty and mark.parents == (parent,) and mark.sha == repo.head(branch)


async def test_each_tracked_branch_gets_one_empty_commit_that_names_the_deadline_and_nothing_is_locked(
    course: Course,
) -> None:
    amy, repo, sha = await begun(course, "--branches main,dev")
    side = repo.push(amy, "dev")
    other = repo.push(amy, "notes")
    await course.settle()

    await closes(course)

    assert is_marked_once(course, repo, sha)
    assert is_marked_once(course, repo, side, "dev")
    assert repo.head("notes") == other
    assert [mark.message for branch in ("main", "dev") for mark in marks(course, repo, branch)] == [SAID, SAID]
    assert not course.is_closed(repo, amy)
    assert course.locking_calls() == 0
    ours = await course.rows("SELECT sha FROM bot_commits")
    assert {row["sha"] for row in ours} == {repo.head("main"), repo.head("dev")}
    (row,) = await course.rows("SELECT deadline_committed_at FROM enrolments")
    assert row["deadline_committed_at"] == course.world.clock.now()
    assert [(row["action"], row["detail"]["branch"]) for row in await course.rows(AUDIT)] == [
        ("repository.deadline_committed", "dev"),
        ("repository.deadline_committed", "main"),
    ]


async def test_a_tick_later_an_hour_later_and_with_a_second_service_there_is_still_one(pair: Course) -> None:
    _, repo, sha = await begun(pair)

    await closes(pair)
    await pair.at(GRACE_OVER)
    await pair.settle()
    await pair.an_hour_passes()
    await pair.settle()

    assert is_marked_once(pair, repo, sha)


@pytest.mark.parametrize("settled", [True, False])
async def test_a_mark_that_was_made_is_known_again_where_it_was_not_written_that_it_was(
    course: Course, settled: bool
) -> None:
    _, repo, sha = await begun(course)
    await closes(course)
    await course.rows("UPDATE enrolments SET deadline_committed_at = NULL")
    if not settled:
        await course.rows("UPDATE deadline_commits SET settled_at = NULL, outcome = NULL")

    await course.settle()

    assert is_marked_once(course, repo, sha)
    assert course.world.count(*MAKE) == 1
    (row,) = await course.rows("SELECT deadline_committed_at FROM enrolments")
    assert row["deadline_committed_at"] is not None


async def test_without_a_word_the_strategy_is_lock_and_no_commit_is_made(course: Course) -> None:
    amy, repo = course.student("amy")
    await course.open_project()
    head = repo.head()

    await closes(course)

    assert course.is_closed(repo, amy)
    assert repo.head() == head
    assert "Strategy commit" not in await course.write(course.teacher, "/status")


async def test_the_marks_push_is_nobodys_submission_its_run_is_never_chosen_and_its_check_accuses_nobody(
    course: Course,
) -> None:
    _, repo, sha = await begun(course)

    await closes(course)
    await course.at(GRACE_OVER)
    await course.settle()

    mark = repo.head()
    assert any(run.head_sha == mark for run in repo.runs), "the workflow ran on the mark too"
    (row,) = await course.rows("SELECT pusher FROM receipts WHERE head_sha = $1", mark)
    assert row["pusher"] == "app"
    (row,) = await course.rows(
        "SELECT e.submission_sha, run.head_sha FROM enrolments e JOIN runs run ON run.id = e.frozen_run"
    )
    assert (row["submission_sha"], row["head_sha"]) == (sha, sha)
    assert [review.client_payload["sha"] for review in course.reviews(repo)] == [sha]
    assert course.check(repo, mark).startswith("Not a submission: pushed by this service")
    assert f"Your submission for **lab1** is **{sha[:7]}**" in course.check(repo, mark)


async def test_what_the_students_own_check_says_follows_though_the_mark_is_the_newest_push(course: Course) -> None:
    _, repo, _ = await begun(course, "--grading none")
    amy = course.world.users["amy"]
    await course.at("2026-12-01 23:59:01")
    late = repo.push(amy)
    await course.settle()
    mark = repo.head()
    assert mark != late
    assert "Runs on commits received in time may finish" in course.check(repo, late)

    await course.at(GRACE_OVER)
    await course.settle()

    assert "what counts is settled" in course.check(repo, late)


async def test_a_mark_whose_push_was_never_heard_of_is_chosen_no_more_when_the_deadline_moves_ahead(
    course: Course,
) -> None:
    _, repo, sha = await begun(course)
    await course.at(DEADLINE)
    course.world.hook.drop("push")
    await course.settle()
    mark = repo.head()
    assert not await course.rows("SELECT FROM receipts WHERE head_sha = $1", mark)
    assert await course.rows("SELECT FROM runs WHERE head_sha = $1 AND score_status = 'ok'", mark)

    await course.write(course.assistant, "/extend @amy +2d")

    (row,) = await course.rows("SELECT run.head_sha FROM enrolments e JOIN runs run ON run.id = e.current_run")
    assert row["head_sha"] == sha


async def test_a_reopened_repository_is_marked_again_at_its_new_deadline(course: Course) -> None:
    amy, repo, _ = await begun(course)
    await closes(course)
    first = repo.head()

    await course.write(course.assistant, "/extend @amy 2026-12-03 12:00")
    await course.settle()
    assert repo.head() == first
    again = repo.push(amy)
    await course.settle()
    await course.at("2026-12-03 12:00:00")
    await course.settle()

    second, old = marks(course, repo)
    assert (old.sha, second.parents) == (first, (again,))
    assert second.message == "Deadline of lab1: Thu 3 Dec 2026, 12:00:00 Europe/Zurich (+01:00)"
    rounds = await course.rows("SELECT round, sha, outcome FROM deadline_commits ORDER BY round")
    assert [tuple(row) for row in rounds] == [(1, first, "pushed"), (2, second.sha, "pushed")]


async def test_a_branch_that_is_missing_is_noted_and_the_others_are_marked(course: Course) -> None:
    _, repo, sha = await begun(course, "--branches dev,main")

    await closes(course)
    await course.an_hour_passes()
    await course.settle()

    assert is_marked_once(course, repo, sha)
    assert BRANCH + "dev" not in repo.git.refs
    (skipped, _) = await course.rows(AUDIT)
    assert skipped["action"] == "repository.deadline_commit_skipped"
    assert (skipped["detail"]["branch"], skipped["detail"]["reason"]) == ("dev", "there is no such branch")
    said = await course.write(course.teacher, "/status")
    assert "There was no such branch for the deadline commit: `lab1-amy` (`dev`)." in said
    assert "No deadline commit" not in said


async def test_a_default_branch_of_another_name_is_marked_though_its_event_was_lost(course: Course) -> None:
    amy, repo, _ = await begun(course)
    sha = repo.push(amy, "trunk")
    await course.settle()
    repo.default_branch = "trunk"
    del repo.git.refs[BRANCH + "main"]

    await closes(course)
    await course.an_hour_passes()
    await course.settle()

    assert is_marked_once(course, repo, sha, "trunk")


async def test_a_protected_branch_is_named_asked_again_and_does_not_keep_the_others_unmarked(course: Course) -> None:
    amy, repo, sha = await begun(course, "--branches dev,main")
    side = repo.push(amy, "dev")
    await course.settle()
    protection = protect(course, repo, "refs/heads/dev")

    await closes(course)
    assert course.world.count(*MOVE) == 2, "what is no race is not tried again at once"
    for _ in range(3):
        await course.an_hour_passes()
        await course.settle()

    assert is_marked_once(course, repo, sha)
    assert repo.head("dev") == side
    reason = "Repository rule violations found"
    said = await course.write(course.teacher, "/status")
    assert "No deadline commit yet: `lab1-amy`." in said
    assert f"`lab1-amy` (dev: {reason}" in said
    assert reason in course.issue.body
    refused = [row for row in await course.rows(AUDIT) if row["action"] == "repository.deadline_commit_refused"]
    assert [row["detail"]["branch"] for row in refused] == ["dev"], "the same refusal is audited once"
    assert course.world.count(*MAKE) == 2, "what was made for the head that is still there is used again"

    del repo.rulesets[protection.id]
    await course.an_hour_passes()
    await course.settle()
    assert is_marked_once(course, repo, side, "dev")
    said = await course.write(course.teacher, "/status")
    assert "1 with a deadline commit" in said
    assert "refused" not in said


def protect(course: Course, repo: Repository, ref: str) -> Ruleset:
    """A ruleset of the teacher's own, which nobody bypasses."""
    now = course.world.clock.now()
    ruleset = Ruleset(course.world.ids.small(), repo, now, now, "protected")
    ruleset.conditions = {"ref_name": {"include": [ref], "exclude": []}}
    ruleset.rules = [{"type": "update"}]
    repo.rulesets[ruleset.id] = ruleset
    return ruleset


@pytest.mark.parametrize("times", [1, 2])
async def test_a_branch_that_goes_on_between_the_reading_and_the_move_is_marked_on_its_new_head(
    course: Course, times: int
) -> None:
    amy, repo, _ = await begun(course)
    held = [fault(course, MOVE, hold="before") for _ in range(times)]
    await course.at(DEADLINE)

    sha = ""
    for move in held:
        await until_held(course.service, move)
        sha = repo.push(amy)
        move.release()
    await course.settle()

    assert is_marked_once(course, repo, sha)
    (row,) = await course.rows("SELECT sha, parent_sha, refused FROM deadline_commits")
    assert tuple(row) == (repo.head(), sha, None)
    assert "repository.deadline_commit_refused" not in {row["action"] for row in await course.rows(AUDIT)}


async def test_a_student_who_pushes_on_top_at_once_takes_the_mark_for_no_missing_one(course: Course) -> None:
    amy, repo, sha = await begun(course)
    moved = fault(course, MOVE, hold="after", drop="after")
    await course.at(DEADLINE)

    await until_held(course.service, moved)
    late = repo.push(amy)
    moved.release()
    await course.settle()
    await course.an_hour_passes()
    await course.settle()

    assert repo.head() == late
    (mark,) = marks(course, repo)
    assert mark.parents == (sha,)
    (row,) = await course.rows("SELECT sha, outcome FROM deadline_commits")
    assert tuple(row) == (mark.sha, "pushed")


@pytest.mark.parametrize("call", [MAKE, MOVE])
@pytest.mark.parametrize("how", LOST)
async def test_a_call_whose_answer_is_lost_leads_to_one_mark(
    course: Course, call: tuple[str, str], how: dict[str, Any]
) -> None:
    _, repo, sha = await begun(course)
    fault(course, call, times=3, **how)

    await closes(course)
    await course.an_hour_passes()
    await course.settle()

    assert is_marked_once(course, repo, sha)


@pytest.mark.parametrize("call", [MAKE, MOVE])
async def test_a_limit_pauses_and_the_mark_is_made_afterwards(course: Course, call: tuple[str, str]) -> None:
    _, repo, sha = await begun(course)
    words = {"message": "You have exceeded a secondary rate limit."}
    fault(course, call, status=403, headers={"retry-after": "60"}, body=words)

    await closes(course)
    assert repo.head() == sha
    assert not await course.rows(AUDIT), "a pause is no refusal"
    await course.an_hour_passes()
    await course.settle()

    assert is_marked_once(course, repo, sha)


@pytest.mark.parametrize("side", ["before", "after"])
@pytest.mark.parametrize("call", [MAKE, MOVE])
async def test_a_process_that_dies_in_a_call_leaves_no_second_mark(
    pair: Course, call: tuple[str, str], side: str
) -> None:
    _, repo, sha = await begun(pair)
    first = pair.services[1]
    held = fault(pair, call, hold=side)
    await pair.at(DEADLINE)

    with alone(pair, first):
        await until_held(first, held)
    await die(pair, first, held)
    await pair.settle()

    assert is_marked_once(pair, repo, sha)


async def test_whoever_was_silent_for_too_long_moves_nothing_with_the_commit_that_it_made(pair: Course) -> None:
    _, repo, sha = await begun(pair)
    slow = pair.services[1]
    held = fault(pair, MAKE, hold="after")
    await pair.at(DEADLINE)
    with alone(pair, slow):
        await until_held(slow, held)

    await silence(pair, slow.process_id)
    with alone(pair, pair.services[0]):
        await pair.settle()
    held.release()
    await pair.settle()

    assert is_marked_once(pair, repo, sha)
    assert pair.world.count(*MAKE) == 2
    assert pair.world.count(*MOVE) == 1


async def test_a_reopen_between_the_commit_and_its_record_keeps_the_branch_as_it_is(pair: Course) -> None:
    _, repo, sha = await begun(pair)
    held = fault(pair, MAKE, hold="after")
    await pair.at(DEADLINE)
    await until_held(pair.services[1], held)

    pair.issue.comment(pair.assistant, "/extend @amy +2d")
    with alone(pair, pair.services[0]):
        await pair.settle()
    held.release()
    await pair.settle()

    assert repo.head() == sha
    assert not await pair.rows("SELECT FROM deadline_commits")


async def test_shadow_mode_holds_the_mark_back(course: Course) -> None:
    amy, repo = course.student("amy")
    await course.begin()
    await course.write(course.owner, "/course set --mode shadow")
    await course.write(
        course.teacher, "/project create lab1 --deadline 2026-12-01 23:59 --repos lab1-* --strategy commit"
    )
    await course.write(course.teacher, "/publish")
    sha = repo.push(amy)
    await course.settle()

    await closes(course)

    assert repo.head() == sha
    assert course.world.count(*MAKE) == 0
    assert "No deadline commit" not in await course.write(course.teacher, "/status")


async def test_a_repository_that_is_gone_is_left_alone_and_the_others_are_marked(course: Course) -> None:
    bo, other = course.student("bo")
    _, repo, _ = await begun(course)
    sha = other.push(bo)
    await course.settle()
    course.world.hook.drop("repository")
    repo.delete()
    # Nor does GitHub's log tell of it: that it cannot be reached is all that is found.
    course.world.hook.forget(lambda one: one.event == "repository")

    await closes(course)
    await course.an_hour_passes()
    await course.settle()

    assert is_marked_once(course, other, sha)
    (row,) = await course.rows("SELECT gone_at, gone_as FROM repositories WHERE id = $1", repo.id)
    assert row["gone_as"] == "removed"
    assert not await course.rows("SELECT FROM deadline_commits WHERE repository_id = $1", repo.id)


async def test_an_archived_repository_is_marked_when_it_is_brought_back(course: Course) -> None:
    course.org.plan = "free"
    _, repo, sha = await begun(course)
    await course.write(course.assistant, "/lock @amy")
    archived = [repo.archived]

    await closes(course)
    assert repo.head() == sha
    assert course.world.count(*MAKE) == 0
    await course.write(course.assistant, "/unlock @amy")

    assert [*archived, repo.archived] == [True, False]
    assert is_marked_once(course, repo, sha)


async def test_a_lock_by_hand_still_locks_and_the_mark_passes_it(course: Course) -> None:
    amy, repo, sha = await begun(course)
    await course.write(course.assistant, "/lock @amy")
    assert course.is_closed(repo, amy)

    await closes(course)

    assert course.is_closed(repo, amy)
    assert is_marked_once(course, repo, sha)
    said = await course.write(course.teacher, "/status")
    assert "1 closed by hand" in said


async def test_the_answers_say_the_strategy_and_whether_each_repository_was_marked(course: Course) -> None:
    course.student("bo")
    await begun(course)
    await course.write(course.assistant, "/extend @bo 2026-12-03 12:00")
    drafted = next(comment.body for comment in course.issue.comments if "is drafted" in comment.body)
    strategy = "Strategy commit: the App marks the deadline with an empty commit on the default branch"
    assert strategy in drafted

    await closes(course)

    said = await course.write(course.teacher, "/status")
    assert strategy in said
    assert "1 with a deadline commit" in said
    lines = (await course.write(course.teacher, "/status all")).splitlines()
    rows = {line.split("`")[1]: line for line in lines if line.startswith("| `lab1-")}
    assert "open, deadline commit Tue 1 Dec 23:59:00" in rows["lab1-amy"]
    assert "deadline commit" not in rows["lab1-bo"]
    await course.an_hour_passes()
    await course.settle()
    assert strategy in course.issue.body
    assert "with a deadline commit: 1" in course.issue.body


async def test_a_strategy_that_does_not_exist_is_refused(course: Course) -> None:
    course.student("amy")
    await course.begin()

    said = await course.write(course.teacher, "/project create lab1 --deadline +2d --repos lab1-* --strategy both")

    assert "`lock` or `commit`" in said


async def test_no_answer_says_that_a_repository_closes_or_opens_where_none_does(course: Course) -> None:
    amy, repo, sha = await begun(course)
    assert "push until **" not in course.check(repo, sha)
    own = repo.open_issue(amy, "When?")
    assert "**lab1** is due **Tue 1 Dec 2026, 23:59:00" in await course.write(amy, "/status", own)
    await course.at("2026-12-01 22:00:00")
    said = [await course.write(course.teacher, "/deadline 2026-12-01 21:00")]
    said.append(await course.write(course.teacher, f"/confirm {code_of(said[0])}"))
    assert "Everything was judged again by when it was received." in said[-1]
    assert is_marked_once(course, repo, sha)
    course.student("bo")
    said.append(await course.write(course.teacher, "/enrol lab1-bo"))
    said.append(await course.write(course.assistant, "/extend @amy 2026-12-01 20:30"))
    said.append(await course.write(course.assistant, f"/confirm {code_of(said[-1])}"))
    said.append(await course.write(course.assistant, "/extend @amy +2d"))
    said.append(await course.write(course.teacher, "/deadline 2026-12-05 12:00"))

    for words in said:
        assert "Not done" not in words
        assert not re.search(r"\b(clos|open)", words, re.IGNORECASE), words
    assert not course.is_closed(repo, amy)
    assert course.locking_calls() == 0

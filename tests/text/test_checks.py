"""What a student reads in the check of a commit."""

import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Literal

import pytest

from bot.text.checks import CheckFacts, deadline_check

DEADLINE = datetime(2026, 12, 1, 22, 59, tzinfo=UTC)
ON_TIME = CheckFacts(
    project="lab1",
    zone="Europe/Zurich",
    sha="3f2c1a9" + "0" * 33,
    received_at=datetime(2026, 12, 1, 20, 58, 41, tzinfo=UTC),
    evidence="pushed_at",
    pusher="student",
    tracked=True,
    unsettled=False,
    deadline_at=DEADLINE,
    grace_seconds=1800,
    now=datetime(2026, 12, 1, 20, 58, 42, tzinfo=UTC),
    state="open",
    is_submission=True,
    submission_sha="3f2c1a9" + "0" * 33,
    submission_received_at=datetime(2026, 12, 1, 20, 58, 41, tzinfo=UTC),
    locked=False,
    withdrawn=False,
    graded=False,
)
LATE = replace(
    ON_TIME,
    received_at=DEADLINE + timedelta(minutes=12, seconds=20),
    now=DEADLINE + timedelta(minutes=13),
    state="applied",
    is_submission=False,
    submission_sha="9ab01de" + "0" * 33,
    submission_received_at=datetime(2026, 12, 1, 22, 41, 7, tzinfo=UTC),
)


def test_a_commit_in_time_says_when_by_which_clock_and_that_it_counts() -> None:
    check = deadline_check(ON_TIME)

    assert check.conclusion == "success"
    assert check.title == "On time: received 21:58:41, 2 h before the deadline"
    assert check.summary == (
        "Commit 3f2c1a9 reached GitHub on **Tue 1 Dec 2026, 21:58:41 Europe/Zurich** (20:58:41 UTC), "
        "recorded by GitHub's own clock.\n\n"
        "It counts as your submission for **lab1** until you push again.\n\n"
        "You can push until **Tue 1 Dec 2026, 23:59:00 Europe/Zurich** (22:59:00 UTC)."
    )


def test_a_late_commit_says_by_how_much_and_what_counts_instead() -> None:
    check = deadline_check(LATE)

    assert check.conclusion == "failure"
    assert check.title == "Late by 12 min 20 s: it does not count"
    assert "**Wed 2 Dec 2026, 00:11:20 Europe/Zurich** (Tue 1 Dec 2026, 23:11:20 UTC)" in check.summary
    assert "The deadline was **Tue 1 Dec 2026, 23:59:00 Europe/Zurich** (22:59:00 UTC)." in check.summary
    assert "Your submission for **lab1** is **9ab01de**, received on **Tue 1 Dec 2026, 23:41:07" in check.summary
    assert "The date inside a commit plays no role." in check.summary


@pytest.mark.parametrize(
    ("after", "conclusion", "title"),
    [
        (timedelta(seconds=-1), "success", "On time: received 23:58:59, 1 s before the deadline"),
        (timedelta(0), "success", "On time: received 23:59:00, at the deadline itself"),
        (timedelta(microseconds=1), "failure", "Late by less than a second: it does not count"),
        (timedelta(seconds=1), "failure", "Late by 1 s: it does not count"),
    ],
)
def test_late_is_strictly_after_the_deadline(after: timedelta, conclusion: str, title: str) -> None:
    check = deadline_check(replace(LATE, received_at=DEADLINE + after))

    assert (check.conclusion, check.title) == (conclusion, title)


@pytest.mark.parametrize(
    ("evidence", "says"),
    [
        ("arrival", "when the news reached this service"),
        ("pushed_at", "GitHub's own clock"),
        ("delivery log", "log of deliveries"),
        ("activity", "list of pushes"),
    ],
)
def test_the_evidence_is_named(evidence: str, says: str) -> None:
    assert says in deadline_check(replace(ON_TIME, evidence=evidence)).summary


def test_without_a_receipt_it_is_on_time_while_the_deadline_lies_ahead() -> None:
    check = deadline_check(replace(ON_TIME, received_at=None, evidence=None, now=DEADLINE - timedelta(seconds=1)))

    assert check.conclusion == "success"
    assert check.title == "On time: the deadline lies ahead"


def test_a_push_around_the_deadline_is_neither_on_time_nor_late_while_github_is_asked() -> None:
    check = deadline_check(replace(LATE, unsettled=True))

    assert check.title == "Being checked: received around the deadline"
    assert check.conclusion == "neutral"
    assert (
        "**Wed 2 Dec 2026, 00:11:20 Europe/Zurich** (Tue 1 Dec 2026, 23:11:20 UTC), after the deadline" in check.summary
    )
    assert "neither on time nor late" in check.summary


def test_at_its_very_instant_the_deadline_lies_ahead_no_more() -> None:
    unknown = deadline_check(replace(ON_TIME, received_at=None, evidence=None, now=DEADLINE))

    assert unknown.title == "Being checked: its arrival is not known"
    assert "You can push" not in deadline_check(replace(ON_TIME, now=DEADLINE)).summary


def test_without_a_receipt_it_is_never_called_late_after_the_deadline() -> None:
    check = deadline_check(replace(LATE, received_at=None, evidence=None))

    assert check.conclusion == "neutral"
    assert "neither on time nor late" in check.summary


@pytest.mark.parametrize(
    ("pusher", "whose"),
    [("staff", "your teachers"), ("app", "this service"), ("actions", "GitHub Actions"), ("bot", "a bot")],
)
def test_a_push_by_no_student_is_neutral_however_late(pusher: str, whose: str) -> None:
    check = deadline_check(replace(LATE, pusher=pusher))

    assert check.conclusion == "neutral"
    assert check.title == f"Not a submission: pushed by {whose}"
    assert "never late" in check.summary


def test_a_push_of_another_person_is_judged_like_a_students() -> None:
    assert deadline_check(replace(LATE, pusher="person")) == deadline_check(LATE)


def test_an_untracked_branch_does_not_count() -> None:
    check = deadline_check(replace(ON_TIME, tracked=False, is_submission=False))

    assert check.conclusion == "neutral"
    assert "does not count for **lab1**" in check.summary


def test_before_the_freeze_an_earlier_commit_learns_which_one_will_count() -> None:
    check = deadline_check(replace(ON_TIME, is_submission=False, submission_sha=None, submission_received_at=None))

    assert "The last commit received by the deadline will be your submission" in check.summary


def test_after_the_deadline_the_grace_and_the_lock_are_told() -> None:
    check = deadline_check(replace(ON_TIME, state="applied", now=DEADLINE, locked=True))

    assert "It is your submission for **lab1**." in check.summary
    assert "may finish until **Wed 2 Dec 2026, 00:29:00 Europe/Zurich** (Tue 1 Dec 2026, 23:29:00 UTC)" in check.summary
    assert "pushes are refused" in check.summary


def test_frozen_is_settled() -> None:
    assert "what counts is settled" in deadline_check(replace(ON_TIME, state="frozen", now=DEADLINE)).summary


def test_nothing_received_in_time_is_said() -> None:
    check = deadline_check(replace(LATE, submission_sha=None, submission_received_at=None))

    assert "no commit counts as a submission" in check.summary


def test_a_late_commit_that_counts_is_no_failure() -> None:
    check = deadline_check(replace(LATE, is_submission=True))

    assert check.conclusion == "success"
    assert check.title == "Late by 12 min 20 s, and it counts"


def test_a_repository_locked_before_its_deadline_is_not_told_to_push() -> None:
    check = deadline_check(replace(ON_TIME, locked=True))

    assert "You can push" not in check.summary
    assert "pushes are refused" in check.summary


def test_a_deadline_that_passed_unapplied_is_not_told_as_ahead() -> None:
    assert "You can push" not in deadline_check(replace(ON_TIME, now=DEADLINE + timedelta(seconds=1))).summary


@pytest.mark.parametrize("state", ["open", "applied", "frozen"])
@pytest.mark.parametrize("facts", [ON_TIME, LATE])
def test_the_same_facts_read_the_same_a_moment_later(
    facts: CheckFacts, state: Literal["open", "applied", "frozen"]
) -> None:
    there = replace(facts, state=state)

    assert deadline_check(there) == deadline_check(replace(there, now=there.now + timedelta(seconds=7)))


@pytest.mark.parametrize("facts", [ON_TIME, LATE, replace(LATE, received_at=None), replace(LATE, pusher="staff")])
def test_no_check_shouts_and_every_wall_time_has_its_utc(facts: CheckFacts) -> None:
    check = deadline_check(facts)

    assert "!" not in check.title + check.summary
    assert not re.search(r"oops|invalid", check.summary, re.IGNORECASE)
    assert check.summary.count("Europe/Zurich") == check.summary.count("UTC)")


def test_in_a_repository_that_was_withdrawn_nothing_is_said_to_count_or_to_be_late() -> None:
    for facts in (ON_TIME, LATE, replace(ON_TIME, pusher="staff")):
        check = deadline_check(replace(facts, withdrawn=True))
        assert (check.title, check.conclusion) == ("Not part of the assignment any more", "neutral")
        assert "counts" not in check.summary


def test_while_runs_are_to_decide_nothing_is_promised_to_count() -> None:
    ahead = deadline_check(replace(ON_TIME, graded=True)).summary
    last = deadline_check(replace(ON_TIME, graded=True, state="applied")).summary
    earlier = deadline_check(replace(LATE, graded=True, state="applied")).summary

    assert "For **lab1** counts what is received by the deadline." in ahead
    assert "last commit received" not in ahead, "it is not said anew when the next one comes"
    assert "It is the last commit received in time for **lab1**." in last
    assert "The last commit received in time for **lab1** is **9ab01de**, received on" in earlier
    for said in (ahead, last, earlier):
        assert "the one whose grading run finished last counts; without any score, the last commit" in said
        assert "our submission" not in said


def test_once_settled_the_submission_is_named_whatever_decided() -> None:
    assert (
        "It is your submission for **lab1**." in deadline_check(replace(ON_TIME, graded=True, state="frozen")).summary
    )


def test_where_the_deadline_locks_nothing_it_is_no_end_of_pushing() -> None:
    said = deadline_check(replace(ON_TIME, locks=False)).summary

    assert "push until **" not in said
    assert "The deadline is **Tue 1 Dec 2026, 23:59:00" in said

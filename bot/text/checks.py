"""What a student reads in the check `Deadline` on each pushed commit (docs/design.md section 10).

The words say nothing that changes by itself with the clock, so that a check is sent again only when a fact has changed.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from bot.rules import deadlines
from bot.text import when
from bot.text.markdown import plain

# Late is a failure: neutral looks like nothing in the list of commits, and a student must see it without opening it.
Conclusion = Literal["success", "neutral", "failure"]

_EVIDENCE = {
    "arrival": "recorded when the news reached this service",
    "pushed_at": "recorded by GitHub's own clock",
    "delivery log": "recorded in GitHub's log of deliveries",
    "activity": "recorded in GitHub's list of pushes",
    "inside": "inside a push that was received then",
}
_NO_STUDENTS = {"staff": "your teachers", "app": "this service", "actions": "GitHub Actions", "bot": "a bot"}

_APPEAL = (
    "The date inside a commit plays no role. If something went wrong, ask your teachers: they see the same record."
)

_DECIDED_BY_RUNS = (
    "Of the commits with a score, the one whose grading run finished last counts; without any score, the last commit."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckFacts:
    """What is known of one commit of one repository in one project; times in UTC, `pusher` as in bot.model.Pusher.

    `state` is the repository's: open, applied (its deadline has come) or frozen (what counts is settled). The
    submission is the commit that was settled, or before that the last one received in time; in an open project it may
    still be unknown. `graded`: runs decide which commit will count. `unsettled`: GitHub is being asked when it arrived.
    `locks`: the deadline closes the repository.
    """

    project: str
    zone: str
    sha: str
    received_at: datetime | None
    evidence: str | None
    pusher: str
    tracked: bool
    unsettled: bool
    deadline_at: datetime
    grace_seconds: int
    now: datetime
    state: Literal["open", "applied", "frozen"]
    is_submission: bool
    submission_sha: str | None
    submission_received_at: datetime | None
    locked: bool
    withdrawn: bool
    graded: bool
    locks: bool = True


@dataclass(frozen=True, slots=True)
class CheckText:
    """Title, summary (Markdown) and conclusion of a check run."""

    title: str
    summary: str
    conclusion: Conclusion


def deadline_check(facts: CheckFacts) -> CheckText:
    """The check of one commit: whose push it was, whether it came in time, what counts, what one can still do."""
    if facts.withdrawn:
        return _withdrawn(facts)
    if facts.pusher in _NO_STUDENTS:
        return _of_no_student(facts, _NO_STUDENTS[facts.pusher])
    if not facts.tracked:
        return _untracked(facts)
    if facts.received_at is None:
        return _unsettled(facts) if deadlines.has_come(facts.deadline_at, facts.now) else _here_before(facts)
    if deadlines.in_time(facts.received_at, facts.deadline_at):
        return _on_time(facts, facts.received_at)
    if facts.unsettled:
        return _asked_about(facts, facts.received_at)
    return _late(facts, facts.received_at - facts.deadline_at)


def _withdrawn(facts: CheckFacts) -> CheckText:
    rule = f"This repository takes no part in **{plain(facts.project)}** any more: nothing in it is judged or counted."
    return _check("Not part of the assignment any more", "neutral", rule)


def _of_no_student(facts: CheckFacts, whose: str) -> CheckText:
    rule = f"It was pushed by {whose}: it is no submission and never late. A student's push on top of it is one."
    return _check(f"Not a submission: pushed by {whose}", "neutral", _reached(facts), rule, _submission(facts))


def _untracked(facts: CheckFacts) -> CheckText:
    rule = f"It was pushed to a branch that does not count for **{plain(facts.project)}**."
    return _check("Not on a branch that counts", "neutral", _reached(facts), rule, _submission(facts), _limits(facts))


def _here_before(facts: CheckFacts) -> CheckText:
    known = f"Commit {facts.sha[:7]} is on GitHub, and its deadline lies ahead. When it arrived was not recorded."
    return _check("On time: the deadline lies ahead", "success", known, _submission(facts), _limits(facts))


def _unsettled(facts: CheckFacts) -> CheckText:
    known = f"When commit {facts.sha[:7]} reached GitHub is not known yet, so it is neither on time nor late."
    return _check("Being checked: its arrival is not known", "neutral", known, _submission(facts), _limits(facts))


def _asked_about(facts: CheckFacts, received_at: datetime) -> CheckText:
    known = (
        f"The news of commit {facts.sha[:7]} came on {when.at(received_at, facts.zone)}, after the deadline. GitHub is"
        " being asked when it really arrived, which takes a minute or two: until then it is neither on time nor late."
    )
    return _check("Being checked: received around the deadline", "neutral", known, _submission(facts), _limits(facts))


def _on_time(facts: CheckFacts, received_at: datetime) -> CheckText:
    ahead = (facts.deadline_at - received_at).total_seconds()
    distance = f"{when.lasting(ahead)} before the deadline" if ahead else "at the deadline itself"
    title = f"On time: received {when.clock(received_at, facts.zone)}, {distance}"
    return _check(title, "success", _reached(facts), _submission(facts), _limits(facts))


def _late(facts: CheckFacts, late: timedelta) -> CheckText:
    by = f"Late by {when.lasting(late.total_seconds())}"
    if facts.is_submission:
        return _check(f"{by}, and it counts", "success", _reached(facts), _submission(facts), _limits(facts))
    return _check(f"{by}: it does not count", "failure", _reached(facts), _limits(facts), _submission(facts), _APPEAL)


def _check(title: str, conclusion: Conclusion, *paragraphs: str) -> CheckText:
    return CheckText(title, "\n\n".join(paragraph for paragraph in paragraphs if paragraph), conclusion)


def _reached(facts: CheckFacts) -> str:
    if facts.received_at is None:
        return f"When commit {facts.sha[:7]} reached GitHub was not recorded."
    how = _EVIDENCE.get(facts.evidence or "", "")
    return f"Commit {facts.sha[:7]} reached GitHub on {when.at(facts.received_at, facts.zone)}{how and ', ' + how}."


def _ahead(facts: CheckFacts) -> bool:
    # Without the autopilot a repository stays open beyond its deadline.
    return facts.state == "open" and not deadlines.has_come(facts.deadline_at, facts.now)


def _submission(facts: CheckFacts) -> str:
    """What counts for the project, or which commit is the last one while runs are still to decide that."""
    project = f"**{plain(facts.project)}**"
    at = facts.submission_received_at
    received = f", received on {when.at(at, facts.zone)}" if at else ""
    if facts.graded and _ahead(facts):
        # Nothing of which commit is the last one now: this is not said anew with each push.
        return f"For {project} counts what is received by the deadline. {_DECIDED_BY_RUNS}"
    if facts.graded and facts.state != "frozen" and facts.submission_sha is not None:
        if facts.is_submission:
            return f"It is the last commit received in time for {project}. {_DECIDED_BY_RUNS}"
        last = f"**{facts.submission_sha[:7]}**{received}"
        return f"The last commit received in time for {project} is {last}. {_DECIDED_BY_RUNS}"
    if facts.is_submission:
        if _ahead(facts):
            return f"It counts as your submission for {project} until you push again."
        return f"It is your submission for {project}."
    if facts.submission_sha is None:
        if _ahead(facts):
            return f"The last commit received by the deadline will be your submission for {project}."
        return f"So far no commit counts as a submission for {project}."
    return f"Your submission for {project} is **{facts.submission_sha[:7]}**{received}."


def _limits(facts: CheckFacts) -> str:
    """Until when one can push where the deadline ends that, or what holds since the deadline."""
    deadline = when.at(facts.deadline_at, facts.zone)
    closed = " The repository is closed: pushes are refused." if facts.locked else ""
    if _ahead(facts):
        return (
            f"The deadline is {deadline}.{closed}" if closed or not facts.locks else f"You can push until {deadline}."
        )
    if facts.state == "frozen":
        return f"The deadline was {deadline}; what counts is settled.{closed}"
    end = deadlines.settles_at(facts.deadline_at, facts.grace_seconds)
    grace = f" Runs on commits received in time may finish until {when.at(end, facts.zone)}."
    return f"The deadline was {deadline}.{grace if facts.grace_seconds else ''}{closed}"

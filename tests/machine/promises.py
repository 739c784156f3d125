"""What must hold once all is at rest."""

from collections import Counter
from itertools import pairwise

from tests.flows.course import Course
from tests.machine.story import Story

FROZEN = """
SELECT r.id, e.frozen_at IS NOT NULL AS frozen, e.submission_sha
FROM enrolments e JOIN repositories r ON (r.account_id, r.id) = (e.account_id, e.repository_id)
"""
EVENTS = "SELECT action, repository_id FROM audit_log ORDER BY id"
LOCKS = {"repository.locked", "repository.unlocked"}
RECEIPTS = "SELECT repository_id, ref, head_sha, received_at FROM receipts"


async def hold(story: Story) -> None:
    """All of them."""
    closed_iff_wanted(story)
    await frozen_as_it_must_be(story)
    reviews_at_most_once(story)
    every_reply_once(story.course)
    every_check_once(story)
    await audit_is_complete(story)
    await receipts_are_never_later_than_the_push(story.course)


def closed_iff_wanted(story: Story) -> None:
    """GitHub refuses a student's push exactly where the model wants it."""
    for name, (student, repo) in story.students.items():
        assert story.course.is_closed(repo, student) == story.model.parts[name].wanted, f"lock of {name}"


async def frozen_as_it_must_be(story: Story) -> None:
    """What counts is settled where the model says so, and on its commit."""
    rows = {row["id"]: (row["frozen"], row["submission_sha"]) for row in await story.course.rows(FROZEN)}
    for name, (_, repo) in story.students.items():
        part = story.model.parts[name]
        assert rows[repo.id] == (part.frozen, part.submission), f"freeze of {name}"


def reviews_at_most_once(story: Story) -> None:
    """Each round asks once, for what was settled in it first; otherwise only where a call or a process broke."""
    for name, (_, repo) in story.students.items():
        sent = [review.client_payload["sha"] for review in story.course.reviews(repo)]
        rounds = story.model.parts[name].rounds
        assert once_a_round(sent, rounds), f"reviews of {name}: {sent} in {rounds}"
        first = [settled[0] for settled in rounds if settled]
        assert story.unsure_of_reviews or sent == first, f"reviews of {name}: {sent}, not {first}"


def once_a_round(sent: list[str], rounds: list[list[str]]) -> bool:
    """Whether each was settled in a later round than the one before it."""
    rest = iter(rounds)
    return all(any(sha in settled for settled in rest) for sha in sent)


def every_reply_once(course: Course) -> None:
    """Each comment of a person has one reply."""
    bot = course.world.app.bot
    bodies = [comment.body for comment in course.issue.comments if comment.user is bot]
    for comment in course.issue.comments:
        if comment.user is not bot:
            assert sum(f":reply:{comment.id} " in body for body in bodies) == 1, comment.body


def every_check_once(story: Story) -> None:
    """No commit has two checks, and each that was pushed since the project was published has one.

    One that was heard of while its repository took no part any more need not have any.
    """
    for name, (_, repo) in story.students.items():
        part = story.model.parts[name]
        for push in part.pushes:
            shown = story.course.check(repo, push.sha)
            assert shown or push.early or (push.lost and part.was_withdrawn), f"no check on {push}"


async def audit_is_complete(story: Story) -> None:
    """Each change of state has its row, once, and the last one about a lock says what GitHub holds."""
    rows = [(row["action"], row["repository_id"]) for row in await story.course.rows(EVENTS)]
    ids = {"": None} | {name: repo.id for name, (_, repo) in story.students.items()}
    known = {action for action, _ in story.model.audit}
    said = Counter(row for row in rows if row[0] in known)
    assert said == {(action, ids[name]): times for (action, name), times in story.model.audit.items()}
    for name, (_, repo) in story.students.items():
        turns = [action for action, repository in rows if repository == repo.id and action in LOCKS]
        assert (turns[-1:] == ["repository.locked"]) == story.model.parts[name].wanted, turns
        assert all(turn != after for turn, after in pairwise(turns)), f"{name} was locked or opened twice over: {turns}"


async def receipts_are_never_later_than_the_push(course: Course) -> None:
    """GitHub's own record of pushes is the measure."""
    pushed: dict[tuple[int, str, str], object] = {}
    for repo in course.org.repositories.values():
        for one in repo.activity:
            pushed.setdefault((repo.id, one.change.ref, one.change.after), one.at)
    for row in await course.rows(RECEIPTS):
        assert row["received_at"] <= pushed[row["repository_id"], row["ref"], row["head_sha"]]

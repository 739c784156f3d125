"""What the stories of GitHub's answers share: the calls that something can happen to, and the story around them."""

from collections.abc import Callable
from typing import Any

from sandbox.faults import Fault
from sandbox.repository import Repository
from sandbox.user import User
from tests.flows.course import Course

LOCK = ("POST", "/orgs/{org}/rulesets")
FIND = ("GET", "/orgs/{org}/rulesets")
READ_BACK = ("GET", "/repos/{owner}/{repo}/rules/branches/{branch}")
OWN = ("POST", "/repos/{owner}/{repo}/rulesets")
DISPATCH = ("POST", "/repos/{owner}/{repo}/dispatches")
CHECK = ("POST", "/repos/{owner}/{repo}/check-runs")
UPDATE = ("PATCH", "/repos/{owner}/{repo}/check-runs/{check_run_id}")
COMMENT = ("POST", "/repos/{owner}/{repo}/issues/{issue_number}/comments")
REACTION = ("POST", "/repos/{owner}/{repo}/issues/comments/{comment_id}/reactions")
REPOSITORY = ("GET", "/repos/{owner}/{repo}")
STUDENTS = ("GET", "/repos/{owner}/{repo}/collaborators")
ANNOTATIONS = ("GET", "/repos/{owner}/{repo}/check-runs/{check_run_id}/annotations")
MEMBERSHIP = ("GET", "/orgs/{org}/memberships/{username}")
MINT = ("POST", "/app/installations/{installation_id}/access_tokens")

EVERY = [LOCK, READ_BACK, DISPATCH, CHECK, UPDATE, COMMENT, REACTION, STUDENTS, ANNOTATIONS, MEMBERSHIP]
OF_A_REPOSITORY = [READ_BACK, DISPATCH, CHECK, UPDATE, COMMENT, REACTION, STUDENTS, ANNOTATIONS]
REDIRECTS = [301, 302, 307, 308]
NOT_FOUND = {"message": "Not Found"}
FORBIDDEN = {"message": "Resource not accessible by integration"}


def named(value: Any) -> str:
    """A call by its address, in the names of the tests."""
    return f"{value[0]} {value[1]}" if isinstance(value, tuple) else str(value)


def fault(course: Course, call: tuple[str, str], **how: Any) -> Fault:
    """Arrange what happens to the next such call."""
    return course.world.faults.add(Fault(method=call[0], route=call[1], **how))


async def whole_story(course: Course, begin: Callable[[], object]) -> tuple[User, Repository]:
    """One repository from its push to its review, with a question in between; `begin` arranges what goes wrong."""
    amy, repo = course.student("amy")
    await course.open_project()
    begin()
    repo.push(amy)
    await course.settle()
    repo.rename("lab1-amelia")
    course.issue.comment(course.teacher, "/status")
    await course.settle()
    await course.at("2026-12-02 00:29:00")
    await course.settle()
    return amy, repo


def all_is_well(course: Course, user: User, repo: Repository) -> None:
    """It is closed, reviewed once, its check stands, and the question was answered once."""
    assert course.is_closed(repo, user)
    assert course.rulesets() == [{repo.id}] * 2
    assert len(course.reviews(repo)) == 1
    assert "On time" in course.check(repo, repo.head())
    assert sum("state: " in comment.body for comment in course.issue.comments) == 1


async def gone_as(course: Course, repo: Repository) -> str | None:
    """In which way the repository cannot be reached; None while it can."""
    (row,) = await course.rows("SELECT gone_as FROM repositories WHERE id = $1", repo.id)
    how: str | None = row["gone_as"]
    return how

"""Each answer of GitHub's that is none, on each kind of call: what follows is what docs/design.md section 5 says."""

import asyncio
from collections.abc import Callable
from itertools import cycle
from typing import Any

import pytest

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
GONE = "SELECT gone_as FROM repositories ORDER BY id"


def named(value: Any) -> str:
    """A call by its address, in the names of the tests."""
    return f"{value[0]} {value[1]}" if isinstance(value, tuple) else str(value)


each_call = pytest.mark.parametrize("call", EVERY, ids=named)


def fault(course: Course, call: tuple[str, str], **how: Any) -> Fault:
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


@each_call
async def test_a_token_that_is_refused_is_replaced_once_and_the_call_repeated(
    course: Course, call: tuple[str, str]
) -> None:
    minted = course.world.count(*MINT)
    amy, repo = await whole_story(course, lambda: fault(course, call, status=401, body={"message": "Bad credentials"}))

    assert not course.world.faults.pending
    assert course.world.count(*MINT) > minted
    all_is_well(course, amy, repo)


@each_call
async def test_a_call_that_is_refused_with_the_new_token_too_fails_and_is_made_later(
    course: Course, call: tuple[str, str]
) -> None:
    refused = {"status": 401, "body": {"message": "Bad credentials"}, "times": 2}
    amy, repo = await whole_story(course, lambda: fault(course, call, **refused))
    asked = course.world.count(*call)
    await course.settle()
    assert course.world.count(*call) == asked, "not before some time has passed"
    await course.an_hour_passes()
    await course.settle()

    assert not course.world.faults.pending
    all_is_well(course, amy, repo)


@pytest.mark.parametrize("call", OF_A_REPOSITORY, ids=named)
async def test_a_404_is_looked_at_once_more_with_a_fresh_token(course: Course, call: tuple[str, str]) -> None:
    minted = course.world.count(*MINT)
    amy, repo = await whole_story(course, lambda: fault(course, call, status=404, body=NOT_FOUND))

    assert not course.world.faults.pending
    assert course.world.count(*MINT) > minted
    assert [row["gone_as"] for row in await course.rows(GONE)] == [None]
    all_is_well(course, amy, repo)


@pytest.mark.parametrize("call", OF_A_REPOSITORY, ids=named)
async def test_a_repository_that_answers_404_but_is_listed_is_not_gone(course: Course, call: tuple[str, str]) -> None:
    _, repo = await whole_story(course, lambda: fault(course, call, status=404, body=NOT_FOUND, times=8))
    await course.an_hour_passes()
    course.world.faults.clear()
    await course.settle()

    assert [row["gone_as"] for row in await course.rows(GONE)] == [None]
    assert len(course.reviews(repo)) == 1
    assert not await course.rows("SELECT FROM audit_log WHERE action = 'repository.gone'")


@pytest.mark.parametrize("call", [CHECK, OWN], ids=named)
async def test_a_404_that_stays_on_a_repository_that_is_there_is_not_asked_for_ever(
    course: Course, call: tuple[str, str]
) -> None:
    course.org.plan = "free"
    amy, repo = course.student("amy")
    repo.private = False
    await course.open_project()
    fault(course, call, status=404, body=NOT_FOUND, times=1000)
    repo.push(amy)
    await course.at("2026-12-01 23:59:00")
    await course.settle()
    assert 2 <= course.world.count(*call) <= 6

    course.world.faults.clear()
    await course.an_hour_passes()
    await course.settle()
    assert course.is_closed(repo, amy)


def deleted(repo: Repository) -> None:
    repo.delete()


def transferred(repo: Repository) -> None:
    elsewhere = repo.world.organisation("elsewhere")
    elsewhere.install(repo.world.app)
    repo.transfer(elsewhere)


def removed(repo: Repository) -> None:
    assert repo.owner.installation is not None
    repo.owner.installation.remove(repo)


LOST = [(deleted, "deleted"), (transferred, "transferred"), (removed, "removed")]


@pytest.mark.parametrize(("lose", "how"), LOST, ids=named)
async def test_the_three_ways_of_losing_a_repository_are_three_facts(
    course: Course, lose: Callable[[Repository], None], how: str
) -> None:
    _, repo = course.student("amy")
    bo, other = course.student("bo")
    await course.open_project()
    lose(repo)
    await course.settle()
    await course.at("2026-12-01 23:59:00")
    await course.settle()

    assert course.is_closed(other, bo)
    events = await course.rows("SELECT detail FROM audit_log WHERE action = 'repository.gone'")
    assert [event["detail"] for event in events] == [{"how": how}]
    said = {"deleted": "deleted", "transferred": "moved out of the organisation", "removed": "the App has no access"}
    assert f"Cannot be reached any more: `lab1-amy` ({said[how]}" in await course.write(course.teacher, "/status")


@pytest.mark.parametrize("call", ["push", "deadline", "freeze"])
@pytest.mark.parametrize(("lose", "how"), LOST, ids=named)
async def test_a_loss_of_which_no_event_told_is_found_by_the_next_call_and_the_event_is_believed_later(
    course: Course, lose: Callable[[Repository], None], how: str, call: str
) -> None:
    amy, repo = course.student("amy")
    bo, other = course.student("bo")
    await course.open_project()
    for user, one in ((amy, repo), (bo, other)):
        one.push(user)
    await course.settle()
    if call == "freeze":
        await course.at("2026-12-01 23:59:00")
        await course.settle()
    course.world.hook.hold()
    lose(repo)
    if call == "push":
        await course.rows("UPDATE checks SET said = NULL, due_at = now() WHERE repository_id = $1", repo.id)
    else:
        await course.at("2026-12-02 00:29:00" if call == "freeze" else "2026-12-01 23:59:00")
    await course.settle()
    assert await gone_as(course, repo) == "removed", "that it cannot be reached is all that is known"

    course.world.hook.release()
    await course.settle()
    assert await gone_as(course, repo) == how
    await course.at("2026-12-02 00:29:00")
    await course.settle()
    assert course.is_closed(other, bo)
    assert len(course.reviews(other)) == 1
    assert not course.reviews(repo)


async def gone_as(course: Course, repo: Repository) -> str | None:
    (row,) = await course.rows("SELECT gone_as FROM repositories WHERE id = $1", repo.id)
    how: str | None = row["gone_as"]
    return how


@pytest.mark.parametrize("how", ["removed", "transferred"])
async def test_a_repository_that_comes_back_is_looked_after_again(course: Course, how: str) -> None:
    amy, repo = course.student("amy")
    await course.open_project()
    sha = repo.push(amy)
    await course.settle()
    home = course.org
    removed(repo) if how == "removed" else transferred(repo)
    await course.settle()
    assert await gone_as(course, repo) == how
    await course.at("2026-12-01 23:59:00")
    await course.settle()
    assert not course.rulesets() or repo.id not in course.rulesets()[0]

    assert home.installation is not None
    home.installation.add(repo) if how == "removed" else repo.transfer(home)
    await course.settle()
    await course.at("2026-12-02 00:29:00")
    await course.settle()

    assert await gone_as(course, repo) is None
    assert course.is_closed(repo, amy)
    assert [review.client_payload["sha"] for review in course.reviews(repo)] == [sha]


async def test_a_student_who_may_no_longer_push_is_not_a_repository_that_is_gone(course: Course) -> None:
    amy, repo = course.student("amy")
    await course.open_project()
    repo.collaborator(amy, None)
    repo.rename("lab1-orphan")
    await course.settle()

    assert await gone_as(course, repo) is None
    assert "nobody" in await course.write(course.teacher, "/status lab1-orphan")
    await course.at("2026-12-01 23:59:00")
    await course.settle()
    assert course.rulesets() == [{repo.id}] * 2


async def test_without_the_organisations_permission_the_weaker_lock_holds_and_the_reason_is_named(
    course: Course,
) -> None:
    amy, repo = course.student("amy")
    await course.open_project()
    installation = course.org.installation
    assert installation is not None
    granted = installation.permissions.pop("organization_administration")
    installation.revoke_tokens()

    await course.at("2026-12-01 23:59:00")
    await course.settle()

    assert course.is_closed(repo, amy)
    assert not course.rulesets()
    assert await gone_as(course, repo) is None
    (event,) = await course.rows("SELECT detail FROM audit_log WHERE action = 'lock.failed'")
    assert "permission Administration of the organisation" in event["detail"]["reason"]
    assert "permission Administration of the organisation" in await course.write(course.teacher, "/status")
    installation.permissions["organization_administration"] = granted


async def test_what_the_organisations_set_holds_it_goes_on_holding_without_the_permission(course: Course) -> None:
    amy, repo = course.student("amy")
    await course.open_project()
    await course.at("2026-12-01 23:59:00")
    await course.settle()
    installation = course.org.installation
    assert installation is not None
    granted = installation.permissions.pop("organization_administration")
    installation.revoke_tokens()

    await course.write(course.assistant, "/extend @amy +2d")
    assert course.is_closed(repo, amy)
    said = await course.write(course.teacher, "/status")
    assert "Not as wanted on GitHub yet: `lab1-amy`" in said
    assert "permission Administration of the organisation" in said
    calls = course.locking_calls()
    await course.an_hour_passes()
    await course.settle()
    assert course.locking_calls() == calls, "nothing changes before the installation does"

    installation.permissions["organization_administration"] = granted
    await course.rows("UPDATE installations SET read_due_at = now()")
    await course.settle()
    assert not course.is_closed(repo, amy)


async def test_a_permission_that_is_granted_later_is_used_as_soon_as_the_installation_is_read(course: Course) -> None:
    amy, repo = course.student("amy")
    await course.open_project()
    repo.push(amy)
    await course.settle()
    installation = course.org.installation
    assert installation is not None
    granted = installation.permissions.pop("contents")
    installation.revoke_tokens()
    await course.at("2026-12-02 00:29:00")
    await course.settle()
    assert "Resource not accessible by integration" in await course.write(course.teacher, "/status")
    assert course.is_closed(repo, amy)

    installation.permissions["contents"] = granted
    await course.rows("UPDATE installations SET read_due_at = now()")
    await course.settle()
    await course.a_minute_passes()
    await course.settle()

    assert len(course.reviews(repo)) == 1


async def test_an_author_whom_github_does_not_show_us_is_told_so(course: Course) -> None:
    course.student("amy")
    await course.open_project()
    fault(course, MEMBERSHIP, status=403, body=FORBIDDEN)

    said = await course.write(course.teacher, "/status")

    assert "E-PERMISSION" in said
    assert "Resource not accessible by integration" in said


@pytest.mark.parametrize("when", ["lock", "review"])
@pytest.mark.parametrize("told", [True, False])
async def test_an_installation_suspended_in_the_middle_of_a_job_is_caught_up_with(
    course: Course, when: str, told: bool
) -> None:
    amy, repo = course.student("amy")
    bo, other = course.student("bo")
    await course.open_project()
    for user, one in ((amy, repo), (bo, other)):
        one.push(user)
    await course.settle()
    installation = course.org.installation
    assert installation is not None
    if when == "review":
        await course.at("2026-12-01 23:59:00")
        await course.settle()
    if not told:
        course.world.hook.drop("installation")
    installation.suspend()
    await course.at("2026-12-02 00:29:00" if when == "review" else "2026-12-01 23:59:00")
    await course.settle()
    (row,) = await course.rows("SELECT state FROM installations")
    assert row["state"] == "suspended"
    calls = len(course.world.calls)
    await course.an_hour_passes()
    await course.settle()
    assert not any(call.installation_id for call in course.world.calls[calls:]), "nothing is asked of it meanwhile"

    installation.unsuspend()
    await course.settle()
    await course.at("2026-12-02 00:29:00")
    await course.an_hour_passes()
    await course.settle()

    for user, one in ((amy, repo), (bo, other)):
        assert course.is_closed(one, user)
        assert len(course.reviews(one)) == 1


async def test_an_app_that_was_uninstalled_untold_marks_no_repository_as_gone(course: Course) -> None:
    amy, repo = course.student("amy")
    await course.open_project()
    repo.push(amy)
    await course.settle()
    course.world.hook.drop("installation")
    assert course.org.installation is not None
    course.org.installation.uninstall()

    await course.at("2026-12-01 23:59:00")
    await course.settle()

    (row,) = await course.rows("SELECT state FROM installations")
    assert row["state"] == "gone"
    assert await gone_as(course, repo) is None


async def test_a_plan_downgraded_between_the_two_rulesets_leaves_the_weaker_lock_in_force(course: Course) -> None:
    amy, repo = course.student("amy")
    repo.private = False
    await course.open_project()
    between = fault(course, LOCK, hold="after")

    await course.at("2026-12-01 23:59:00")
    settling = asyncio.create_task(course.settle())
    await between.reached.wait()
    course.org.plan = "free"
    between.release()
    await settling

    assert course.is_closed(repo, amy)
    assert {ruleset.target for ruleset in repo.rulesets.values()} == {"branch", "tag"}
    assert "Upgrade to GitHub Team" in await course.write(course.teacher, "/status")


@pytest.mark.parametrize("status", [403, 409, 422])
async def test_a_lock_that_is_refused_is_tried_later_audited_once_and_named(course: Course, status: int) -> None:
    amy, repo = course.student("amy")
    await course.open_project()
    fault(course, LOCK, status=status, body=FORBIDDEN, times=9)
    await course.at("2026-12-01 23:59:00")
    await course.settle()
    tries = course.world.count(*LOCK)
    await course.settle()
    assert course.world.count(*LOCK) == tries, "not before some time has passed"
    await course.a_minute_passes()
    await course.settle()
    assert course.world.count(*LOCK) > tries

    assert "Resource not accessible by integration" in await course.write(course.teacher, "/status")
    assert len(await course.rows("SELECT FROM audit_log WHERE action = 'lock.failed'")) == 1
    course.world.faults.clear()
    await course.an_hour_passes()
    await course.settle()
    assert course.is_closed(repo, amy)


@pytest.mark.parametrize("status", [400, 403, 410, 422])
async def test_a_review_that_is_refused_is_tried_later_audited_once_and_named(course: Course, status: int) -> None:
    amy, repo = course.student("amy")
    await course.open_project()
    repo.push(amy)
    await course.settle()
    fault(course, DISPATCH, status=status, body=FORBIDDEN, times=2)
    await course.at("2026-12-02 00:29:00")
    await course.settle()
    await course.settle()
    assert course.world.count(*DISPATCH) == 1
    await course.a_minute_passes()
    await course.settle()
    assert course.world.count(*DISPATCH) == 2

    said = await course.write(course.teacher, "/status")
    assert "The last try to ask for a review failed (Resource not accessible by integration)" in said
    assert len(await course.rows("SELECT FROM audit_log WHERE action = 'review.refused'")) == 1
    await course.a_minute_passes()
    await course.settle()
    assert len(course.reviews(repo)) == 1
    assert "failed" not in await course.write(course.teacher, "/status")


@pytest.mark.parametrize("how", [{"status": 502}, {"drop": "before"}], ids=str)
@pytest.mark.parametrize(
    "call", [FIND, READ_BACK, UPDATE, REACTION, REPOSITORY, STUDENTS, ANNOTATIONS, MEMBERSHIP], ids=named
)
async def test_what_may_be_done_twice_is_repeated_after_a_5xx_and_after_no_answer(
    course: Course, call: tuple[str, str], how: dict[str, Any]
) -> None:
    amy, repo = await whole_story(course, lambda: fault(course, call, times=2, **how))

    assert not course.world.faults.pending
    all_is_well(course, amy, repo)


@pytest.mark.parametrize(
    ("call", "status"),
    [*zip(EVERY, cycle(REDIRECTS), strict=False), *((DISPATCH, status) for status in REDIRECTS)],
    ids=named,
)
async def test_a_call_that_is_sent_on_arrives_as_it_was_and_the_present_name_is_read(
    course: Course, call: tuple[str, str], status: int
) -> None:
    def send_on() -> None:
        course.world.faults.add(Fault(method=call[0], route=call[1], status=status, moved=True))

    amy, repo = await whole_story(course, send_on)

    assert not course.world.faults.pending
    first = next(one for one in course.world.asked(*call) if one.status == status)
    repeats = [one for one in course.world.asked(*call) if (one.path, one.body) == (first.path, first.body)]
    assert [one.status < 300 for one in repeats[:2]] == [False, True]
    all_is_well(course, amy, repo)


async def test_the_new_name_of_an_organisation_is_stored_when_a_call_is_sent_on(course: Course) -> None:
    course.student("amy")
    await course.open_project()
    read_at = "SELECT read_at FROM installations"
    (before,) = await course.rows(read_at)
    course.world.faults.add(Fault(method=MEMBERSHIP[0], route=MEMBERSHIP[1], status=301, moved=True))
    await course.write(course.teacher, "/status")

    (after,) = await course.rows(read_at)
    assert after["read_at"] > before["read_at"]


async def test_the_new_name_of_a_repository_is_stored_when_a_call_is_sent_on(course: Course) -> None:
    amy, repo = course.student("amy")
    await course.open_project()
    course.world.hook.drop("repository")
    repo.rename("lab1-amelia")
    await course.settle()
    course.world.faults.add(Fault(method=CHECK[0], route=CHECK[1], status=307, moved=True))
    repo.push(amy)
    await course.settle()

    assert "lab1-amelia" in await course.write(course.teacher, "/status all")

"""A course in shadow: everything is recorded and computed, nothing is written outside its staff repository."""

from collections.abc import Awaitable, Callable

import pytest

from bot.github import checks, deadline_commits, dispatches, issues, repositories, repository_rulesets, rulesets
from bot.github.api import Api
from bot.github.failures import HeldByShadow
from sandbox.calls import Call
from tests.flows.course import ZONE, Course

INIT = f"/course init --timezone {ZONE} --staff @prog1/teachers --assistants @prog1/tas --mode shadow"
CREATE = "/project create lab1 --deadline 2026-12-01 23:59 --repos lab1-*"


async def in_shadow(course: Course) -> None:
    """An open project of a course in shadow mode."""
    assert "shadow mode" in await course.write(course.owner, INIT)
    await course.write(course.teacher, CREATE)
    assert "is open" in await course.write(course.teacher, "/publish")


def outside(course: Course) -> list[Call]:
    """Every call that asked for a change anywhere but in the staff repository."""
    return [call for call in course.world.mutations() if f"/repositories/{course.staff.id}/" not in call.path]


async def test_a_whole_life_in_shadow_writes_nothing_outside_the_staff_repository(pair: Course) -> None:
    amy, repo = pair.student("amy")
    bo, other = pair.student("bo")
    await in_shadow(pair)
    sha = repo.push(amy)
    other.push(bo)
    await pair.settle()
    assert "now closes" in await pair.write(pair.assistant, "/extend @bo 2026-12-03 12:00")
    await pair.write(pair.assistant, "/lock @amy")
    await pair.at("2026-12-02 00:29:00")
    await pair.settle()
    (row,) = await pair.rows("SELECT submission_sha FROM enrolments WHERE repository_id = $1", repo.id)
    assert row["submission_sha"] == sha
    assert "1 frozen" in await pair.write(pair.teacher, "/status")
    await pair.write(pair.assistant, "/unlock @amy")
    await pair.write(pair.assistant, "/extend @amy 2026-12-03 12:00")
    late = repo.push(amy)
    await pair.settle()
    await pair.at("2026-12-03 12:30:00")
    await pair.settle()
    await pair.an_hour_passes()
    await pair.settle()

    assert outside(pair) == []
    rows = await pair.rows("SELECT frozen_at, submission_sha FROM enrolments ORDER BY repository_id")
    assert all(row["frozen_at"] for row in rows)
    assert rows[0]["submission_sha"] == late
    assert not pair.is_closed(repo, amy)
    assert not await pair.rows("SELECT FROM dispatches")
    assert not await pair.rows("SELECT FROM checks WHERE check_run_id IS NOT NULL")


async def make_commit(api: Api, repository_id: int) -> str:
    """An empty commit on the head of the default branch."""
    head = await repositories.head(api, repository_id, "main")
    return await deadline_commits.make_empty(api, repository_id, str(head), "Deadline")


WRITES: dict[str, Callable[[Api, int], Awaitable[object]]] = {
    "check": lambda api, one: checks.create(api, one, {}),
    "check again": lambda api, one: checks.update(api, one, 1, {}),
    "review": lambda api, one: dispatches.send(api, one, "grade-final", {}),
    "comment": lambda api, one: issues.comment(api, one, 1, "hello"),
    "reaction": lambda api, one: issues.react(api, one, 1, "eyes"),
    "organisation's lock": lambda api, one: rulesets.create(api, {}, [one]),
    "changed lock": lambda api, one: rulesets.replace(api, 1, {}, [one]),
    "commit": make_commit,
    "moved branch": lambda api, one: deadline_commits.move(api, one, "main", "a" * 40),
    "own lock": lambda api, one: repository_rulesets.put(api, one, {"name": "pencils-down"}),
    "archive": lambda api, one: repository_rulesets.set_archived(api, one, True),
    "unarchive": lambda api, one: repository_rulesets.set_archived(api, one, False),
}


@pytest.mark.parametrize("write", WRITES.values(), ids=WRITES)
async def test_the_gate_refuses_each_kind_of_write_to_a_repository_of_a_shadow_course(
    course: Course, write: Callable[[Api, int], Awaitable[object]]
) -> None:
    _, repo = course.student("amy")
    await in_shadow(course)
    # As if it had held locks and was to keep them: from the start in shadow it has none that could not be lifted.
    await course.rows("UPDATE courses SET locks_lifted = false")
    assert course.org.installation is not None
    api = course.service.hub.installation(course.org.id, course.org.installation.id, course.org.login)

    with pytest.raises(HeldByShadow):
        await write(api, repo.id)

    assert outside(course) == []


FORGOTTEN = {
    "lock": "UPDATE repositories SET wanted_lock = true",
    # As if the work to be done did not ask for the mode.
    "mark": """
        CREATE OR REPLACE VIEW deadline_commits_due AS
        SELECT account_id, project_id, repository_id, deadline_commit_due_at FROM enrolments
        WHERE deadline_committed_at IS NULL""",
    "check": """
        INSERT INTO checks (account_id, repository_id, project_id, head_sha, due_at)
        SELECT account_id, repository_id, project_id, submission_sha, now() FROM enrolments""",
    "comment": """
        INSERT INTO outbox (account_id, kind, mark, repository_id, issue_number, body, written_at)
        SELECT account_id, 'comment', 'm', repository_id, 1, 'hello', now() FROM enrolments""",
    "reaction": """
        INSERT INTO outbox (account_id, kind, mark, repository_id, comment_id, body, written_at)
        SELECT account_id, 'reaction', 'm', repository_id, 1, 'eyes', now() FROM enrolments""",
}


@pytest.mark.parametrize("plan", ["team", "free"])
@pytest.mark.parametrize("forgotten", FORGOTTEN.values(), ids=FORGOTTEN)
async def test_work_that_forgot_the_mode_is_held_at_the_gate(course: Course, forgotten: str, plan: str) -> None:
    course.org.plan = "team" if plan == "team" else "free"
    amy, repo = course.student("amy")
    await in_shadow(course)
    repo.push(amy)
    await course.settle()
    await course.at("2026-12-02 00:29:00")
    await course.settle()

    await course.rows(forgotten)
    for _ in range(3):
        await course.settle()
        await course.an_hour_passes()

    assert outside(course) == []
    assert not course.is_closed(repo, amy)
    assert not repo.archived


async def test_an_active_course_of_the_same_organisation_is_closed_as_ever(course: Course) -> None:
    amy, repo = course.student("amy")
    await in_shadow(course)
    bo = course.world.user("bo")
    other = course.org.repository("lab2-bo", collaborators={"bo": "write"})
    staff = course.org.repository("staff2")
    issue = staff.open_issue(course.owner, "Lab 2")
    await course.write(course.owner, INIT.removesuffix("--mode shadow"), issue)
    await course.write(course.owner, CREATE.replace("lab1", "lab2"), issue)
    await course.write(course.owner, "/publish", issue)

    await course.at("2026-12-01 23:59:00")
    await course.settle()

    assert course.is_closed(other, bo)
    assert not course.is_closed(repo, amy)
    assert course.rulesets() == [{other.id}] * 2


@pytest.mark.parametrize("plan", ["team", "free"])
async def test_locks_kept_through_a_change_to_shadow_do_not_stand_in_the_way_of_another_courses(
    course: Course, plan: str
) -> None:
    course.org.plan = "team" if plan == "team" else "free"
    amy, repo = course.student("amy")
    repo.private = False
    await course.open_project()
    bo = course.world.user("bo")
    other = course.org.repository("lab2-bo", private=False, collaborators={"bo": "write"})
    staff = course.org.repository("staff2")
    issue = staff.open_issue(course.owner, "Lab 2")
    await course.write(course.owner, INIT.removesuffix("--mode shadow"), issue)
    await course.write(course.owner, "/project create lab2 --deadline 2026-12-03 12:00 --repos lab2-*", issue)
    await course.write(course.owner, "/publish", issue)
    await course.at("2026-12-01 23:59:00")
    await course.settle()
    assert course.is_closed(repo, amy)

    said = await course.write(course.owner, "/course set --mode shadow --keep")
    assert "Not done" not in said, said
    await course.at("2026-12-03 12:00:00")
    await course.settle()

    assert course.is_closed(other, bo)
    assert course.is_closed(repo, amy), "kept as it was"


@pytest.mark.parametrize(("plan", "private"), [("team", True), ("free", False), ("free", True)])
async def test_locks_are_lifted_on_the_way_into_shadow_where_that_is_asked_for(
    course: Course, plan: str, private: bool
) -> None:
    course.org.plan = "team" if plan == "team" else "free"
    amy, repo = course.student("amy")
    repo.private = private
    await course.open_project()
    await course.at("2026-12-01 23:59:00")
    await course.settle()
    assert course.is_closed(repo, amy) or repo.archived

    said = await course.write(course.owner, "/course set --mode shadow --lift")
    assert "Not done" not in said, said
    await course.settle()

    assert not course.is_closed(repo, amy)
    assert not repo.archived

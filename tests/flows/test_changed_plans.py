"""A plan that changes: what it stops applying is no lock any more, what it applies again may close the wrong one."""

from typing import Any

import pytest

from sandbox.faults import Fault
from sandbox.organisation import Plan
from sandbox.repository import Repository
from sandbox.user import User
from tests.flows.course import Course
from tests.flows.test_doubted_locks import hours_pass, row_of
from tests.flows.test_weaker_locks import closed

RULES = ("GET", "/repos/{owner}/{repo}/rules/branches/{branch}")
ORGANISATION = ("GET", "/orgs/{org}/rulesets")


async def one_student(course: Course, *, private: bool) -> tuple[User, Repository]:
    amy, repo = course.student("amy")
    repo.private = private
    await course.open_project()
    return amy, repo


async def becomes(course: Course, plan: Plan) -> None:
    """The organisation has another plan, and the installation is read the next time."""
    course.org.plan = plan
    await is_read(course)


async def is_read(course: Course) -> None:
    await course.rows("UPDATE installations SET read_due_at = now()")
    await course.settle()
    await hours_pass(course)


def loses_permission(course: Course) -> None:
    """The App may not change the organisation's rulesets any more."""
    installation = course.org.installation
    assert installation is not None
    installation.permissions.pop("organization_administration")
    installation.revoke_tokens()


@pytest.mark.parametrize("private", [False, True])
async def test_a_plan_that_lapses_closes_by_a_weaker_lock_with_nothing_else_due(course: Course, private: bool) -> None:
    amy, repo = await one_student(course, private=private)
    await closed(course)

    await becomes(course, "free")

    assert course.is_closed(repo, amy)
    assert repo.archived is private
    assert ("archived" if private else "locked by its own rulesets") in await row_of(course)


@pytest.mark.parametrize("private", [False, True])
async def test_a_pair_that_cannot_be_sent_and_closes_nobody_gives_way(course: Course, private: bool) -> None:
    amy, repo = await one_student(course, private=private)
    await closed(course)
    loses_permission(course)

    await becomes(course, "free")

    assert course.is_closed(repo, amy)
    assert repo.archived is private


async def test_own_rulesets_that_a_plan_does_not_apply_any_more_give_way_to_the_archive(course: Course) -> None:
    amy, repo = await one_student(course, private=True)
    loses_permission(course)
    await closed(course)
    assert "locked by its own rulesets" in await row_of(course)

    await becomes(course, "free")

    assert course.is_closed(repo, amy)
    assert repo.archived
    assert "archived" in await row_of(course)
    told = await course.rows("SELECT action FROM audit_log WHERE action LIKE 'repository.%lock%' ORDER BY id")
    assert [row["action"] for row in told] == ["repository.locked", "repository.lock_lapsed", "repository.locked"]


async def test_a_pair_that_slept_closes_nobody_whose_deadline_moved_meanwhile(course: Course) -> None:
    amy, repo = await one_student(course, private=False)
    await closed(course)
    await becomes(course, "free")
    await course.write(course.assistant, "/extend @amy 2026-12-09 12:00")
    assert not course.is_closed(repo, amy)

    await becomes(course, "team")

    assert not course.is_closed(repo, amy)
    assert not any(course.rulesets())
    await course.at("2026-12-09 12:00:00")
    await course.settle()
    assert course.rulesets() == [{repo.id}] * 2
    assert course.is_closed(repo, amy)


async def test_a_plan_that_goes_on_refusing_the_pair_is_asked_once_for_each_reading(course: Course) -> None:
    await one_student(course, private=False)
    await closed(course)
    await becomes(course, "free")
    before = course.world.count(*ORGANISATION), len(course.world.calls)

    await is_read(course)

    asked = course.world.count(*ORGANISATION) - before[0]
    assert asked <= 1
    quiet = len(course.world.calls)
    await hours_pass(course)
    assert len(course.world.calls) == quiet


@pytest.mark.parametrize("opened", ["before", "after"])
async def test_own_rulesets_that_slept_close_nobody_whose_deadline_moved(course: Course, opened: str) -> None:
    amy, repo = await one_student(course, private=True)
    loses_permission(course)
    await closed(course)
    await becomes(course, "free")
    if opened == "before":
        await course.write(course.assistant, "/extend @amy 2026-12-09 12:00")
        assert not course.is_closed(repo, amy)

    await becomes(course, "team")
    if opened == "after":
        assert course.is_closed(repo, amy)
        await course.write(course.assistant, "/extend @amy 2026-12-09 12:00")
        await hours_pass(course)

    assert not course.is_closed(repo, amy)
    assert (repo.archived, repo.rulesets) == (False, {})


@pytest.mark.parametrize(("plan", "by"), [("team", "locked Tue"), ("free", "locked by its own rulesets Tue")])
async def test_a_lock_that_is_not_found_is_sent_anew_once(course: Course, plan: Plan, by: str) -> None:
    course.org.plan = plan
    amy, repo = await one_student(course, private=False)
    course.world.faults.add(Fault(*RULES, status=200, body=too_little()))

    await closed(course)
    await hours_pass(course)

    assert course.is_closed(repo, amy)
    row = await row_of(course)
    assert by in row
    assert "read back" in row
    assert (await course.rows("SELECT count(*) FROM audit_log WHERE action = 'lock.not_effective'"))[0][0] == 1


@pytest.mark.parametrize("plan", ["team", "free"])
async def test_a_lock_that_stays_away_is_never_claimed_and_looked_for_at_the_next_reading(
    course: Course, plan: Plan
) -> None:
    course.org.plan = plan
    await one_student(course, private=False)
    course.world.faults.add(Fault(*RULES, status=200, body=too_little(), times=2))

    await closed(course)

    said = await course.write(course.teacher, "/status")
    assert "Not as wanted on GitHub yet: `lab1-amy`" in said
    assert "locked on GitHub" not in said
    assert "not closed on GitHub" in await row_of(course)
    assert not await course.rows("SELECT id FROM repositories WHERE verify_due_at IS NOT NULL")
    await is_read(course)
    assert "read back" in await row_of(course)


def too_little() -> Any:
    """Rules that leave a student free to push."""
    return [
        {"type": "deletion", "ruleset_source_type": "Repository", "ruleset_source": "prog1/lab1-amy", "ruleset_id": 1}
    ]

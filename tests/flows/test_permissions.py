"""What the App may do changes under its hands: permissions, a suspension, the plan. No repository is gone for that."""

import asyncio

import pytest

from sandbox.faults import Fault
from tests.flows.course import Course
from tests.flows.strikes import FORBIDDEN, LOCK, MEMBERSHIP, fault, gone_as


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
    # GitHub's list of pushes is refused too, which is believed after three times.
    for _ in range(2):
        await course.settle()
        await course.an_hour_passes()
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


@pytest.mark.parametrize("method", ["GET", "POST"])
async def test_a_refusal_for_want_of_the_permission_is_one_whichever_status_github_says_it_with(
    course: Course, method: str
) -> None:
    amy, repo = course.student("amy")
    await course.open_project()
    refusal = {"message": "Resource not accessible by integration"}
    course.world.faults.add(Fault(method, "/orgs/{org}/rulesets", status=403, body=refusal, times=1000))

    await course.at("2026-12-01 23:59:00")
    await course.settle()

    assert course.is_closed(repo, amy)
    (row,) = await course.rows("SELECT lock_kind FROM repositories")
    assert row["lock_kind"] == "repository"
    assert "has not been granted the permission Administration" in await course.write(course.teacher, "/status")

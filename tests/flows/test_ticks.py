"""One deadline step by step: what its tick writes and takes, what its job does, and what becomes of a job that is late,
that died or that failed."""

import aiohttp
import msgspec
import pytest

from bot.jobs.desk import Desk, Filing
from bot.jobs.frame import run_leased
from bot.jobs.registry import JOBS
from bot.service import Ground, Service
from bot.store.leases import Lease
from bot.webhooks import envelope
from bot.webhooks.events import HANDLERS
from sandbox.repository import Repository
from sandbox.user import User
from tests.flows.course import Course
from tests.flows.midway import CREATE, fault

SECOND_BEFORE, SECOND_AFTER = "2026-12-01 23:58:59", "2026-12-01 23:59:01"
FREE = {"locks": 9, "enforcement": 9, "dispatches": 9}
"""Hands for what deadlines ask of GitHub, and for nothing else."""

PART = "SELECT deadline_applied_at, frozen_run, frozen_at FROM enrolments"
PROJECT = "SELECT state, deadline_applied_at FROM projects"
LOCKED_AT = "SELECT locked_at FROM repositories"
LEASE = "SELECT lock_job_at, lock_job_by FROM installations"
AUDIT = "SELECT action, detail, at FROM audit_log WHERE at >= $1 ORDER BY id"


async def claimed(course: Course) -> list[Lease]:
    """One tick: what it takes of the work that deadlines ask of GitHub."""
    return await course.service.ticker.tick(FREE)


async def work(course: Course, lease: Lease) -> None:
    """Do the job of a lease."""
    service = course.service
    app = course.world.app
    filing = Filing(HANDLERS, envelope.understand)
    desk = Desk(
        course.pool, service.hub, service.process_id, app.id, app.bot.login, 600, lambda: None, lambda: None, filing
    )
    await run_leased(desk, lease, JOBS[lease.kind])


async def pass_real(course: Course, seconds: int) -> None:
    """So much of the life of the lock's lease is over."""
    await course.rows("UPDATE installations SET lock_job_at = lock_job_at - make_interval(secs => $1)", float(seconds))


async def row(course: Course, query: str) -> tuple[object, ...]:
    """The only row."""
    (found,) = await course.rows(query)
    return tuple(found)


@pytest.fixture
async def amys(course: Course) -> tuple[User, Repository]:
    """Amy has pushed to an open project, and her run has its score; a second before the deadline."""
    amy, repo = course.student("amy")
    await course.open_project()
    repo.push(amy)
    await course.settle()
    await course.at(SECOND_BEFORE)
    return amy, repo


async def test_the_tick_of_a_deadline_applies_it_takes_one_lease_and_asks_github_nothing(
    course: Course, amys: tuple[User, Repository]
) -> None:
    calls = len(course.world.calls)
    assert await claimed(course) == []
    assert await row(course, PROJECT) == ("open", None)
    (current,) = await row(course, "SELECT current_run FROM enrolments")
    assert current is not None

    now = await course.at(SECOND_AFTER)
    (lease,) = await claimed(course)

    assert await row(course, PROJECT) == ("closed", now)
    assert await row(course, PART) == (now, current, None)
    assert (lease.kind, lease.account_id) == ("locks", course.org.id)
    assert await row(course, LEASE) == (lease.token, course.service.process_id)
    applied = [(event["action"], event["at"]) for event in await course.rows(AUDIT, now)]
    assert applied == [("project.closed", now), ("repository.applied", now)]

    await course.at("2026-12-01 23:59:21")
    assert await claimed(course) == []
    assert len(await course.rows(AUDIT, now)) == 2
    assert len(course.world.calls) == calls


async def test_its_job_locks_says_so_once_and_gives_the_lease_back(
    course: Course, amys: tuple[User, Repository]
) -> None:
    user, repo = amys
    now = await course.at(SECOND_AFTER)
    (lease,) = await claimed(course)

    await work(course, lease)

    assert course.is_closed(repo, user)
    assert await row(course, LOCKED_AT) == (now,)
    assert await row(course, LEASE) == (None, None)
    told = [event["detail"] for event in await course.rows(AUDIT, now) if event["action"] == "repository.locked"]
    assert told == [{"by": "organisation rulesets"}]
    for later in ("2026-12-01 23:59:21", "2026-12-02 00:20:00"):
        await course.at(later)
        await course.an_hour_passes()
        assert await claimed(course) == [], "all is settled"


async def test_a_deadline_moved_between_its_tick_and_its_job_leaves_nothing_to_lock(
    course: Course, amys: tuple[User, Repository]
) -> None:
    user, repo = amys
    await course.at(SECOND_AFTER)
    (lease,) = await claimed(course)
    assert "open again: 1 repository" in await course.write(course.teacher, "/deadline +1d")
    assert (await row(course, LEASE))[0] == lease.token, "a command does not wait for a lease"

    await work(course, lease)

    assert course.locking_calls() == 0
    assert not course.is_closed(repo, user)
    assert await row(course, PROJECT) == ("open", None)
    assert await row(course, PART) == (None, None, None)
    assert await row(course, LOCKED_AT) == (None,)
    assert await row(course, LEASE) == (None, None)


async def test_a_job_that_never_ran_is_taken_anew_after_ten_minutes_and_does_nothing_when_it_comes_late(
    course: Course, amys: tuple[User, Repository]
) -> None:
    user, repo = amys
    await course.at(SECOND_AFTER)
    (stale,) = await claimed(course)
    await pass_real(course, 540)
    assert await claimed(course) == []
    await pass_real(course, 61)

    (resumed,) = await claimed(course)
    calls = len(course.world.calls)
    await work(course, stale)

    assert resumed.token != stale.token
    assert len(course.world.calls) == calls
    assert (await row(course, LEASE))[0] == resumed.token
    await work(course, resumed)
    assert course.is_closed(repo, user)
    assert await row(course, LEASE) == (None, None)


async def test_a_lock_that_github_cannot_make_is_no_archive_and_is_tried_again_half_a_minute_later(
    course: Course, amys: tuple[User, Repository]
) -> None:
    user, repo = amys
    fault(course, CREATE, status=500, times=9)
    await course.at(SECOND_AFTER)
    (lease,) = await claimed(course)

    await work(course, lease)

    assert not repo.archived
    assert await row(course, LOCKED_AT) == (None,)
    (runs_out,) = await row(course, "SELECT extract(epoch FROM lock_job_at - now())::float + 600 FROM installations")
    assert runs_out == pytest.approx(30, abs=5)
    course.world.faults.clear()
    await pass_real(course, 24)
    assert await claimed(course) == []
    await pass_real(course, 7)
    (again,) = await claimed(course)
    await work(course, again)
    assert course.is_closed(repo, user)
    assert await row(course, LEASE) == (None, None)


async def test_a_repository_that_is_missing_at_its_lock_is_noted_once_and_nothing_is_taken_for_it_again(
    course: Course, amys: tuple[User, Repository]
) -> None:
    _, repo = amys
    course.world.hook.drop("repository")
    repo.delete()
    course.world.hook.forget(lambda one: one.event == "repository")
    now = await course.at(SECOND_AFTER)

    await course.settle()

    told = [event["detail"] for event in await course.rows(AUDIT, now) if event["action"] == "repository.gone"]
    assert told == [{"how": "removed"}]
    assert await row(course, LEASE) == (None, None)
    for _ in range(2):
        await course.an_hour_passes()
        assert await claimed(course) == []


async def test_without_a_worker_the_deadline_is_applied_and_github_asked_nothing_until_there_is_one(
    course: Course, amys: tuple[User, Repository]
) -> None:
    user, repo = amys
    calls = len(course.world.calls)
    now = await course.at(SECOND_AFTER)
    async with aiohttp.ClientSession() as session:
        config = msgspec.structs.replace(course.service.config, role="web")
        alone = Service(config, Ground(course.dsn, course.pool, session))
        assert not await alone.tick()

    assert await row(course, PROJECT) == ("closed", now)
    assert await row(course, LEASE) == (None, None)
    assert len(course.world.calls) == calls
    assert not course.is_closed(repo, user)
    await course.settle()
    assert course.is_closed(repo, user)


async def test_a_lab_that_opens_when_the_last_one_closes_opens_though_a_command_holds_that_one_at_this_instant(
    course: Course,
) -> None:
    user, repo = course.student("amy")
    await course.begin()
    second = course.staff.open_issue(course.teacher, "Lab 2")
    times = {"lab1": "--deadline 2026-12-01 12:00", "lab2": "--deadline 2026-12-01 20:00 --opens 2026-12-01 12:00"}
    for issue, (slug, when) in zip((course.issue, second), times.items(), strict=True):
        said = await course.write(course.teacher, f"/project create {slug} {when} --repos lab1-*", issue)
        assert "is drafted" in said
    assert "is open" in await course.write(course.teacher, "/publish")

    await course.at("2026-12-01 12:00:00")
    async with course.pool.acquire() as conn, conn.transaction():
        await conn.execute("SELECT FROM projects WHERE slug = 'lab1' FOR NO KEY UPDATE")
        await course.service.ticker.tick({})
    await course.settle()

    states = await course.rows("SELECT slug, state FROM projects ORDER BY slug")
    assert [tuple(row) for row in states] == [("lab1", "closed"), ("lab2", "open")]
    assert not course.is_closed(repo, user)
    assert not await course.rows("SELECT FROM audit_log WHERE action = 'project.opening_refused'")
    assert "still a draft" not in "".join(comment.body for comment in second.comments)

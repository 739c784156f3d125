"""Few connections, and rows that several hold at once: nobody waits for what waits for them."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from bot.store.pool import open_connection, open_pool
from tests.flows import course as courses
from tests.flows.course import Course
from tests.flows.midway import DEADLINE, DISPATCH, GRACE_OVER, fault, read_mail, somebody_waits, until_held

PARTS = "SELECT FROM enrolments WHERE project_id"


@pytest.fixture
async def narrow(dsn: str) -> AsyncIterator[Course]:
    """A course whose service has a single connection to the database."""
    async with open_pool(dsn, size=1) as pool, courses.course(pool, dsn) as begun:
        yield begun


async def test_an_exhausted_pool_delays_the_work_and_stops_nothing(narrow: Course) -> None:
    repos = [narrow.student(login) for login in ("amy", "bo", "cy", "di", "eve", "fay")]
    await narrow.open_project()
    for user, repo in repos:
        repo.push(user)
    await narrow.settle()

    await narrow.at(GRACE_OVER)
    async with asyncio.timeout(20):
        await narrow.settle()

    assert all(narrow.is_closed(repo, user) for user, repo in repos)
    assert [len(narrow.reviews(repo)) for _, repo in repos] == [1] * 6


async def test_a_repository_read_again_does_not_hold_up_a_command(course: Course) -> None:
    _, repo = course.student("amy")
    await course.open_project()
    repo.rename("lab1-amy-the-great")
    await course.world.hook.idle()
    await read_mail(course.service)
    async with open_connection(course.dsn) as command, command.transaction():
        await command.execute("SELECT FROM projects FOR NO KEY UPDATE")
        await course.service.tick()
        await somebody_waits(command)
        # What a reopening or the deadline itself does next: with the project in hand, it changes repositories.
        await command.execute("SET LOCAL lock_timeout = '1s'")
        await command.execute("UPDATE repositories SET wanted_lock = wanted_lock")
    await course.service.finish_work()


async def test_a_refused_review_does_not_wait_for_a_command_that_waits_for_it(course: Course) -> None:
    amy, repo = course.student("amy")
    await course.open_project()
    repo.push(amy)
    await course.settle()
    await course.at(DEADLINE)
    await course.settle()
    await course.at(GRACE_OVER)
    held = fault(course, DISPATCH, hold="before", status=422)
    await until_held(course.service, held)
    async with open_connection(course.dsn) as command, command.transaction():
        await command.execute("SELECT FROM projects FOR NO KEY UPDATE")
        held.release()
        await somebody_waits(command)
        await command.execute("SET LOCAL lock_timeout = '1s'")
        await command.execute("UPDATE enrolments SET deadline_reason = 'ill'")
    await course.service.finish_work()
    await course.an_hour_passes()
    await course.settle()

    assert len(course.reviews(repo)) == 1


async def test_commands_of_two_projects_on_the_same_repositories_never_wait_for_each_other(pair: Course) -> None:
    pair.student("amy")
    pair.student("bo")
    await pair.open_project()
    await pair.at("2026-12-02 08:00:00")
    await pair.settle()
    second = pair.staff.open_issue(pair.teacher, "Lab 2")
    await pair.write(pair.teacher, "/project create lab2 --deadline 2026-12-05 12:00 --repos lab1-*", second)
    await pair.write(pair.teacher, "/publish", second)
    (lab2,) = await pair.rows("SELECT id FROM projects WHERE slug = 'lab2'")
    pair.issue.comment(pair.assistant, "/extend all +2d")
    await pair.world.hook.idle()
    await read_mail(pair.service)
    async with open_connection(pair.dsn) as other, other.transaction():
        await other.execute(f"{PARTS} = $1 ORDER BY repository_id FOR NO KEY UPDATE", lab2["id"])
        await pair.service.tick()
        await somebody_waits(other)
        # What that command does next: its choice of scores holds the repositories in the first project too.
        await other.execute("SET LOCAL lock_timeout = '1s'")
        await other.execute(f"{PARTS} <> $1 ORDER BY repository_id DESC LIMIT 1 FOR NO KEY UPDATE", lab2["id"])
    await pair.settle()

    assert "`lab1-bo`" in pair.issue.comments[-1].body

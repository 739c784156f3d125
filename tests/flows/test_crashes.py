"""A process dies, a connection breaks, an answer is lost between two steps: the next one ends in the same state."""

import pytest

from bot.store.pool import open_connection
from bot.sweeper import heart
from tests.flows.course import Course
from tests.flows.midway import (
    CHECK,
    COMMENT,
    CREATE,
    DEADLINE,
    DISPATCH,
    GRACE_OVER,
    MEMBERSHIP,
    REPLACE,
    die,
    fault,
    read_mail,
    silence,
    until_held,
)


@pytest.mark.parametrize("side", ["before", "after"])
@pytest.mark.parametrize("skip", [0, 1])
async def test_a_crash_at_either_ruleset_is_made_good_by_the_next_process(pair: Course, side: str, skip: int) -> None:
    amy, repo = pair.student("amy")
    await pair.open_project()
    await pair.at(DEADLINE)
    held = fault(pair, CREATE, hold=side, skip=skip)
    await until_held(pair.services[0], held)

    await die(pair, pair.services[0], held)
    await pair.settle()

    assert pair.is_closed(repo, amy)
    assert pair.rulesets() == [{repo.id}] * 2
    (row,) = await pair.rows("SELECT rulesets, lock_verified_at FROM repositories")
    assert row["rulesets"] == 2
    assert row["lock_verified_at"] is not None


async def test_a_lock_set_just_before_a_crash_is_lifted_where_the_deadline_has_moved_meanwhile(pair: Course) -> None:
    amy, repo = pair.student("amy")
    await pair.open_project()
    await pair.at(DEADLINE)
    held = fault(pair, CREATE, hold="after")
    dead = pair.services[0]
    await until_held(dead, held)
    await die(pair, pair.services[0], held)
    await pair.rows("UPDATE processes SET beat_at = now()")
    assert "open again: 1 repository" in await pair.write(pair.teacher, "/deadline +1d")

    await silence(pair, dead.process_id)
    await pair.settle()

    assert not pair.is_closed(repo, amy)
    assert pair.rulesets() == []


@pytest.mark.parametrize("call", [CREATE, REPLACE])
async def test_a_lock_whose_answer_was_lost_is_lifted_where_the_deadline_moves_before_the_next_try(
    course: Course, call: tuple[str, str]
) -> None:
    amy, repo = course.student("amy")
    if call == REPLACE:
        await close_another_one(course)
    else:
        await course.open_project()
    fault(course, call, status=502, after_effect=True, times=9)
    await course.at(DEADLINE)
    await course.settle()
    assert any(repo.id in named for named in course.rulesets())
    course.world.faults.clear()

    await course.write(course.assistant, "/extend @amy +1d")
    await course.an_hour_passes()
    await course.settle()

    assert not course.is_closed(repo, amy)
    assert not any(repo.id in named for named in course.rulesets())


async def close_another_one(course: Course) -> None:
    """The organisation has its pair of rulesets: one repository was closed before the others."""
    course.student("bo")
    await course.open_project()
    await course.write(course.assistant, "/extend @bo 2026-12-01 12:00")
    await course.at("2026-12-01 12:00:00")
    await course.settle()
    assert len(course.rulesets()) == 2


@pytest.mark.parametrize("side", ["before", "after"])
async def test_a_crash_around_the_request_for_a_review_shows_as_not_confirmed_and_is_never_repeated(
    pair: Course, side: str
) -> None:
    amy, repo = pair.student("amy")
    await pair.open_project()
    repo.push(amy)
    await pair.settle()
    await pair.at(DEADLINE)
    await pair.settle()
    await pair.at(GRACE_OVER)
    held = fault(pair, DISPATCH, hold=side)
    await until_held(pair.services[0], held)

    await die(pair, pair.services[0], held)
    await pair.settle()
    await pair.an_hour_passes()
    await pair.settle()

    assert len(pair.reviews(repo)) <= 1
    assert pair.world.count(*DISPATCH) == 1
    assert "1 review not confirmed" in await pair.write(pair.teacher, "/status")


async def test_a_crash_after_an_answer_was_posted_does_not_post_it_twice(pair: Course) -> None:
    pair.student("amy")
    await pair.open_project()
    held = fault(pair, COMMENT, hold="after")
    pair.issue.comment(pair.teacher, "/status")
    await pair.world.hook.idle()
    first = pair.services[0]
    await read_mail(first)
    await first.tick()
    await first.finish_work()
    await until_held(first, held)

    await die(pair, first, held)
    await pair.settle()
    await pair.an_hour_passes()
    await pair.settle()

    assert sum("state: open" in comment.body for comment in pair.issue.comments) == 1


async def test_a_crash_after_a_check_was_made_does_not_make_it_twice(pair: Course) -> None:
    amy, repo = pair.student("amy")
    await pair.open_project()
    held = fault(pair, CHECK, hold="after")
    sha = repo.push(amy)
    await pair.world.hook.idle()
    await read_mail(pair.services[0])
    await until_held(pair.services[0], held)

    await die(pair, pair.services[0], held)
    await pair.settle()

    assert pair.check(repo, sha).startswith("On time")


async def test_a_command_whose_process_dies_has_its_effect_and_its_answer_once(pair: Course) -> None:
    pair.student("amy")
    await pair.open_project()
    held = fault(pair, MEMBERSHIP, hold="after")
    pair.issue.comment(pair.teacher, "/deadline +1d")
    await pair.world.hook.idle()
    await read_mail(pair.services[0])
    await until_held(pair.services[0], held)

    await die(pair, pair.services[0], held)
    await pair.settle()

    (row,) = await pair.rows("SELECT deadline_wall FROM projects")
    assert row["deadline_wall"].startswith("2026-12-02 23:59")
    assert sum("Wed 2 Dec 2026, 23:59:00" in comment.body for comment in pair.issue.comments) == 1


async def test_every_database_connection_may_be_cut_in_the_middle_of_a_lock(course: Course) -> None:
    amy, repo = course.student("amy")
    await course.open_project()
    await course.at(DEADLINE)
    held = fault(course, CREATE, hold="after")
    await until_held(course.service, held)

    await cut_connections(course)
    held.release()
    await course.service.finish_work()
    await course.settle()
    await course.an_hour_passes()
    await course.settle()

    assert course.is_closed(repo, amy)
    (row,) = await course.rows("SELECT rulesets, lock_verified_at FROM repositories")
    assert row["rulesets"] == 2
    assert row["lock_verified_at"] is not None


async def cut_connections(course: Course) -> None:
    """The server ends every session but the one that says so."""
    async with open_connection(course.dsn) as conn:
        await conn.execute(
            "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )


async def test_a_process_that_slept_for_days_lives_again_with_its_next_heartbeat(pair: Course) -> None:
    first, second = pair.services
    await pair.rows("UPDATE processes SET beat_at = beat_at - interval '3 days' WHERE id = $1", first.process_id)
    await second.begin()

    async with open_connection(pair.dsn) as conn:
        await heart.beat(conn, first.process_id, "all", first.clocks)
        beat = await conn.fetchval("SELECT now() - beat_at < '2 s' FROM processes WHERE id = $1", first.process_id)

    assert beat

"""Two things happen at once: whatever comes first, what GitHub holds and what was said are right in the end."""

import asyncio

import pytest

from bot.service import Service
from tests.flows.course import Course
from tests.flows.midway import (
    ANNOTATIONS,
    CREATE,
    DEADLINE,
    DISPATCH,
    GRACE_OVER,
    REPLACE,
    alone,
    fault,
    read_mail,
    silence,
    until_held,
)


@pytest.mark.parametrize("side", ["before", "after"])
async def test_a_deadline_moved_while_the_lock_is_on_its_way_ends_open(pair: Course, side: str) -> None:
    amy, repo = pair.student("amy")
    await pair.open_project()
    await pair.at(DEADLINE)
    held = fault(pair, CREATE, hold=side)
    await until_held(pair.services[0], held)

    with alone(pair, pair.services[1]):
        assert "open again: 1 repository" in await pair.write(pair.teacher, "/deadline +1d")
    held.release()
    await pair.settle()

    assert not pair.is_closed(repo, amy)
    assert pair.rulesets() == []
    (row,) = await pair.rows(
        "SELECT r.locked_at, e.deadline_applied_at, p.deadline_applied_at, i.lock_job_at"
        " FROM enrolments e JOIN repositories r ON r.id = e.repository_id JOIN projects p ON p.id = e.project_id,"
        " installations i"
    )
    assert tuple(row) == (None, None, None, None)


@pytest.mark.parametrize("side", ["before", "after"])
async def test_a_lease_that_runs_out_during_the_call_leaves_what_the_rows_say(pair: Course, side: str) -> None:
    amy, repo = pair.student("amy")
    bo, other = pair.student("bo")
    await pair.open_project()
    await pair.at(DEADLINE)
    held = fault(pair, CREATE, hold=side)
    await until_held(pair.services[0], held)
    await pair.rows(
        "UPDATE processes SET beat_at = beat_at - interval '1 minute' WHERE id = $1", pair.service.process_id
    )

    with alone(pair, pair.services[1]):
        await pair.write(pair.assistant, "/extend @amy +1d")
    held.release()
    await pair.settle()
    await pair.an_hour_passes()
    await pair.settle()

    assert not pair.is_closed(repo, amy)
    assert pair.is_closed(other, bo)
    assert pair.rulesets() == [{other.id}] * 2


async def test_a_call_overtaken_by_another_process_cannot_hide_that_a_lock_is_missing(pair: Course) -> None:
    amy, repo = pair.student("amy")
    _, other = pair.student("bo")
    await pair.open_project()
    await pair.write(pair.assistant, "/extend @bo 2026-12-01 12:00")
    await pair.at("2026-12-01 12:00:00")
    await pair.settle()
    await pair.at(DEADLINE)
    slow, quick = pair.services
    held = fault(pair, REPLACE, hold="after")
    await until_held(slow, held)
    await silence(pair, slow.process_id)
    with alone(pair, quick):
        await pair.write(pair.assistant, "/extend @amy 2026-12-01 23:59:30")
        assert not pair.is_closed(repo, amy)
    # What GitHub took long ago is what is wanted again by the time that its answer arrives.
    await pair.at("2026-12-01 23:59:30")
    await quick.ticker.tick({})
    held.release()
    await slow.finish_work()

    await pair.settle()
    await pair.an_hour_passes()
    await pair.settle()

    assert pair.is_closed(repo, amy)
    assert pair.rulesets() == [{repo.id, other.id}] * 2


async def test_an_extension_given_while_the_review_is_on_its_way_begins_a_round_of_its_own(pair: Course) -> None:
    amy, repo = pair.student("amy")
    await pair.open_project()
    repo.push(amy)
    await pair.settle()
    await pair.at(GRACE_OVER)
    held = fault(pair, DISPATCH, hold="before")
    await until_held(pair.services[0], held)

    with alone(pair, pair.services[1]):
        await pair.write(pair.assistant, "/extend @amy +2d")
    held.release()
    await pair.settle()
    second = repo.push(amy)
    await pair.settle()
    await pair.at("2026-12-04 00:29:00")
    await pair.settle()

    assert pair.reviews(repo)[-1].client_payload["sha"] == second
    rows = await pair.rows("SELECT round, outcome, voided_at IS NOT NULL AS voided FROM dispatches ORDER BY id")
    assert [tuple(row) for row in rows] == [(1, "accepted", True), (2, "accepted", False)]


async def test_a_refusal_that_arrives_after_a_reopening_does_not_touch_the_new_round(pair: Course) -> None:
    amy, repo = pair.student("amy")
    await pair.open_project()
    repo.push(amy)
    await pair.settle()
    await pair.at(GRACE_OVER)
    held = fault(pair, DISPATCH, hold="before", status=422)
    await until_held(pair.services[0], held)

    with alone(pair, pair.services[1]):
        await pair.write(pair.assistant, "/extend @amy +2d")
    held.release()
    await pair.settle()
    await pair.an_hour_passes()
    await pair.settle()
    assert not pair.reviews(repo)

    await pair.at("2026-12-04 00:29:00")
    await pair.settle()
    assert len(pair.reviews(repo)) == 1


async def test_a_run_read_while_the_deadline_moves_is_judged_by_the_new_one(pair: Course) -> None:
    amy, repo = pair.student("amy")
    await pair.open_project()
    await pair.at("2026-12-01 23:59:30")
    sha = repo.push(amy)
    await pair.world.hook.idle()
    for service in pair.services:
        await read_mail(service)
    held = fault(pair, ANNOTATIONS, hold="after")
    await until_held(pair.services[0], held)

    with alone(pair, pair.services[1]):
        await pair.write(pair.teacher, "/deadline +1d")
    held.release()
    await pair.settle()

    (row,) = await pair.rows("SELECT current_run IS NOT NULL AS counts, frozen_run FROM enrolments")
    assert tuple(row) == (True, None)
    assert pair.check(repo, sha).startswith("On time")


async def test_an_extension_given_and_taken_back_in_one_instant_ends_as_it_was(pair: Course) -> None:
    amy, repo = pair.student("amy")
    await pair.open_project()

    for text in ("/extend @amy +1d", "/extend @amy none", "/extend @amy +1d", "/extend @amy none"):
        pair.issue.comment(pair.assistant, text)
    await pair.settle()
    await pair.at(DEADLINE)
    await pair.settle()

    assert pair.is_closed(repo, amy)
    assert pair.rulesets() == [{repo.id}] * 2


async def test_a_command_at_the_instant_of_the_deadline_is_the_last_word(pair: Course) -> None:
    amy, repo = pair.student("amy")
    await pair.open_project()
    pair.issue.comment(pair.teacher, "/deadline +1d")
    await pair.world.hook.idle()
    await pair.at(DEADLINE)

    async def step(service: Service) -> None:
        await read_mail(service)
        await service.tick()
        await service.finish_work()

    await asyncio.gather(*(step(service) for service in pair.services))
    await pair.settle()

    assert not pair.is_closed(repo, amy)
    (row,) = await pair.rows(
        "SELECT p.state, e.deadline_applied_at FROM projects p JOIN enrolments e ON e.project_id = p.id"
    )
    assert tuple(row) == ("open", None)


async def test_two_pushes_of_one_second_count_in_their_own_order_however_they_arrive(course: Course) -> None:
    amy = course.world.user("amy")
    repo = course.org.repository("lab1-amy", collaborators={"amy": "write"})
    await course.open_project()
    await course.at("2026-12-01 20:00:00")
    course.world.hook.hold()
    repo.push(amy)
    last = repo.push(amy)
    first_told, last_told = (one.guid for one in course.world.hook.held if one.event == "push")
    course.world.hook.release(order=lambda _held: [])
    for wall, guid in (("20:00:10", last_told), ("20:00:30", first_told)):
        await course.at(f"2026-12-01 {wall}")
        course.world.hook.redeliver(guid)
        await course.settle()

    await course.at(GRACE_OVER)
    await course.settle()

    assert [review.client_payload["sha"] for review in course.reviews(repo)] == [last]

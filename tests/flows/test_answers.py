"""Each answer of GitHub's that is none, on each kind of call: what follows is what docs/design.md section 5 says."""

from itertools import cycle
from typing import Any

import pytest

from sandbox.faults import Fault
from tests.flows.course import Course
from tests.flows.strikes import (
    ANNOTATIONS,
    CHECK,
    DISPATCH,
    EVERY,
    FIND,
    FORBIDDEN,
    LOCK,
    MEMBERSHIP,
    MINT,
    REACTION,
    READ_BACK,
    REDIRECTS,
    REPOSITORY,
    STUDENTS,
    UPDATE,
    all_is_well,
    fault,
    named,
    whole_story,
)

each_call = pytest.mark.parametrize("call", EVERY, ids=named)


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


@pytest.mark.parametrize("status", [403, 409, 422])
async def test_a_lock_that_is_refused_is_tried_later_audited_once_and_named(course: Course, status: int) -> None:
    amy, repo = course.student("amy")
    await course.open_project()
    fault(course, LOCK, status=status, body={"message": "Not for you"}, times=9)
    await course.at("2026-12-01 23:59:00")
    await course.settle()
    tries = course.world.count(*LOCK)
    await course.settle()
    assert course.world.count(*LOCK) == tries, "not before some time has passed"
    await course.a_minute_passes()
    await course.settle()
    assert course.world.count(*LOCK) > tries

    assert "Not for you" in await course.write(course.teacher, "/status")
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
    later = [one for one in course.world.asked(*call) if one.number > first.number]
    assert next(one for one in later if (one.path, one.body) == (first.path, first.body)).status < 300
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

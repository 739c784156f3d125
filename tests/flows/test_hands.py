"""The staff's hand: an exemption no later pass overrides, a lock whatever the deadline, and what ends each."""

import pytest

from tests.flows.course import Course
from tests.flows.evening import code_of

HAND = "SELECT staff_lock, staff_lock_until FROM repositories"
TOLD = "SELECT repository_id, actor_login FROM audit_log WHERE action LIKE 'repository.%_by_hand' ORDER BY id"


async def test_an_unlock_after_the_deadline_is_an_exemption_no_later_pass_overrides(course: Course) -> None:
    amy, repo = course.student("amy")
    bo, other = course.student("bo")
    await course.open_project()
    await course.at("2026-12-01 23:59:00")
    await course.settle()

    said = await course.write(course.assistant, "/unlock @amy")
    assert "`lab1-amy` is open by hand" in said
    assert not course.is_closed(repo, amy)
    assert course.is_closed(other, bo)
    assert [row["staff_lock"] for row in await course.rows(f"{HAND} ORDER BY name")] == [False, None]
    told = await course.rows(TOLD)
    assert [(row["repository_id"], row["actor_login"]) for row in told] == [(repo.id, "ada")]
    calls = course.locking_calls()
    await course.at("2026-12-05 12:00:00")
    await course.settle()
    await course.an_hour_passes()
    await course.settle()

    assert not course.is_closed(repo, amy)
    assert course.locking_calls() == calls, "nothing is to be done"


async def test_an_unlock_ends_when_the_deadline_of_the_repository_moves(course: Course) -> None:
    amy, repo = course.student("amy")
    await course.open_project()
    await course.at("2026-12-01 23:59:00")
    await course.settle()
    await course.write(course.assistant, "/unlock @amy")

    await course.write(course.assistant, "/extend @amy 2026-12-03 12:00")
    assert [tuple(row) for row in await course.rows(HAND)] == [(None, None)]
    await course.at("2026-12-03 12:00:00")
    await course.settle()

    assert course.is_closed(repo, amy)


async def test_an_unlock_until_a_time_ends_by_itself_at_that_time(course: Course) -> None:
    amy, repo = course.student("amy")
    await course.open_project()
    await course.at("2026-12-01 23:59:00")
    await course.settle()

    said = await course.write(course.assistant, "/unlock @amy --until 2026-12-02 12:00")
    assert "open by hand until **Wed 2 Dec 2026, 12:00:00 Europe/Zurich** (11:00:00 UTC)" in said
    await course.at("2026-12-02 11:59:59")
    await course.settle()
    assert not course.is_closed(repo, amy)
    await course.at("2026-12-02 12:00:00")
    await course.settle()

    assert course.is_closed(repo, amy)


async def test_an_unlock_before_the_deadline_stores_nothing_and_says_that_the_deadline_will_close_it(
    course: Course,
) -> None:
    amy, repo = course.student("amy")
    await course.open_project()

    said = await course.write(course.assistant, "/unlock @amy")

    assert "is open anyway; its deadline will close it **Tue 1 Dec 2026, 23:59:00" in said
    assert [tuple(row) for row in await course.rows(HAND)] == [(None, None)]
    await course.at("2026-12-01 23:59:00")
    await course.settle()
    assert course.is_closed(repo, amy)


async def test_a_lock_by_hand_closes_before_the_deadline_until_it_is_unlocked(course: Course) -> None:
    amy, repo = course.student("amy")
    await course.open_project()

    await course.write(course.assistant, "/lock @amy")
    assert course.is_closed(repo, amy)
    assert [tuple(row) for row in await course.rows(HAND)] == [(True, None)]
    await course.write(course.assistant, "/unlock @amy")

    assert not course.is_closed(repo, amy)
    assert [tuple(row) for row in await course.rows(HAND)] == [(None, None)]


async def test_a_lock_by_hand_stays_when_the_deadline_moves_and_nothing_was_reopened(course: Course) -> None:
    amy, repo = course.student("amy")
    await course.open_project()
    await course.write(course.assistant, "/lock @amy")

    await course.write(course.teacher, "/deadline +1d")

    assert course.is_closed(repo, amy)


async def test_a_lock_by_hand_ends_when_its_repository_is_reopened(course: Course) -> None:
    amy, repo = course.student("amy")
    await course.open_project()
    await course.write(course.assistant, "/lock @amy")
    await course.at("2026-12-02 08:00:00")
    await course.settle()

    await course.write(course.assistant, "/extend @amy +3d")

    assert not course.is_closed(repo, amy)


async def test_a_student_cannot_lift_a_lock(course: Course) -> None:
    amy, repo = course.student("amy")
    await course.open_project()
    await course.at("2026-12-01 23:59:00")
    await course.settle()

    said = await course.write(amy, "/unlock @amy", course.issue)

    assert "Not done" in said
    assert course.is_closed(repo, amy)


async def test_a_hand_on_a_draft_is_refused(course: Course) -> None:
    course.student("amy")
    await course.begin()
    await course.write(course.teacher, "/project create lab1 --deadline 2026-12-01 23:59 --repos lab1-*")

    assert "`E-STATE`" in await course.write(course.assistant, "/lock all")


@pytest.mark.parametrize("line", ["/lock @amy", "/unlock @amy"])
async def test_a_hand_on_a_repository_that_cannot_be_reached_changes_nothing(course: Course, line: str) -> None:
    _, repo = course.student("amy")
    await course.open_project()
    await course.at("2026-12-01 23:59:00")
    await course.settle()
    await course.write(course.assistant, "/unlock @amy")
    told, calls = await course.rows(TOLD), course.locking_calls()
    repo.delete()
    await course.settle()

    said = await course.write(course.assistant, line)

    assert "`lab1-amy` cannot be reached: nothing was changed there." in said
    assert [tuple(row) for row in await course.rows(HAND)] == [(False, None)]
    assert await course.rows(TOLD) == told
    assert course.locking_calls() == calls
    assert "changed nothing" in await course.write(course.assistant, "/undo")


@pytest.mark.parametrize("line", ["/extend @amy none", "/extend @amy 2026-12-01 23:59"])
async def test_a_deadline_given_anew_that_does_not_move_ends_no_exemption(course: Course, line: str) -> None:
    amy, repo = course.student("amy")
    await course.open_project()
    await course.at("2026-12-01 23:59:00")
    await course.settle()
    await course.write(course.assistant, "/unlock @amy")

    said = await course.write(course.teacher, line)
    if "/confirm" in said:
        said = await course.write(course.teacher, f"/confirm {code_of(said)}")

    assert "stays open by hand" in said
    assert not course.is_closed(repo, amy)

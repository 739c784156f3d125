"""A weaker lock of which nobody knows whether it is there, because an answer was lost and then the mind changed."""

import pytest

from sandbox.faults import Fault
from sandbox.repository import Repository
from sandbox.user import User
from tests.flows.course import Course
from tests.flows.test_weaker_locks import OWN, begun, closed

REMOVE = ("DELETE", "/repos/{owner}/{repo}/rulesets/{ruleset_id}")
CHANGE = ("PATCH", "/repos/{owner}/{repo}")
UNSURE = "SELECT id FROM repositories WHERE lock_tried_at IS NOT NULL"


async def archive_is_due(course: Course) -> tuple[User, Repository]:
    """An open project over a private repository, which the plan can only archive."""
    course.org.plan = "free"
    amy, repo = course.student("amy")
    await course.open_project()
    return amy, repo


def lose_answer(course: Course, call: tuple[str, str]) -> None:
    """The call has its effect, and nobody hears of it; trying again at once leads to nothing."""
    course.world.faults.add(Fault(*call, status=502, after_effect=True))
    course.world.faults.add(Fault(*call, times=2, status=502))


async def hours_pass(course: Course) -> None:
    course.world.faults.clear()
    for _ in range(3):
        await course.an_hour_passes()
        await course.settle()


async def row_of(course: Course) -> str:
    """What `/status` says of amy's repository."""
    said = await course.write(course.teacher, "/status @amy")
    return next(line for line in said.splitlines() if line.startswith("| `lab1-amy`"))


async def is_settled(course: Course) -> bool:
    """Nothing is unsure, and GitHub is asked no more."""
    before = len(course.world.calls)
    await course.settle()
    return not await course.rows(UNSURE) and len(course.world.calls) == before


@pytest.mark.parametrize("lost", [0, 1])
async def test_an_own_ruleset_whose_answer_was_lost_goes_once_the_deadline_moves(course: Course, lost: int) -> None:
    amy, repo = await begun(course)
    course.world.faults.add(Fault(*OWN, skip=lost, status=502, after_effect=True))
    await closed(course)
    assert len(repo.rulesets) == lost + 1

    await course.write(course.assistant, "/extend @amy +2d")
    await hours_pass(course)

    assert not course.is_closed(repo, amy)
    assert not repo.rulesets
    assert "| open |" in await row_of(course)
    assert await is_settled(course)


async def test_an_archive_whose_answer_was_lost_is_lifted_once_the_deadline_moves(course: Course) -> None:
    amy, repo = await archive_is_due(course)
    lose_answer(course, CHANGE)
    await closed(course)
    archived = [repo.archived]

    await course.write(course.assistant, "/extend @amy +2d")
    await hours_pass(course)

    assert [*archived, repo.archived] == [True, False]
    assert not course.is_closed(repo, amy)
    assert "| open |" in await row_of(course)
    assert await is_settled(course)


async def test_an_own_ruleset_that_went_without_an_answer_is_back_once_it_is_wanted_again(course: Course) -> None:
    amy, repo = await begun(course)
    await closed(course)
    course.world.faults.add(Fault(*REMOVE, status=502, after_effect=True))
    await course.write(course.assistant, "/unlock @amy")
    assert len(repo.rulesets) == 1

    await course.write(course.assistant, "/lock @amy")
    await hours_pass(course)

    assert course.is_closed(repo, amy)
    assert len(repo.rulesets) == 2
    assert "read back" in await row_of(course)
    assert await is_settled(course)


async def test_an_archive_that_was_lifted_without_an_answer_is_back_once_it_is_wanted_again(course: Course) -> None:
    _, repo = await archive_is_due(course)
    await closed(course)
    lose_answer(course, CHANGE)
    await course.write(course.assistant, "/unlock @amy")
    archived = [repo.archived]

    await course.write(course.assistant, "/lock @amy")
    await hours_pass(course)

    assert [*archived, repo.archived] == [False, True]
    assert await is_settled(course)


async def test_an_archive_of_the_teachers_own_is_not_taken_for_a_lock_of_ours(course: Course) -> None:
    _, repo = await begun(course)
    course.world.faults.add(Fault(*OWN, status=502, after_effect=True))
    await closed(course)
    repo.archived = True

    await course.write(course.assistant, "/extend @amy +2d")
    await hours_pass(course)

    assert repo.archived


async def test_what_is_not_known_yet_is_said_to_be_on_its_way(course: Course) -> None:
    await begun(course)
    course.world.faults.add(Fault(*OWN, status=502, after_effect=True))
    await closed(course)

    await course.write(course.assistant, "/extend @amy +2d")

    assert "Not as wanted on GitHub yet: `lab1-amy`" in await course.write(course.teacher, "/status")

"""A 404 alone proves nothing; deleted, moved and no longer granted are three facts, and each can be undone."""

from collections.abc import Callable

import pytest

from sandbox.repository import Repository
from tests.flows.course import Course
from tests.flows.strikes import (
    CHECK,
    MINT,
    NOT_FOUND,
    OF_A_REPOSITORY,
    OWN,
    all_is_well,
    fault,
    gone_as,
    named,
    whole_story,
)


@pytest.mark.parametrize("call", OF_A_REPOSITORY, ids=named)
async def test_a_404_is_looked_at_once_more_with_a_fresh_token(course: Course, call: tuple[str, str]) -> None:
    minted = course.world.count(*MINT)
    amy, repo = await whole_story(course, lambda: fault(course, call, status=404, body=NOT_FOUND))

    assert not course.world.faults.pending
    assert course.world.count(*MINT) > minted
    assert await gone_as(course, repo) is None
    all_is_well(course, amy, repo)


@pytest.mark.parametrize("call", OF_A_REPOSITORY, ids=named)
async def test_a_repository_that_answers_404_but_is_listed_is_not_gone(course: Course, call: tuple[str, str]) -> None:
    _, repo = await whole_story(course, lambda: fault(course, call, status=404, body=NOT_FOUND, times=8))
    await course.an_hour_passes()
    course.world.faults.clear()
    await course.settle()

    assert await gone_as(course, repo) is None
    assert len(course.reviews(repo)) == 1
    assert not await course.rows("SELECT FROM audit_log WHERE action = 'repository.gone'")


@pytest.mark.parametrize("call", [CHECK, OWN], ids=named)
async def test_a_404_that_stays_on_a_repository_that_is_there_is_not_asked_for_ever(
    course: Course, call: tuple[str, str]
) -> None:
    course.org.plan = "free"
    amy, repo = course.student("amy")
    repo.private = False
    await course.open_project()
    fault(course, call, status=404, body=NOT_FOUND, times=1000)
    repo.push(amy)
    await course.at("2026-12-01 23:59:00")
    await course.settle()
    assert 2 <= course.world.count(*call) <= 6

    course.world.faults.clear()
    await course.an_hour_passes()
    await course.settle()
    assert course.is_closed(repo, amy)


def deleted(repo: Repository) -> None:
    repo.delete()


def transferred(repo: Repository) -> None:
    elsewhere = repo.world.organisation("elsewhere")
    elsewhere.install(repo.world.app)
    repo.transfer(elsewhere)


def removed(repo: Repository) -> None:
    assert repo.owner.installation is not None
    repo.owner.installation.remove(repo)


LOST = [(deleted, "deleted"), (transferred, "transferred"), (removed, "removed")]


@pytest.mark.parametrize(("lose", "how"), LOST, ids=[how for _, how in LOST])
async def test_the_three_ways_of_losing_a_repository_are_three_facts(
    course: Course, lose: Callable[[Repository], None], how: str
) -> None:
    _, repo = course.student("amy")
    bo, other = course.student("bo")
    await course.open_project()
    lose(repo)
    await course.settle()
    await course.at("2026-12-01 23:59:00")
    await course.settle()

    assert course.is_closed(other, bo)
    events = await course.rows("SELECT detail FROM audit_log WHERE action = 'repository.gone'")
    assert [event["detail"] for event in events] == [{"how": how}]
    said = {"deleted": "deleted", "transferred": "moved out of the organisation", "removed": "the App has no access"}
    assert f"Cannot be reached any more: `lab1-amy` ({said[how]}" in await course.write(course.teacher, "/status")


@pytest.mark.parametrize("call", ["push", "deadline", "freeze"])
@pytest.mark.parametrize(("lose", "how"), LOST, ids=[how for _, how in LOST])
async def test_a_loss_of_which_no_event_told_is_found_by_the_next_call_and_the_event_is_believed_later(
    course: Course, lose: Callable[[Repository], None], how: str, call: str
) -> None:
    amy, repo = course.student("amy")
    bo, other = course.student("bo")
    await course.open_project()
    for user, one in ((amy, repo), (bo, other)):
        one.push(user)
    await course.settle()
    if call == "freeze":
        await course.at("2026-12-01 23:59:00")
        await course.settle()
    course.world.hook.hold()
    lose(repo)
    if call == "push":
        await course.rows("UPDATE checks SET said = NULL, due_at = now() WHERE repository_id = $1", repo.id)
    else:
        await course.at("2026-12-02 00:29:00" if call == "freeze" else "2026-12-01 23:59:00")
    await course.settle()
    assert await gone_as(course, repo) == "removed", "that it cannot be reached is all that is known"

    course.world.hook.release()
    await course.settle()
    assert await gone_as(course, repo) == how
    await course.at("2026-12-02 00:29:00")
    await course.settle()
    assert course.is_closed(other, bo)
    assert len(course.reviews(other)) == 1
    assert not course.reviews(repo)


@pytest.mark.parametrize("how", ["removed", "transferred"])
async def test_a_repository_that_comes_back_is_looked_after_again(course: Course, how: str) -> None:
    amy, repo = course.student("amy")
    await course.open_project()
    sha = repo.push(amy)
    await course.settle()
    home = course.org
    removed(repo) if how == "removed" else transferred(repo)
    await course.settle()
    assert await gone_as(course, repo) == how
    await course.at("2026-12-01 23:59:00")
    await course.settle()
    assert not course.rulesets() or repo.id not in course.rulesets()[0]

    assert home.installation is not None
    home.installation.add(repo) if how == "removed" else repo.transfer(home)
    await course.settle()
    await course.at("2026-12-02 00:29:00")
    await course.settle()

    assert await gone_as(course, repo) is None
    assert course.is_closed(repo, amy)
    assert [review.client_payload["sha"] for review in course.reviews(repo)] == [sha]


async def test_a_student_who_may_no_longer_push_is_not_a_repository_that_is_gone(course: Course) -> None:
    amy, repo = course.student("amy")
    await course.open_project()
    repo.collaborator(amy, None)
    repo.rename("lab1-orphan")
    await course.settle()

    assert await gone_as(course, repo) is None
    assert "nobody" in await course.write(course.teacher, "/status lab1-orphan")
    await course.at("2026-12-01 23:59:00")
    await course.settle()
    assert course.rulesets() == [{repo.id}] * 2

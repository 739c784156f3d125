"""Deadlines move while everything else happens too: GitHub ends holding what the rows say, nothing is done twice."""

import asyncio
from typing import Any

import pytest

from bot.service import Service
from sandbox.repository import Repository
from sandbox.user import User
from tests.flows.course import Course
from tests.flows.evening import code_of
from tests.flows.midway import CREATE, DEADLINE, GRACE_OVER, REPLACE, fault, read_mail

BROKEN: dict[str, dict[str, Any]] = {
    "500": {"status": 500, "times": 2},
    "502 after the effect": {"status": 502, "after_effect": True, "times": 2},
    "no answer, nothing done": {"drop": "before", "times": 2},
    "no answer, done": {"drop": "after", "times": 2},
    "401": {"status": 401},
    "409": {"status": 409, "times": 2},
    "422": {"status": 422, "times": 2},
    "429": {"status": 429, "headers": {"retry-after": "60"}},
    "403 secondary": {"status": 403, "headers": {"retry-after": "60"}, "body": {"message": "secondary rate limit"}},
}
PLANS = [("free", "team", "organisation"), ("team", "free", "repository")]
OWN = ("POST", "/repos/{owner}/{repo}/rulesets")
broken = pytest.mark.parametrize("how", BROKEN.values(), ids=list(BROKEN))


async def begin(course: Course) -> list[tuple[User, Repository]]:
    """An open project over two repositories, each pushed to."""
    people = [course.student(login) for login in ("amy", "bo")]
    await course.open_project()
    for user, repo in people:
        repo.push(user)
    await course.settle()
    return people


async def reach(course: Course, wall: str) -> None:
    """Course time is there, and what follows was done."""
    await course.at(wall)
    await course.settle()


async def move(course: Course, line: str) -> None:
    """Give the command, and confirm it if it asks first."""
    said = await course.write(course.teacher, line)
    if "/confirm" in said:
        said = await course.write(course.teacher, f"/confirm {code_of(said)}")
    assert "Not done" not in said, said


async def recovered(course: Course) -> None:
    """What was put off for up to an hour was done, as often as anything here fails."""
    for _ in range(2):
        await course.an_hour_passes()
        await course.settle()


def shut(course: Course, people: list[tuple[User, Repository]]) -> list[bool]:
    """Which of them GitHub holds closed."""
    return [course.is_closed(repo, user) for user, repo in people]


async def turns(course: Course) -> list[str]:
    """The turns of each lock as the audit has them, repository by repository."""
    rows = await course.rows(
        "SELECT action FROM audit_log WHERE action IN ('repository.locked', 'repository.unlocked')"
        " ORDER BY repository_id, id"
    )
    return [row["action"].removeprefix("repository.") for row in rows]


@broken
async def test_a_move_ahead_opens_whatever_becomes_of_the_calls(course: Course, how: dict[str, Any]) -> None:
    people = await begin(course)
    await reach(course, DEADLINE)
    assert shut(course, people) == [True, True]
    fault(course, REPLACE, **how)

    await move(course, "/deadline +1d")
    await recovered(course)

    assert shut(course, people) == [False, False]
    assert await turns(course) == ["locked", "unlocked"] * 2


@broken
async def test_a_move_into_the_past_closes_whatever_becomes_of_the_calls(course: Course, how: dict[str, Any]) -> None:
    people = await begin(course)
    await reach(course, "2026-12-01 12:00:00")
    fault(course, CREATE, **how)

    await move(course, "/deadline 2026-12-01 11:00")
    await recovered(course)

    assert shut(course, people) == [True, True]
    assert await turns(course) == ["locked"] * 2


@pytest.mark.parametrize("form", ["no answer, done", "409", "403 secondary"])
async def test_a_move_back_and_forth_while_calls_fail_ends_as_it_was_last_said(course: Course, form: str) -> None:
    people, how = await begin(course), BROKEN[form]
    fault(course, CREATE, **how)
    await reach(course, DEADLINE)
    await move(course, "/deadline +1d")
    fault(course, REPLACE, **how)
    await move(course, "/deadline 2026-12-01 22:00")
    await recovered(course)

    assert shut(course, people) == [True, True]
    await reach(course, GRACE_OVER)
    assert [len(course.reviews(repo)) for _, repo in people] == [1, 1]


async def test_a_pause_between_the_two_rulesets_outlasts_no_change_of_mind(course: Course) -> None:
    people = await begin(course)
    fault(course, CREATE, status=429, headers={"retry-after": "600"}, skip=1)
    await reach(course, DEADLINE)
    assert shut(course, people) == [True, True], "branches are closed, tags are not yet"

    await course.rows("UPDATE installations SET paused_until = NULL")
    paused = fault(course, REPLACE, status=429, headers={"retry-after": "600"})
    course.issue.comment(course.teacher, "/extend @amy +1d")
    await course.settle()
    await recovered(course)

    assert paused not in course.world.faults.pending
    assert shut(course, people) == [False, True]


async def test_of_two_moves_within_a_second_from_two_processes_the_later_comment_stands(pair: Course) -> None:
    people = await begin(pair)
    await reach(pair, "2026-12-01 12:00:00")
    pair.issue.comment(pair.teacher, "/deadline 2026-12-03 12:00")
    pair.issue.comment(pair.teacher, "/deadline 2026-12-04 12:00")
    await pair.world.hook.idle()

    async def step(service: Service) -> None:
        await read_mail(service)
        await service.tick()
        await service.finish_work()

    await asyncio.gather(*(step(service) for service in pair.services))
    await pair.settle()

    (row,) = await pair.rows("SELECT deadline_wall FROM projects")
    assert row["deadline_wall"] == "2026-12-04 12:00:00"
    moves = await pair.rows("SELECT detail FROM audit_log WHERE action = 'project.deadline_moved' ORDER BY id")
    assert [move["detail"]["wall"] for move in moves] == ["2026-12-03 12:00:00", "2026-12-04 12:00:00"]
    assert moves[1]["detail"]["from"] == moves[0]["detail"]["to"]
    await reach(pair, "2026-12-03 12:00:00")
    assert shut(pair, people) == [False, False]
    await reach(pair, "2026-12-04 12:00:00")
    assert shut(pair, people) == [True, True]


@pytest.mark.parametrize(("before", "after", "kind"), PLANS)
async def test_a_plan_that_changes_while_a_repository_is_due_ends_with_one_lock_of_the_kind_it_has(
    course: Course, before: Any, after: Any, kind: str
) -> None:
    course.org.plan = before
    people = await begin(course)
    for _, repo in people:
        repo.private = False
    fault(course, OWN if before == "free" else CREATE, status=500, times=9)
    await reach(course, DEADLINE)
    assert shut(course, people) == [False, False]

    course.org.plan = after
    course.world.faults.clear()
    await course.rows("UPDATE installations SET read_due_at = now()")
    await course.settle()
    await recovered(course)

    assert shut(course, people) == [True, True]
    assert {row["lock_kind"] for row in await course.rows("SELECT lock_kind FROM repositories")} == {kind}
    assert [bool(repo.rulesets) for _, repo in people] == [kind == "repository"] * 2
    assert any(course.rulesets()) is (kind == "organisation")


async def test_a_repository_of_two_projects_follows_the_open_one_then_whoever_waits_then_the_closed(
    course: Course,
) -> None:
    (amy, repo), _ = await begin(course)
    await reach(course, DEADLINE)
    assert course.is_closed(repo, amy)

    second = course.staff.open_issue(course.teacher, "Lab 2")
    await course.write(course.teacher, "/project create lab2 --deadline 2026-12-05 23:59 --repos lab1-amy", second)
    assert course.is_closed(repo, amy), "a draft wants nothing"
    await course.write(course.teacher, "/publish", second)
    assert not course.is_closed(repo, amy), "the open project that holds it says"

    await reach(course, "2026-12-05 23:59:00")
    assert course.is_closed(repo, amy), "both are closed"
    await course.write(course.teacher, "/extend @amy 2026-12-07 12:00")
    assert not course.is_closed(repo, amy), "the first waits for its own deadline, whatever the second wants"
    await course.write(course.teacher, "/withdraw @amy")
    assert course.is_closed(repo, amy), "the second is the only one left"
    await course.write(course.teacher, "/withdraw @amy", second)
    assert not course.is_closed(repo, amy), "nobody wants it closed"


async def test_a_repository_withdrawn_before_a_move_is_not_opened_by_it_nor_closed_again(course: Course) -> None:
    (amy, hers), (bo, his) = await begin(course)
    await reach(course, DEADLINE)
    await course.write(course.teacher, "/withdraw @amy")

    await move(course, "/deadline +1d")
    assert [course.is_closed(hers, amy), course.is_closed(his, bo)] == [False, False]
    await reach(course, "2026-12-02 23:59:00")

    assert [course.is_closed(hers, amy), course.is_closed(his, bo)] == [False, True]

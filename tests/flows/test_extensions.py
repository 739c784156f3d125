"""A repository's own deadline: it stays open until then, is closed then, and what came late may be in time again."""

import re

from sandbox.repository import Repository
from tests.flows.course import Course

PART = """
SELECT deadline_applied_at, frozen_at, locked_at FROM enrolments JOIN repositories ON id = repository_id
WHERE repository_id = $1"""
TOLD = "SELECT action, repository_id, detail FROM audit_log WHERE actor_login = $1 ORDER BY id"
COUNTS = "SELECT run.head_sha FROM enrolments LEFT JOIN runs run ON run.id = current_run"


async def test_an_extended_repository_stays_open_and_closes_at_its_own_time(course: Course) -> None:
    amy, repo = course.student("amy")
    bo, other = course.student("bo")
    await course.open_project()

    said = await course.write(course.assistant, "/extend @amy 2026-12-03 12:00 --reason ill")
    assert "`lab1-amy` now closes **Thu 3 Dec 2026, 12:00:00 Europe/Zurich** (11:00:00 UTC)" in said
    await course.at("2026-12-02 00:29:00")
    await course.settle()
    assert course.is_closed(other, bo)
    assert not course.is_closed(repo, amy)
    assert "state: closed" in await course.write(course.teacher, "/status")
    assert await part(course, repo) == (None, None, None)

    sha = repo.push(amy)
    await course.settle()
    assert course.check(repo, sha).startswith("On time")
    own = await course.at("2026-12-03 12:00:00")
    await course.settle()
    assert course.is_closed(repo, amy)
    assert course.is_closed(other, bo)
    assert await part(course, repo) == (own, None, own)
    settled = await course.at("2026-12-03 12:30:00")
    await course.settle()

    assert await part(course, repo) == (own, settled, own)
    assert [review.client_payload["sha"] for review in course.reviews(repo)] == [sha]
    assert course.locking_calls() == 4


async def part(course: Course, repo: Repository) -> tuple[object, ...]:
    """When the deadline was applied to a repository, when it was frozen and since when it is locked."""
    (row,) = await course.rows(PART, repo.id)
    return tuple(row)


async def test_an_extension_after_the_fact_opens_the_repository_and_makes_the_late_commit_count(course: Course) -> None:
    amy, repo = course.student("amy")
    await course.open_project()
    await course.at("2026-12-01 23:59:10")
    sha = repo.push(amy)
    await course.settle()
    assert course.is_closed(repo, amy)
    assert course.check(repo, sha).startswith("Late by 9 s")
    assert [row["head_sha"] for row in await course.rows(COUNTS)] == [None]

    said = await course.write(course.assistant, "/extend lab1-amy +1d")

    assert "It was closed since Tue 1 Dec 23:59:10; it opens again now." in said
    assert not course.is_closed(repo, amy)
    assert course.check(repo, sha).startswith("On time")
    assert [row["head_sha"] for row in await course.rows(COUNTS)] == [sha]
    await course.at("2026-12-03 00:29:00")
    await course.settle()
    assert [review.client_payload["sha"] for review in course.reviews(repo)] == [sha]


async def test_an_extension_after_the_freeze_opens_that_repository_alone_and_says_from_when_to_when(
    course: Course,
) -> None:
    amy, repo = course.student("amy")
    bo, other = course.student("bo")
    await course.open_project()
    now = await course.at("2026-12-02 00:29:00")
    await course.settle()
    assert await part(course, repo) == (now, now, now)
    await course.at("2026-12-02 08:00:00")

    await course.write(course.assistant, "/extend @amy 2026-12-03 12:00 --reason ill")

    assert await part(course, repo) == (None, None, None)
    assert await part(course, other) == (now, now, now)
    assert [course.is_closed(repo, amy), course.is_closed(other, bo)] == [False, True]
    assert course.rulesets() == [{other.id}] * 2
    (project,) = await course.rows("SELECT state FROM projects")
    assert project["state"] == "closed"
    told = await course.rows(
        "SELECT action, repository_id, detail FROM audit_log WHERE actor_login = 'ada' ORDER BY id"
    )
    moved, reopened = {"from": "2026-12-01T22:59:00+00:00", "to": "2026-12-03T11:00:00+00:00", "reason": "ill"}, 0
    assert [tuple(row) for row in told] == [
        ("repository.deadline_moved", repo.id, moved),
        ("repository.reopened", repo.id, {"voided_reviews": reopened}),
    ]


async def test_a_reopened_repository_begins_a_new_round_with_a_review_of_its_own(course: Course) -> None:
    amy, repo = course.student("amy")
    await course.open_project()
    first = repo.push(amy)
    await course.settle()
    await course.at("2026-12-02 00:29:00")
    await course.settle()

    await course.write(course.assistant, "/extend @amy +2d")
    second = repo.push(amy)
    await course.settle()
    await course.at("2026-12-04 00:29:00")
    await course.settle()

    assert [review.client_payload["sha"] for review in course.reviews(repo)] == [first, second]
    rows = await course.rows("SELECT round, voided_at IS NOT NULL AS voided FROM dispatches ORDER BY id")
    assert [tuple(row) for row in rows] == [(1, True), (2, False)]


async def test_an_extension_taken_back_after_the_deadline_asks_and_then_closes_the_repository(course: Course) -> None:
    amy, repo = course.student("amy")
    await course.open_project()
    await course.write(course.assistant, "/extend @amy 2026-12-05 12:00")
    await course.at("2026-12-02 08:00:00")
    await course.settle()
    assert not course.is_closed(repo, amy)

    said = await course.write(course.assistant, "/extend @amy none")
    assert "Tue 1 Dec 2026, 23:59:00" in said
    await course.write(course.assistant, re.findall("/confirm [a-z0-9]+", said)[0])

    assert course.is_closed(repo, amy)


async def test_the_project_moves_and_repositories_with_their_own_deadline_keep_it(course: Course) -> None:
    amy, repo = course.student("amy")
    bo, other = course.student("bo")
    await course.open_project()
    await course.write(course.assistant, "/extend @amy 2026-12-02 12:00")

    said = await course.write(course.teacher, "/deadline +2d")
    assert "Thu 3 Dec 2026, 23:59:00" in said
    await course.at("2026-12-02 12:00:00")
    await course.settle()

    assert course.is_closed(repo, amy)
    assert not course.is_closed(other, bo)


async def test_a_closed_project_opens_again_when_its_deadline_moves_ahead(course: Course) -> None:
    amy, repo = course.student("amy")
    await course.open_project()
    await course.at("2026-12-02 00:00:00")
    await course.settle()
    assert course.is_closed(repo, amy)

    said = await course.write(course.teacher, "/deadline 2026-12-02 18:00")

    assert "Closed until now and open again: 1 repository." in said
    assert not course.is_closed(repo, amy)
    assert await part(course, repo) == (None, None, None)
    assert course.rulesets() == []
    told = await course.rows("SELECT action, detail FROM audit_log WHERE actor_login = 'tim' ORDER BY id")
    actions = [row["action"] for row in told]
    assert actions[-3:] == ["project.deadline_moved", "project.open", "repository.reopened"]
    assert {"from": "2026-12-01T22:59:00+00:00", "to": "2026-12-02T17:00:00+00:00"}.items() <= told[-3][
        "detail"
    ].items()
    assert "state: open" in await course.write(course.teacher, "/status")
    await course.at("2026-12-02 18:00:00")
    await course.settle()
    assert course.is_closed(repo, amy)


async def test_an_own_deadline_earlier_than_the_projects_closes_that_repository_first(course: Course) -> None:
    amy, repo = course.student("amy")
    bo, other = course.student("bo")
    await course.open_project()
    await course.write(course.assistant, "/extend @amy 2026-12-01 12:00")

    await course.at("2026-12-01 12:00:00")
    await course.settle()

    assert course.is_closed(repo, amy)
    assert not course.is_closed(other, bo)
    assert "state: open" in await course.write(course.teacher, "/status")


async def test_every_check_that_is_shown_names_the_deadline_that_holds(course: Course) -> None:
    amy, repo = course.student("amy")
    await course.open_project()
    first = repo.push(amy)
    await course.settle()
    repo.push(amy)
    await course.settle()
    assert "You can push until **Tue 1 Dec 2026, 23:59:00" in course.check(repo, first)

    await course.write(course.assistant, "/extend @amy 2026-12-03 12:00")

    assert "You can push until **Thu 3 Dec 2026, 12:00:00" in course.check(repo, first)


MOVES = "SELECT action FROM audit_log WHERE action LIKE '%.deadline_moved'"


async def test_a_deadline_that_is_given_again_moves_nothing_is_not_recorded_and_says_so(course: Course) -> None:
    course.student("amy")
    await course.open_project()

    said = await course.write(course.teacher, "/deadline 2026-12-01 23:59")

    assert "The deadline of **lab1** is **Tue 1 Dec 2026, 23:59:00 Europe/Zurich** (22:59:00 UTC) already" in said
    assert "takes this back" not in said
    assert await course.rows(MOVES) == []
    assert await course.rows("SELECT FROM past_verdicts") == []
    undo = await course.write(course.teacher, "/undo")
    assert "`/deadline 2026-12-01 23:59` changed nothing, so there is nothing to take back." in undo


async def test_a_deadline_that_has_passed_is_given_again_without_a_question(course: Course) -> None:
    amy, repo = course.student("amy")
    await course.open_project()
    await course.at("2026-12-02 08:00:00")
    await course.settle()

    said = await course.write(course.teacher, "/deadline 2026-12-01 23:59")

    assert "The deadline of **lab1** was **Tue 1 Dec 2026, 23:59:00 Europe/Zurich** (22:59:00 UTC) already" in said
    assert course.is_closed(repo, amy)
    assert await course.rows(MOVES) == []


async def test_an_own_deadline_that_is_given_or_taken_again_moves_nothing_and_says_so(course: Course) -> None:
    course.student("amy")
    course.student("bo")
    await course.open_project()

    said = await course.write(course.assistant, "/extend @amy none")
    assert "`lab1-amy` has no deadline of its own: that of the project holds, **Tue 1 Dec 2026, 23:59:00" in said
    assert "takes this back" not in said
    assert await course.rows(MOVES) == []
    assert "changed nothing" in await course.write(course.assistant, "/undo")

    await course.write(course.assistant, '/extend @amy 2026-12-03 12:00 --reason "ill"')
    said = await course.write(course.assistant, "/extend @amy 2026-12-03T11:00:00Z")
    assert "`lab1-amy` has this deadline already, **Thu 3 Dec 2026, 12:00:00 Europe/Zurich** (11:00:00 UTC)." in said
    assert len(await course.rows(MOVES)) == 1
    (row,) = await course.rows("SELECT deadline_reason FROM enrolments WHERE deadline_at IS NOT NULL")
    assert row["deadline_reason"] == "ill"
    assert "changed nothing" in await course.write(course.assistant, "/undo")


async def test_of_several_only_those_that_move_are_recorded_and_taken_back(course: Course) -> None:
    course.student("amy")
    course.student("bo")
    await course.open_project()
    await course.write(course.assistant, "/extend @amy 2026-12-03 12:00")

    said = await course.write(course.assistant, "/extend all 2026-12-03 12:00")

    assert "`lab1-amy` has this deadline already" in said
    assert "`lab1-bo` now closes **Thu 3 Dec 2026, 12:00:00" in said
    assert len(await course.rows(MOVES)) == 2
    await course.write(course.assistant, "/undo")
    rows = await course.rows("SELECT deadline_at IS NOT NULL AS own FROM enrolments ORDER BY repository_id")
    assert [row["own"] for row in rows] == [True, False]


async def test_another_reason_for_the_same_time_is_a_change_that_is_taken_back(course: Course) -> None:
    course.student("amy")
    await course.open_project()
    await course.write(course.assistant, "/extend @amy 2026-12-03 12:00")

    await course.write(course.assistant, "/extend @amy 2026-12-03 12:00 --reason ill")
    assert [row["deadline_reason"] for row in await course.rows("SELECT deadline_reason FROM enrolments")] == ["ill"]
    await course.write(course.assistant, "/undo")

    assert [row["deadline_reason"] for row in await course.rows("SELECT deadline_reason FROM enrolments")] == [None]

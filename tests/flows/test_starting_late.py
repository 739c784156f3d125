"""A service that was down across many deadlines and graces makes up for each of them once, in order."""

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from sandbox.repository import Repository
from sandbox.user import User
from tests.flows.course import ZONE, Course

FIRST = datetime(2026, 12, 1, 12, 0, tzinfo=ZoneInfo(ZONE))
COUNT = 10


async def projects(course: Course) -> list[tuple[User, Repository]]:
    """Ten open projects, a repository each, whose deadlines lie two hours apart."""
    await course.begin()
    people = []
    for number in range(COUNT):
        user = course.world.user(f"s{number}")
        repo = course.org.repository(f"lab{number}-s{number}", collaborators={user.login: "write"})
        people.append((user, repo))
        issue = course.staff.open_issue(course.teacher, f"Lab {number}")
        deadline = FIRST + timedelta(hours=2 * number)
        create = f"/project create lab{number} --deadline {deadline:%Y-%m-%d %H:%M} --repos lab{number}-*"
        assert "is drafted" in await course.write(course.teacher, create, issue)
        assert "is open" in await course.write(course.teacher, "/publish", issue)
        repo.push(user)
        # GitHub takes 80 comments and reactions a minute.
        await course.a_minute_passes()
    await course.settle()
    return people


async def test_ten_projects_whose_deadlines_and_graces_were_missed_are_closed_frozen_and_reviewed_once_in_order(
    pair: Course,
) -> None:
    people = await projects(pair)

    await pair.at("2026-12-02 18:00:00")
    await pair.settle()
    await pair.an_hour_passes()
    await pair.settle()

    assert all(pair.is_closed(repo, user) for user, repo in people)
    assert [len(pair.reviews(repo)) for _, repo in people] == [1] * COUNT
    for action in ("project.closed", "repository.applied", "repository.frozen", "repository.locked", "review.asked"):
        rows = await pair.rows("SELECT project_id, repository_id FROM audit_log WHERE action = $1 ORDER BY id", action)
        assert len(rows) == COUNT, action
        assert len({(row["project_id"], row["repository_id"]) for row in rows}) == COUNT, action
    order = [
        row["project_id"]
        for row in await pair.rows("SELECT project_id FROM audit_log WHERE action = 'project.closed' ORDER BY id")
    ]
    assert order == sorted(order), "the earliest deadline first"


async def test_a_service_back_in_the_middle_does_what_has_come_and_waits_for_the_rest(
    course: Course,
) -> None:
    people = await projects(course)

    await course.at("2026-12-01 20:30:00")
    await course.settle()

    assert [course.is_closed(repo, user) for user, repo in people] == [True] * 5 + [False] * 5
    rows = await course.rows("SELECT frozen_at IS NOT NULL AS frozen FROM enrolments ORDER BY project_id")
    assert [row["frozen"] for row in rows] == [True] * 5 + [False] * 5


async def test_what_was_pushed_while_the_service_was_down_is_judged_by_when_github_received_it(course: Course) -> None:
    (user, repo), *_ = await projects(course)
    course.world.hook.hold()
    await course.at("2026-12-01 11:59:00")
    on_time = repo.push(user)
    await course.at("2026-12-01 12:05:00")
    late = repo.push(user)
    await course.at("2026-12-01 12:06:00")
    course.world.hook.release()
    await course.settle()

    assert course.check(repo, on_time).startswith("On time")
    assert course.check(repo, late).startswith("Late by")
    await course.at("2026-12-01 12:30:00")
    await course.settle()
    assert [review.client_payload["sha"] for review in course.reviews(repo)] == [on_time]


async def drafted(course: Course, options: str) -> None:
    """A draft whose deadline is at eight in the evening of 1 December, made the day before that day begins."""
    await course.begin()
    create = f"/project create lab1 --deadline 2026-12-01 20:00 --repos lab1-* {options}"
    assert "is drafted" in await course.write(course.teacher, create)


def called(course: Course) -> list[str]:
    """What the staff were told about a draft without having asked."""
    return [it.body for it in course.issue.comments if "@prog1/teachers" in it.body and "still a draft" in it.body]


async def test_a_draft_whose_opening_and_deadline_were_both_missed_stays_one_and_the_staff_are_told_once(
    pair: Course,
) -> None:
    pair.student("amy")
    await drafted(pair, "--opens 2026-12-01 12:00")

    await pair.at("2026-12-01 21:00:00")
    await pair.settle()
    await pair.at("2026-12-02 21:00:00")
    await pair.settle()

    (said,) = called(pair)
    assert "**lab1** did not open by itself and is still a draft. Its deadline had come before it could open." in said
    assert "was **Tue 1 Dec 2026, 20:00:00 Europe/Zurich** (19:00:00 UTC), 1 h ago" in said.replace(" 0 min", "")
    assert "`/deadline` gives it another date, then `/publish` opens it." in said
    (row,) = await pair.rows("SELECT state, opens_at FROM projects")
    assert tuple(row) == ("draft", None)
    rows = await pair.rows("SELECT action, actor_kind FROM audit_log WHERE action LIKE 'project.open%'")
    assert [tuple(row) for row in rows] == [("project.opening_refused", "clock")]

    await pair.write(pair.teacher, "/deadline +2d")
    assert "is open for 1 repository" in await pair.write(pair.teacher, "/publish")


async def test_a_draft_that_nobody_opened_is_nudged_about_after_its_deadline_where_that_was_missed(
    course: Course,
) -> None:
    course.student("amy")
    await drafted(course, "")

    await course.at("2026-12-01 21:00:00")
    await course.settle()
    await course.at("2026-12-02 21:00:00")
    await course.settle()

    (said,) = called(course)
    assert "**lab1** is still a draft. Its deadline was **Tue 1 Dec 2026, 20:00:00" in said


@pytest.mark.parametrize("deadline", ["2026-12-01 20:00", "2026-12-08 20:00"])
async def test_a_draft_that_another_project_keeps_from_opening_says_at_once_which(
    course: Course, deadline: str
) -> None:
    course.student("amy")
    await course.begin()
    other = course.staff.open_issue(course.teacher, "Lab 0")
    await course.write(course.teacher, "/project create lab0 --deadline 2026-12-20 20:00 --repos lab1-*", other)
    create = f"/project create lab1 --deadline {deadline} --opens 2026-12-01 12:00 --repos lab1-*"
    assert "is drafted" in await course.write(course.teacher, create)
    assert "is open" in await course.write(course.teacher, "/publish", other)

    await course.at("2026-12-01 12:00:00")
    await course.settle()
    await course.at("2026-12-01 12:01:00")
    await course.settle()

    (said,) = called(course)
    assert "**lab1** did not open by itself and is still a draft. Another open project holds" in said
    assert "`lab1-amy` (in `lab0`)" in said
    assert "`/publish` opens it" in said

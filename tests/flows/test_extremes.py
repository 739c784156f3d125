"""Comments, deliveries, times and hands that nobody expects."""

import hmac
import json
from collections.abc import Mapping
from uuid import uuid4

import aiohttp
import pytest

from tests.flows import course as courses
from tests.flows.course import Course
from tests.flows.midway import DEADLINE, GRACE_OVER


async def test_each_project_of_one_comment_takes_the_repositories_of_its_own_pattern(course: Course) -> None:
    course.student("amy")
    course.org.repository("lab2-amy", collaborators={"amy": "write"})
    await course.begin()

    said = await course.write(
        course.teacher,
        "/project create lab1 --deadline 2026-12-01 23:59 --repos lab1-*\n"
        "/project create lab2 --deadline 2026-12-01 23:59 --repos lab2-*",
    )

    assert "1 repository matches `lab1-*` and is enrolled" in said
    rows = await course.rows(
        "SELECT slug, name FROM enrolments"
        " JOIN projects p ON p.id = project_id JOIN repositories r ON r.id = repository_id"
    )
    assert [tuple(row) for row in rows] == [("lab1", "lab1-amy")]


async def test_fifty_commands_in_one_comment_are_answered_in_one_reply(course: Course) -> None:
    course.student("amy")
    await course.open_project()

    said = await course.write(course.teacher, "\n".join(["/extend @amy +1h"] * 25 + ["/status all"] * 25))

    assert said.count("now closes") == 25
    assert said.count("lab1-amy") >= 50
    (row,) = await course.rows("SELECT deadline_wall FROM enrolments")
    assert row["deadline_wall"] == "2026-12-03 00:59:00"


@pytest.mark.parametrize(
    "text",
    [
        "/" + "a" * 65_000,
        "/status " + "\u202e\u0000\ufffd🎓" * 2_000,
        "/extend " + "@" * 60_000 + " +1d",
        "/extend " + "[!" * 20_000 + " +1d",
        "/extend " + "*a" * 20_000 + "b +1d",
        "\n".join(["/statu"] * 3_000),
    ],
)
async def test_a_monstrous_comment_is_answered_or_left_alone_and_the_next_one_is_answered(
    course: Course, text: str
) -> None:
    course.student("amy")
    await course.open_project()

    said = await course.write(course.assistant, text)

    assert len(said) <= 65_536
    assert "state: open" in await course.write(course.assistant, "/status")


async def test_a_delivery_that_nobody_can_store_or_understand_holds_up_no_other(course: Course) -> None:
    amy, repo = course.student("amy")
    await course.open_project()
    told = {"action": "created", "organization": {"id": course.org.id, "login": "prog1"}, "issue": {"number": 1}}
    author = {"id": 1, "login": "x", "type": "User"}
    comment = {"id": 2**40, "user": author, "created_at": "2026-11-30T14:00:00Z", "body": "/x \x00"}
    poison = told | {"comment": comment, "repository": {"id": 5, "name": "x"}}
    wide = told | {"comment": comment, "repository": {"id": 2**90, "name": "x"}}
    assert [await deliver(course, body) for body in (wide, poison)] == [400, 202]
    sha = repo.push(amy)
    await course.settle()

    assert course.check(repo, sha).startswith("On time")
    await course.at(GRACE_OVER)
    await course.settle()
    assert len(course.reviews(repo)) == 1


async def deliver(course: Course, body: Mapping[str, object]) -> int:
    """A delivery that GitHub signed and would never send; the status it was answered with."""
    raw = json.dumps(body).encode()
    signature = "sha256=" + hmac.new(courses.SECRET.encode(), raw, "sha256").hexdigest()
    headers = {"X-GitHub-Event": "issue_comment", "X-GitHub-Delivery": str(uuid4()), "X-Hub-Signature-256": signature}
    url = str(course.world.app.webhook_url)
    async with aiohttp.ClientSession() as session, session.post(url, data=raw, headers=headers) as answer:
        return answer.status


async def test_an_extension_to_the_same_time_changes_nothing_twice(course: Course) -> None:
    amy, repo = course.student("amy")
    await course.open_project()
    repo.push(amy)
    await course.settle()
    await course.at("2026-12-02 00:10:00")
    await course.settle()

    for _ in range(2):
        await course.write(course.assistant, "/extend @amy 2026-12-03 12:00")
    await course.at("2026-12-03 12:30:00")
    await course.settle()

    (row,) = await course.rows("SELECT round FROM enrolments")
    assert row["round"] == 2
    assert len(course.reviews(repo)) == 1


async def test_without_grace_the_freeze_comes_with_the_deadline_and_asks_once(course: Course) -> None:
    amy, repo = course.student("amy")
    await course.open_project(options="--grace 0s")
    sha = repo.push(amy)
    await course.settle()

    await course.at(DEADLINE)
    await course.settle()
    await course.settle()

    assert course.is_closed(repo, amy)
    assert [review.client_payload["sha"] for review in course.reviews(repo)] == [sha]


async def test_a_deadline_of_this_very_second_is_not_taken_and_one_of_the_next_is_kept(course: Course) -> None:
    amy, repo = course.student("amy")
    await course.open_project()
    await course.at("2026-12-01 12:00:00")

    assert "Nothing has changed" in await course.write(course.teacher, "/deadline 2026-12-01 12:00:00")
    assert "12:00:01" in await course.write(course.teacher, "/deadline 2026-12-01 12:00:01")
    assert not course.is_closed(repo, amy)
    await course.at("2026-12-01 12:00:01")
    await course.settle()
    assert course.is_closed(repo, amy)


async def test_an_extension_in_calendar_days_over_a_change_of_clocks_keeps_the_wall_time(course: Course) -> None:
    course.student("amy")
    await course.open_project(deadline="2027-03-27 02:30")

    assert "02:30 does not exist" in await course.write(course.assistant, "/extend @amy +1d")
    said = await course.write(course.assistant, "/extend @amy +2d")

    assert "Mon 29 Mar 2027, 02:30:00 Europe/Zurich** (00:30:00 UTC)" in said


async def test_a_ruleset_changed_by_hand_is_put_right_by_the_next_change(course: Course) -> None:
    amy, repo = course.student("amy")
    bo, other = course.student("bo")
    await course.open_project()
    await course.write(course.assistant, "/extend @bo 2026-12-03 12:00")
    await course.at(DEADLINE)
    await course.settle()
    for ruleset in course.org.rulesets.values():
        ruleset.enforcement = "disabled"
    assert not course.is_closed(repo, amy)

    await course.at("2026-12-03 12:00:00")
    await course.settle()

    assert course.is_closed(repo, amy)
    assert course.is_closed(other, bo)


async def test_a_repository_of_two_courses_follows_the_one_whose_project_is_open(course: Course) -> None:
    amy, repo = course.student("amy")
    await course.open_project()
    await course.at("2026-12-02 08:00:00")
    await course.settle()
    assert course.is_closed(repo, amy)
    staff = course.org.repository("staff2")
    issue = staff.open_issue(course.teacher, "Lab of another course")
    await course.write(course.owner, "/course init --timezone UTC --staff @prog1/teachers", issue)
    await course.write(course.teacher, "/project create lab --deadline 2026-12-05 12:00 --repos lab1-*", issue)
    await course.write(course.teacher, "/publish", issue)
    assert not course.is_closed(repo, amy)

    sha = repo.push(amy)
    await course.settle()
    await course.at("2026-12-05 12:00:00")
    await course.settle()
    assert not course.is_closed(repo, amy), "12:00 in Zurich is not yet 12:00 UTC"
    await course.at("2026-12-05 13:00:00")
    await course.settle()
    assert course.is_closed(repo, amy)
    await course.at("2026-12-05 13:30:00")
    await course.settle()
    assert [review.client_payload["sha"] for review in course.reviews(repo)] == [sha]

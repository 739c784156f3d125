"""The control issue: the bot's part follows the database, and nobody's words are lost."""

from typing import Any

import pytest

from bot.rules.boards import BEGIN, END
from sandbox.faults import Fault
from tests.flows.course import Course

EDIT = ("PATCH", "/repos/{owner}/{repo}/issues/{issue_number}")
READ = ("GET", "/repos/{owner}/{repo}/issues/{issue_number}")


async def later(course: Course) -> None:
    """More than half a minute of real time passes."""
    await course.an_hour_passes()
    await course.settle()


async def test_the_issue_in_which_a_project_is_created_says_where_it_stands_below_what_the_teacher_wrote(
    course: Course,
) -> None:
    course.student("amy")
    course.issue.body = "Write a parser.\n\nBring a pencil."
    await course.begin()
    await course.write(course.teacher, "/project create lab1 --deadline 2026-12-01 23:59 --repos lab1-*")

    body = course.issue.body
    assert body.startswith(f"Write a parser.\n\nBring a pencil.\n\n{BEGIN}\n")
    assert body.endswith(END)
    assert "### lab1: draft" in body
    assert "**Tue 1 Dec 2026, 23:59:00 Europe/Zurich** (22:59:00 UTC)" in body
    assert "enrolled: 1" in body


async def test_it_follows_every_change_but_is_edited_at_most_once_in_half_a_minute(course: Course) -> None:
    amy, repo = course.student("amy")
    await course.open_project()
    repo.push(amy)
    await course.settle()
    assert course.world.count(*EDIT) == 1
    assert "### lab1: draft" in course.issue.body

    await later(course)

    assert course.world.count(*EDIT) == 2
    assert "### lab1: open" in course.issue.body
    assert "1 of 1 repositories with a commit received in time" in course.issue.body
    await course.at("2026-12-02 00:29:00")
    await later(course)
    await later(course)
    assert "### lab1: closed" in course.issue.body
    assert "locked: 1 · frozen: 1 · review asked: 1" in course.issue.body


async def test_what_changes_nothing_that_is_shown_edits_nothing(course: Course) -> None:
    course.student("amy")
    await course.open_project()
    await later(course)
    edits, reads = course.world.count(*EDIT), course.world.count(*READ)

    await course.rows("UPDATE enrolments SET current_run = NULL")
    await later(course)

    assert (course.world.count(*EDIT), course.world.count(*READ)) == (edits, reads)
    assert not await course.rows("SELECT FROM board_news")


async def test_an_emptied_body_is_filled_again(course: Course) -> None:
    course.student("amy")
    await course.open_project()
    await later(course)

    course.issue.edit(course.teacher, body="")
    await later(course)

    assert course.issue.body.startswith(BEGIN)
    assert "### lab1: open" in course.issue.body


async def test_the_bots_own_edits_lead_to_no_further_reading(course: Course) -> None:
    course.student("amy")
    await course.open_project()
    await later(course)
    await later(course)
    reads = course.world.count(*READ)

    await later(course)

    assert course.world.count(*READ) == reads


async def test_what_the_teacher_writes_around_it_stays_and_what_they_change_inside_is_put_right(course: Course) -> None:
    course.student("amy")
    await course.open_project()
    await later(course)
    shown = course.issue.body

    course.issue.edit(course.teacher, body=f"Before\n{shown.replace('lab1: open', 'lab1: cancelled')}\nAfter")
    await later(course)

    assert course.issue.body == f"Before\n{shown}\nAfter"


async def test_tasks_are_listed_in_it(course: Course) -> None:
    course.org.plan = "free"
    await course.rows("UPDATE installations SET read_due_at = now()")
    course.student("amy")
    await course.open_project()
    await later(course)

    assert "**Waiting for a person**" in course.issue.body
    assert "GitHub offers no organisation rulesets here" in course.issue.body


async def test_a_deleted_issue_is_given_up_with_a_note_and_not_tried_for_ever(course: Course) -> None:
    course.student("amy")
    await course.open_project()
    other = course.staff.open_issue(course.teacher, "Another")
    del course.staff.issues[course.issue.number]
    await later(course)
    reads = course.world.count(*READ)

    await course.at("2026-12-01 23:59:00")
    await later(course)
    await later(course)

    assert course.world.count(*READ) == reads
    assert "The control issue of `lab1` (#1) cannot be written" in await course.write(
        course.teacher, "/course status", other
    )
    assert len(await course.rows("SELECT FROM audit_log WHERE action = 'board.given_up'")) == 1


async def test_one_that_was_given_up_lives_again_once_somebody_touches_it(course: Course) -> None:
    course.student("amy")
    await course.open_project()
    course.world.faults.add(Fault(method="PATCH", route=EDIT[1], status=403, body={"message": "Forbidden"}))
    await later(course)
    assert "### lab1: draft" in course.issue.body

    course.issue.edit(course.teacher, title="Lab one")
    await later(course)

    assert "### lab1: open" in course.issue.body


@pytest.mark.parametrize("how", [{"drop": "before"}, {"drop": "after"}, {"status": 502}])
async def test_an_edit_whose_answer_is_lost_is_made_right(course: Course, how: dict[str, Any]) -> None:
    course.student("amy")
    await course.open_project()
    course.world.faults.add(Fault(method="PATCH", route=EDIT[1], **how))

    await later(course)

    assert course.issue.body.count(BEGIN) == 1
    assert "### lab1: open" in course.issue.body


async def test_in_shadow_mode_it_is_written_too_and_says_so(course: Course) -> None:
    course.student("amy")
    await course.write(course.owner, "/course init --timezone Europe/Zurich --staff @prog1/teachers --mode shadow")
    await course.write(course.teacher, "/project create lab1 --deadline 2026-12-01 23:59 --repos lab1-*")

    assert "**Shadow mode**" in course.issue.body


async def test_of_two_processes_one_edits(pair: Course) -> None:
    pair.student("amy")
    await pair.open_project()
    await pair.an_hour_passes()
    await pair.settle()

    assert pair.world.count(*EDIT) == 2

"""Wide commands ask first: what a preview says, that it changes nothing, and that a confirmation does just that."""

from collections.abc import Mapping

import pytest

from tests.flows.course import Course
from tests.flows.evening import begin, closed, code_of, push, repository

WRITTEN_BY_ANY_COMMENT = {"commands", "confirmations", "outbox", "deliveries", "installations"}
WRITTEN_BY_ANY_TICK = {"processes", "pulses", "delivery_logs", "scheduled_tasks"}


async def tables(course: Course) -> Mapping[str, list[str]]:
    """Every row of every table but those in which any comment, or any tick, leaves its traces."""
    names = await course.rows("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
    kept = sorted({row["tablename"] for row in names} - WRITTEN_BY_ANY_COMMENT - WRITTEN_BY_ANY_TICK)
    return {
        name: [str(row["row"]) for row in await course.rows(f"SELECT t::text AS row FROM {name} t ORDER BY 1")]
        for name in kept
    }


async def test_a_deadline_moved_into_the_past_is_previewed_and_changes_nothing(course: Course) -> None:
    _, sha = await begin(course)
    before = await tables(course)

    said = await course.write(course.teacher, "/deadline 2026-12-01 21:30")

    assert (
        "This would move the deadline of **lab1** from Tue 1 Dec 23:59:00 to "
        "**Tue 1 Dec 2026, 21:30:00 Europe/Zurich** (20:30:00 UTC), which has passed." in said
    )
    assert "2 repositories (`lab1-amy`, `lab1-bo`) would close now." in said
    assert f"1 commit would become late: `lab1-bo` {sha[:7]} (by 30 min" in said
    assert "Nothing has changed. `/confirm " in said
    assert await tables(course) == before
    assert closed(course) == [False, False]
    assert sorted(it.content for it in course.issue.comments[-2].reactions) == ["confused", "eyes"]


async def test_a_confirmation_does_what_was_previewed_and_the_rest_follows(course: Course) -> None:
    await begin(course)
    amy, bo = (repository(course, login) for login in ("amy", "bo"))
    previewed = await course.write(course.teacher, "/deadline 2026-12-01 21:30")

    said = await course.write(course.teacher, f"/confirm {code_of(previewed)}")

    assert "Closed **Tue 1 Dec 2026, 21:30:00 Europe/Zurich**" in said
    assert "`lab1-bo`" in said
    assert "is now late by 30 min" in said
    assert said.endswith("`/undo` takes this back.")
    assert closed(course) == [True, True]
    assert len(course.reviews(amy)) == 1
    assert course.reviews(bo) == []
    assert "state: closed" in await course.write(course.teacher, "/status")
    (row,) = await course.rows("SELECT deadline_wall FROM projects")
    assert row["deadline_wall"] == "2026-12-01 21:30:00"


async def test_a_relative_time_means_at_the_confirmation_what_the_preview_said(course: Course) -> None:
    await begin(course)
    await course.at("2026-12-02 08:00:00")
    await course.settle()
    previewed = await course.write(course.teacher, "/deadline +2d")
    assert "2 repositories (`lab1-amy`, `lab1-bo`) would open again." in previewed

    await course.at("2026-12-02 08:05:00")
    said = await course.write(course.teacher, f"/confirm {code_of(previewed)}")

    assert "Thu 3 Dec 2026, 23:59:00" in said
    assert closed(course) == [False, False]


async def test_a_changed_world_gets_a_new_preview_of_the_same_time_and_a_new_code(course: Course) -> None:
    await begin(course)
    await course.at("2026-12-02 08:00:00")
    await course.settle()
    previewed = await course.write(course.teacher, "/deadline +2d")
    await course.write(course.assistant, "/extend @amy 2026-12-02 18:00")

    said = await course.write(course.teacher, f"/confirm {code_of(previewed)}")

    assert "Not done: since the preview something has changed." in said
    assert "Thu 3 Dec 2026, 23:59:00" in said
    assert "1 repository (`lab1-bo`) would open again." in said
    assert closed(course) == [False, True]
    assert "`E-CODE-USED`" in await course.write(course.teacher, f"/confirm {code_of(previewed)}")
    await course.write(course.teacher, f"/confirm {code_of(said)}")
    assert closed(course) == [False, False]


async def test_a_relative_time_does_not_move_on_with_a_deadline_that_moved_meanwhile(course: Course) -> None:
    await begin(course)
    await course.at("2026-12-02 08:00:00")
    await course.settle()
    previewed = await course.write(course.assistant, "/extend all +1d")
    await course.write(course.assistant, "/extend @amy +2d")

    said = await course.write(course.assistant, f"/confirm {code_of(previewed)}")

    assert "of `lab1-amy` from Thu 3 Dec 23:59:00 to **Wed 2 Dec 2026, 23:59:00" in said


async def test_a_push_after_the_preview_was_announced_late_and_is_named_in_the_answer(course: Course) -> None:
    await begin(course)
    previewed = await course.write(course.teacher, "/deadline 2026-12-01 21:30")
    sha = await push(course, "amy", "2026-12-01 23:01:30")

    said = await course.write(course.teacher, f"/confirm {code_of(previewed)}")

    assert f"`lab1-amy` {sha[:7]}, received Tue 1 Dec 23:01:" in said
    assert "is now late by 1 h 31 min" in said
    assert closed(course) == [True, True]


async def test_evidence_that_changes_what_the_preview_said_leads_to_a_new_one(course: Course) -> None:
    await begin(course)
    previewed = await course.write(course.teacher, "/deadline 2026-12-01 21:30")
    await push(course, "amy", "2026-12-01 23:00:00")

    said = await course.write(course.teacher, f"/confirm {code_of(previewed)}")

    assert "2 commits would become late" in said
    assert closed(course) == [False, False]


async def test_anyone_who_may_give_the_command_may_confirm_it_and_nobody_else(course: Course) -> None:
    await begin(course)
    code = code_of(await course.write(course.teacher, "/deadline 2026-12-01 21:30"))
    amy = repository(course, "amy")
    issue = amy.open_issue(course.world.users["amy"], "hello")

    assert "`E-STAFF`" in await course.write(course.assistant, f"/confirm {code}")
    assert "`E-STAFF`" in await course.write(course.world.users["amy"], f"/confirm {code}", issue)
    assert closed(course) == [False, False]
    assert "Closed" in await course.write(course.owner, f"/confirm {code}")
    assert closed(course) == [True, True]


async def test_a_code_is_good_for_ten_minutes_of_real_time(course: Course) -> None:
    await begin(course)
    code = code_of(await course.write(course.teacher, "/deadline 2026-12-01 21:30"))
    await course.an_hour_passes()

    assert "`E-CODE-EXPIRED`" in await course.write(course.teacher, f"/confirm {code}")
    assert closed(course) == [False, False]


async def test_each_code_that_cannot_be_used_has_its_answer(course: Course) -> None:
    await begin(course)
    code = code_of(await course.write(course.teacher, "/deadline 2026-12-01 21:30"))
    other = course.staff.open_issue(course.teacher, "Lab 2")

    assert "`E-CODE`" in await course.write(course.teacher, "/confirm zzzz")
    said = await course.write(course.teacher, f"/confirm {code}", other)
    assert "`E-CODE-ISSUE`" in said
    assert f"Write it in #{course.issue.number}." in said
    await course.write(course.teacher, f"/confirm `{code.upper()}`")
    assert closed(course) == [True, True]
    assert "`E-CODE-USED`" in await course.write(course.teacher, f"/confirm {code}")


async def test_two_confirmations_at_once_do_it_once(pair: Course) -> None:
    await begin(pair)
    code = code_of(await pair.write(pair.teacher, "/deadline 2026-12-01 21:30"))

    pair.issue.comment(pair.teacher, f"/confirm {code}")
    pair.issue.comment(pair.owner, f"/confirm {code}")
    await pair.settle()

    answers = [comment.body for comment in pair.issue.comments[-2:]]
    assert sorted("E-CODE-USED" in answer for answer in answers) == [False, True]
    moves = await pair.rows("SELECT FROM audit_log WHERE action = 'project.deadline_moved'")
    assert len(moves) == 1


async def test_what_concerns_one_repository_is_done_at_once_and_what_concerns_two_asks(course: Course) -> None:
    await begin(course)
    await course.at("2026-12-02 08:00:00")
    await course.settle()

    assert "would open again" in await course.write(course.assistant, "/extend all 2026-12-05 12:00")
    assert closed(course) == [True, True]
    assert "now closes" in await course.write(course.assistant, "/extend @amy 2026-12-05 12:00")
    assert closed(course) == [False, True]


async def test_one_repositorys_deadline_in_the_past_asks_too(course: Course) -> None:
    await begin(course)

    previewed = await course.write(course.assistant, "/extend @bo 2026-12-01 21:30")

    assert "This would move the deadline of `lab1-bo` from Tue 1 Dec 23:59:00 to" in previewed
    assert "1 repository (`lab1-bo`) would close now." in previewed
    assert "That has passed: it closes now." in await course.write(course.assistant, f"/confirm {code_of(previewed)}")
    assert closed(course) == [False, True]


async def test_a_draft_cannot_be_due_before_anybody_sees_it(course: Course) -> None:
    course.student("amy")
    await course.begin()
    await course.write(course.teacher, "/project create lab1 --deadline 2026-12-01 23:59 --repos lab1-*")

    assert "`E-PAST`" in await course.write(course.teacher, "/deadline 2026-11-01 12:00")


async def test_a_comment_recovered_long_after_it_was_written_asks_first(course: Course) -> None:
    await begin(course)
    course.world.hook.hold()
    course.issue.comment(course.teacher, "/deadline 2026-12-05 12:00\n/status")
    await course.at("2026-12-01 23:20:30")
    course.world.hook.release()
    await course.settle()

    said = course.issue.comments[-1].body
    assert "reached this service 20 min" in said
    assert "This would move the deadline of **lab1**" in said
    assert "state: open" in said
    assert "confused" in [it.content for it in course.issue.comments[-2].reactions]
    assert "Sat 5 Dec 2026, 12:00:00" in await course.write(course.teacher, f"/confirm {code_of(said)}")
    (row,) = await course.rows("SELECT deadline_wall FROM projects")
    assert row["deadline_wall"] == "2026-12-05 12:00:00"


async def test_a_recovered_command_that_changes_nothing_to_be_seen_shows_what_it_would_answer(course: Course) -> None:
    course.student("amy")
    await course.begin()
    course.world.hook.hold()
    course.issue.comment(course.teacher, "/project create lab1 --deadline 2026-12-05 23:59 --repos lab1-*")
    await course.at("2026-11-30 14:15:01")
    course.world.hook.release()
    await course.settle()

    said = course.issue.comments[-1].body
    assert "> **lab1** is drafted in this issue" in said
    assert not await course.rows("SELECT FROM projects")
    assert "**lab1** is drafted" in await course.write(course.teacher, f"/confirm {code_of(said)}")
    assert len(await course.rows("SELECT FROM projects")) == 1


async def test_a_recovered_beginning_of_a_course_can_be_confirmed_before_there_is_one(course: Course) -> None:
    course.world.hook.hold()
    course.issue.comment(course.owner, "/course init --timezone Europe/Zurich --staff @prog1/teachers")
    await course.at("2026-11-30 15:00:00")
    course.world.hook.release()
    await course.settle()

    said = course.issue.comments[-1].body
    assert not await course.rows("SELECT FROM courses")
    assert "now runs a course" in await course.write(course.owner, f"/confirm {code_of(said)}")


@pytest.mark.parametrize("minutes", [0, 15])
async def test_a_comment_that_came_in_time_is_done(course: Course, minutes: int) -> None:
    await begin(course)
    course.world.hook.hold()
    course.issue.comment(course.teacher, "/deadline +1d")
    await course.at(f"2026-12-01 23:{minutes:02}:00")
    course.world.hook.release()
    await course.settle()

    assert "Closes **Wed 2 Dec 2026, 23:59:00" in course.issue.comments[-1].body


async def test_a_confirmation_where_no_course_waits_for_one_is_left_alone(course: Course) -> None:
    other = course.org.repository("website").open_issue(course.teacher, "Ideas")

    assert await course.write(course.teacher, "/confirm k7d2", other) == ""

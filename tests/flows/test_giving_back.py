"""The staff hears of an outage around a deadline, and is offered a line that gives the time back, never more."""

from tests.flows.course import Course
from tests.flows.downtime import (
    PROPOSED,
    UP_AGAIN,
    confirmed,
    over_a_deadline,
    parts,
    recovered,
    student,
    waiting,
)


async def test_the_staff_reads_when_whom_and_what_was_found_also_in_the_control_issue(course: Course) -> None:
    await over_a_deadline(course)
    before = await waiting(course)
    assert "This service was down from **Tue 1 Dec 2026, 21:59:00 Europe/Zurich** (20:59:00 UTC) to **Wed 2" in before
    assert "2 repositories of lab1 had their deadline in that time. What was pushed meanwhile is being" in before
    assert "what was missed is being fetched" in await course.write(course.teacher, "/course status")

    await recovered(course)

    found = "2 pushes were found afterwards in GitHub's records, each with GitHub's own time, 1 of them in time."
    assert f"{found} If you want to give the time back: `/extend all +3h`" in await waiting(course)
    assert "what was missed has been fetched" in await course.write(course.teacher, "/course status")
    await course.a_minute_passes()
    await course.settle()
    assert found in course.issue.body
    assert "`/extend all +3h`" in course.issue.body


async def test_the_proposed_line_gives_the_time_back_from_the_deadline(course: Course) -> None:
    in_time, late = await over_a_deadline(course)
    await recovered(course)
    (line,) = PROPOSED.findall(await waiting(course))

    await confirmed(course, line)
    await course.settle()

    rows = await course.rows("SELECT DISTINCT effective_at FROM enrolments")
    assert [row[0] for row in rows] == [await course.at("2026-12-02 02:59:00")]
    await course.at(UP_AGAIN)
    assert not course.is_closed(*student(course, "bob"))
    assert course.check(student(course, "bob")[0], late).startswith("On time")
    assert "Nobody has the deadline of then any more." in await waiting(course)
    await course.at("2026-12-02 04:00:00")
    await course.settle()
    assert await parts(course) == {"lab1-amy": (True, True, in_time), "lab1-bob": (True, True, late)}


async def test_where_that_much_time_is_over_too_the_proposed_line_names_a_time_ahead(course: Course) -> None:
    await over_a_deadline(course)
    await recovered(course)
    await course.at("2026-12-02 08:00:00")
    await course.settle()
    (line,) = PROPOSED.findall(await waiting(course))
    assert line == "/extend all 2026-12-02 23:59:00"

    await confirmed(course, line)
    await course.settle()

    assert not course.is_closed(*student(course, "amy"))


async def test_only_those_whose_deadline_it_touched_and_who_still_have_it_are_named(course: Course) -> None:
    for name in ("amy", "bob", "cyd", "dan"):
        course.student(name)
    await course.open_project()
    await course.write(course.teacher, "/extend lab1-dan +5d")
    await course.at("2026-12-02 00:04:00")
    await course.outage(minutes=20)
    await course.settle()
    said = await waiting(course)
    assert "3 repositories of lab1 had their deadline in that time." in said
    assert "`/extend lab1-amy lab1-bob lab1-cyd +30m`" in said

    await confirmed(course, "/extend lab1-bob +2d")
    await course.settle()

    assert "`/extend lab1-amy lab1-cyd +30m`" in await waiting(course)


async def test_the_task_stays_until_a_person_ends_it_and_does_not_come_back(course: Course) -> None:
    await over_a_deadline(course)
    await recovered(course)
    (row,) = await course.rows("SELECT id FROM tasks WHERE done_at IS NULL")

    await course.write(course.teacher, f"/task {row['id']} done")
    await course.settle()

    assert "Nothing waits for a person." in await waiting(course)
    await course.at("2026-12-20 12:00:00")
    await course.settle()
    assert [it["id"] for it in await course.rows("SELECT id FROM tasks")] == [row["id"]]


async def test_after_14_days_nobody_is_asked_any_more(course: Course) -> None:
    await over_a_deadline(course)
    await recovered(course)
    await course.at("2026-12-16 00:58:59")
    await course.settle()
    assert "This service was down" in await waiting(course)

    await course.at("2026-12-16 00:59:01")
    await course.settle()

    assert "Nothing waits for a person." in await waiting(course)
    assert "was down" not in await course.write(course.teacher, "/course status")


async def test_where_both_parts_were_down_one_task_tells_of_both(course: Course) -> None:
    course.student("amy")
    await course.open_project()
    await course.at(UP_AGAIN)
    # The worker is up ten minutes before the rest: what it wrote is told with it as soon as that is known.
    await course.outage("worker", hours=3)
    await course.settle()
    await course.at("2026-12-02 01:09:00")
    await course.outage("web", hours=2)
    await course.settle()

    rows = await course.rows("SELECT detail FROM tasks WHERE done_at IS NULL")
    assert [(row["detail"]["part"], row["detail"]["seconds"]) for row in rows] == [("intake and work", 11_700)]

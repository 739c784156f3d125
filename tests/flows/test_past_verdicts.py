"""What was said of a commit stays on record when a deadline moves, with who moved it and by which words."""

import asyncpg
import pytest

from tests.flows.course import Course
from tests.flows.evening import begin, code_of, push
from tests.flows.test_past_deadlines import after_the_deadline, move

ROWS = """
SELECT name, sha, late, submission, round, reason, replaced_by_login
FROM past_verdicts v JOIN repositories r ON r.id = v.repository_id ORDER BY v.id"""


async def kept(course: Course) -> list[tuple[object, ...]]:
    return [tuple(row) for row in await course.rows(ROWS)]


async def test_a_commit_that_becomes_late_was_on_time_and_counted(course: Course) -> None:
    late, _ = await after_the_deadline(course)
    (first,) = {row["head_sha"] for row in await course.rows("SELECT head_sha FROM receipts")} - {late, _}

    await move(course, "2026-12-01 22:15")

    line = "/deadline 2026-12-01 22:15"
    rows = await kept(course)
    assert ("lab1-amy", late, False, True, 1, line, "tim") in rows
    assert all(row[1] != first for row in rows), "it was on time and is so still"
    assert [row[0] for row in rows] == ["lab1-amy", "lab1-bo"], "what the freeze had settled is kept for each"


async def test_a_late_commit_that_a_reopening_makes_timely_was_late(course: Course) -> None:
    await begin(course)
    await course.at("2026-12-01 23:59:00")
    await course.settle()
    await course.write(course.teacher, "/unlock @amy")
    late = await push(course, "amy", "2026-12-02 00:10:30")
    await course.at("2026-12-02 08:00:00")
    await course.settle()

    await course.write(course.teacher, "/extend @amy 2026-12-03 23:59")

    rows = [row for row in await kept(course) if row[1] == late]
    assert rows == [("lab1-amy", late, True, False, 1, "/extend @amy 2026-12-03 23:59", "tim")]


async def test_an_undo_is_a_reason_too_and_every_turn_is_kept(course: Course) -> None:
    late, _ = await after_the_deadline(course)
    await move(course, "2026-12-01 22:15")

    previewed = await course.write(course.teacher, "/undo")
    await course.write(course.teacher, f"/confirm {code_of(previewed)}")

    of_late = [(row[2], row[5]) for row in await kept(course) if row[1] == late]
    assert of_late == [(False, "/deadline 2026-12-01 22:15"), (True, "/undo")]


async def test_nothing_is_kept_where_no_verdict_changes(course: Course) -> None:
    await begin(course)

    await course.write(course.teacher, "/deadline +1d")

    assert await kept(course) == []


async def test_what_is_kept_can_neither_be_changed_nor_taken_away(course: Course) -> None:
    await after_the_deadline(course)
    await move(course, "2026-12-01 22:15")

    for statement in ("UPDATE past_verdicts SET late = true", "DELETE FROM past_verdicts"):
        with pytest.raises(asyncpg.InsufficientPrivilegeError, match="past_verdicts is append-only"):
            await course.rows(statement)

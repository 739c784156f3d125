"""`/undo` takes the last change back by its stored inverse, unless something rests on it by now."""

from tests.flows.course import Course
from tests.flows.evening import begin, closed, code_of, push, repository


async def deadline(course: Course) -> str:
    (row,) = await course.rows("SELECT deadline_wall FROM projects")
    return str(row["deadline_wall"])


async def test_a_moved_deadline_is_taken_back_and_done_again(course: Course) -> None:
    await begin(course)
    assert (await course.write(course.teacher, "/deadline +2d")).endswith("`/undo` takes this back.")

    said = await course.write(course.teacher, "/undo")
    assert "Taken back: `/deadline +2d` of `tim`." in said
    assert "Closes **Tue 1 Dec 2026, 23:59:00" in said
    assert await deadline(course) == "2026-12-01 23:59:00"

    assert "Taken back: `/undo` of `tim`." in await course.write(course.owner, "/undo")
    assert await deadline(course) == "2026-12-03 23:59:00"


async def test_an_own_deadline_and_its_end_are_taken_back_for_each_repository(course: Course) -> None:
    await begin(course)
    await course.write(course.assistant, '/extend @amy 2026-12-05 12:00 --reason "ill"')
    await course.write(course.assistant, "/extend all none")

    await course.write(course.assistant, "/undo")

    rows = await course.rows("SELECT deadline_wall, deadline_reason FROM enrolments ORDER BY repository_id")
    assert [tuple(row) for row in rows] == [("2026-12-05 12:00:00", "ill"), (None, None)]


async def test_who_may_not_give_a_command_may_not_take_it_back(course: Course) -> None:
    await begin(course)
    await course.write(course.teacher, "/deadline +2d")

    assert "`E-STAFF`" in await course.write(course.assistant, "/undo")
    assert await deadline(course) == "2026-12-03 23:59:00"


async def test_an_extension_taken_back_after_the_deadline_is_previewed_and_closes(course: Course) -> None:
    await begin(course)
    await course.at("2026-12-02 08:00:00")
    await course.settle()
    await course.write(course.assistant, "/extend @bo +2d")
    assert closed(course) == [True, False]

    previewed = await course.write(course.assistant, "/undo")
    assert "1 repository (`lab1-bo`) would close now." in previewed
    assert closed(course) == [True, False]
    await course.write(course.assistant, f"/confirm {code_of(previewed)}")

    assert closed(course) == [True, True]


async def test_a_previewed_undo_is_of_that_change_and_no_other(course: Course) -> None:
    await begin(course)
    await course.at("2026-12-02 08:00:00")
    await course.settle()
    await course.write(course.assistant, "/extend @bo +2d")
    previewed = await course.write(course.assistant, "/undo")
    await course.write(course.assistant, "/extend @bo +1d")

    said = await course.write(course.assistant, f"/confirm {code_of(previewed)}")

    assert "since the preview something has changed" in said
    (row,) = await course.rows("SELECT e.deadline_wall FROM enrolments e WHERE deadline_at IS NOT NULL")
    assert row["deadline_wall"] == "2026-12-04 23:59:00"


async def test_a_deadline_moved_into_the_past_is_taken_back_and_everything_opens_again(course: Course) -> None:
    await begin(course)
    previewed = await course.write(course.teacher, "/deadline 2026-12-01 21:30")
    await course.write(course.teacher, f"/confirm {code_of(previewed)}")
    assert closed(course) == [True, True]

    previewed = await course.write(course.teacher, "/undo")
    assert "2 repositories (`lab1-amy`, `lab1-bo`) would open again." in previewed
    assert "would be on time: `lab1-bo`" in previewed
    said = await course.write(course.teacher, f"/confirm {code_of(previewed)}")

    assert "was 30 min" in said
    assert closed(course) == [False, False]
    assert "state: open" in await course.write(course.teacher, "/status")


async def test_a_publication_that_nobody_noticed_is_taken_back(course: Course) -> None:
    course.student("amy")
    await course.open_project()

    said = await course.write(course.teacher, "/undo")

    assert "**lab1** is a draft again" in said
    assert "state: draft" in await course.write(course.teacher, "/status")
    assert "is open for 1 repository." in await course.write(course.teacher, "/undo")


async def test_a_publication_that_students_met_stays_and_says_why(course: Course) -> None:
    course.student("amy")
    await course.open_project()
    await push(course, "amy", "2026-12-01 21:00:00")

    said = await course.write(course.teacher, "/undo")

    assert "(pushes received: 1, commits with a check: 1)" in said
    assert "`E-UNDO-HAPPENED`" in said
    assert "state: open" in await course.write(course.teacher, "/status")


async def test_an_opening_time_is_taken_back(course: Course) -> None:
    course.student("amy")
    await course.begin()
    await course.write(course.teacher, "/project create lab1 --deadline 2026-12-05 23:59 --repos lab1-*")
    await course.write(course.teacher, "/publish 2026-12-01 08:00")

    assert "no longer opens by itself" in await course.write(course.teacher, "/undo")
    await course.at("2026-12-01 08:00:00")
    await course.settle()
    assert "state: draft" in await course.write(course.teacher, "/status")
    assert "`E-UNDO-CHANGED`" in await course.write(course.teacher, "/undo")


async def test_what_has_no_inverse_says_so(course: Course) -> None:
    course.student("amy")
    await course.begin()

    assert "since `/course init`, which has no undo" in await course.write(course.owner, "/undo")
    await course.write(course.teacher, "/project create lab1 --deadline 2026-12-05 23:59 --repos lab1-*")
    assert "since `/project create`, which has no undo" in await course.write(course.teacher, "/undo")


async def test_a_lock_by_hand_is_taken_back_and_several_ask_first(course: Course) -> None:
    await begin(course)
    previewed = await course.write(course.assistant, "/lock all")
    assert "2 repositories (`lab1-amy`, `lab1-bo`) would close now." in previewed
    assert closed(course) == [False, False]
    await course.write(course.assistant, f"/confirm {code_of(previewed)}")
    assert closed(course) == [True, True]

    previewed = await course.write(course.assistant, "/undo")
    await course.write(course.assistant, f"/confirm {code_of(previewed)}")

    assert closed(course) == [False, False]


async def test_an_unlock_by_hand_is_taken_back(course: Course) -> None:
    await begin(course)
    await course.at("2026-12-02 08:00:00")
    await course.settle()
    assert "`/undo` takes this back." in await course.write(course.assistant, "/unlock @amy --until +2h")
    assert closed(course) == [False, True]

    assert "as it was before on 1 repository (`lab1-amy`)" in await course.write(course.assistant, "/undo")

    assert closed(course) == [True, True]


async def test_what_was_changed_otherwise_since_is_not_taken_back(course: Course) -> None:
    await begin(course)
    await course.write(course.assistant, "/extend @amy 2026-12-05 12:00")
    amy = repository(course, "amy")
    await course.rows("UPDATE enrolments SET withdrawn_at = app_now() WHERE repository_id = $1", amy.id)

    assert "`E-UNDO-CHANGED`" in await course.write(course.assistant, "/undo")

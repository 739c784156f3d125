"""A moved deadline ends the staff's hands; taken back, it gives them back where nobody said otherwise since."""

from tests.flows.course import Course
from tests.flows.evening import begin, closed, code_of, repository

HAND = "SELECT staff_lock, staff_lock_until FROM repositories WHERE id = $1"
RESTORED = "SELECT repository_id, actor_login, detail FROM audit_log WHERE action = 'repository.hand_restored'"


async def hand(course: Course, login: str) -> tuple[object, ...]:
    """What is stored of the staff's hand on a student's repository."""
    (row,) = await course.rows(HAND, repository(course, login).id)
    return tuple(row)


async def next_morning(course: Course) -> None:
    """The deadline has closed both repositories."""
    await begin(course)
    await course.at("2026-12-02 08:00:00")
    await course.settle()


async def confirmed(course: Course, typed: str) -> str:
    """Write a wide command as a teacher, and confirm it."""
    previewed = await course.write(course.teacher, typed)
    return await course.write(course.teacher, f"/confirm {code_of(previewed)}")


async def test_an_exemption_that_an_extension_ended_is_there_again_when_that_is_taken_back(course: Course) -> None:
    await next_morning(course)
    await course.write(course.assistant, "/unlock @amy")
    await course.write(course.assistant, "/extend @amy 2026-12-03 12:00")
    assert await hand(course, "amy") == (None, None)

    previewed = await course.write(course.assistant, "/undo")
    assert "1 repository (`lab1-amy`) would stay open by hand." in previewed
    assert "would close now" not in previewed
    assert await hand(course, "amy") == (None, None)
    said = await course.write(course.assistant, f"/confirm {code_of(previewed)}")

    assert "By hand it is as it was before on 1 repository (`lab1-amy`)." in said
    assert closed(course) == [False, True]
    (row,) = await course.rows(
        "SELECT deadline_applied_at FROM enrolments WHERE repository_id = $1", repository(course, "amy").id
    )
    assert row["deadline_applied_at"] is not None
    (event,) = await course.rows(RESTORED)
    assert tuple(event) == (repository(course, "amy").id, "ada", {"stored": False})
    await course.at("2026-12-04 12:00:00")
    await course.settle()
    assert closed(course) == [False, True]


async def test_hands_come_back_with_the_projects_deadline_where_it_says_something_else_and_go_with_it_again(
    course: Course,
) -> None:
    await begin(course)
    await course.write(course.assistant, "/lock @amy")
    await course.at("2026-12-02 08:00:00")
    await course.settle()
    await course.write(course.assistant, "/unlock @bo")
    await confirmed(course, "/deadline 2026-12-03 12:00")
    assert [await hand(course, login) for login in ("amy", "bo")] == [(None, None)] * 2
    assert closed(course) == [False, False]

    for _ in range(2):
        said = await confirmed(course, "/undo")

        assert "as it was before on 1 repository (`lab1-bo`)." in said
        assert [await hand(course, login) for login in ("amy", "bo")] == [(None, None), (False, None)]
        assert closed(course) == [True, False]

        # So many comments within a minute are held back.
        await course.a_minute_passes()
        assert "By hand" not in await confirmed(course, "/undo")
        assert [await hand(course, login) for login in ("amy", "bo")] == [(None, None)] * 2
        assert closed(course) == [False, False]


async def test_an_exemption_comes_back_where_the_deadline_moved_within_the_past(course: Course) -> None:
    await next_morning(course)
    await course.write(course.assistant, "/unlock @amy")
    await confirmed(course, "/deadline 2026-12-01 23:00")
    assert closed(course) == [True, True]

    await confirmed(course, "/undo")

    assert closed(course) == [False, True]


async def test_an_exemption_until_a_time_comes_back_until_then_and_not_after_it(course: Course) -> None:
    await next_morning(course)
    await course.write(course.assistant, "/unlock @amy --until 2026-12-02 12:00")
    kept = await hand(course, "amy")
    await course.write(course.assistant, "/extend @amy 2026-12-03 12:00")

    await confirmed(course, "/undo")
    assert await hand(course, "amy") == kept
    assert closed(course) == [False, True]
    await course.write(course.assistant, "/undo")
    await course.at("2026-12-02 12:00:00")
    await course.settle()
    said = await confirmed(course, "/undo")

    assert "By hand" not in said
    assert await hand(course, "amy") == (None, None)
    assert closed(course) == [True, True]
    assert len(await course.rows(RESTORED)) == 1


async def test_what_was_said_by_hand_since_stays(course: Course) -> None:
    await next_morning(course)
    await course.write(course.assistant, "/unlock @amy")
    await course.write(course.assistant, "/extend @amy 2026-12-03 12:00")
    # By a command in another project that the repository is in.
    await course.rows("UPDATE repositories SET staff_lock = true WHERE id = $1", repository(course, "amy").id)

    said = await confirmed(course, "/undo")

    assert "By hand" not in said
    # The deadline that is back closes the repository too, so that the lock by hand has nothing more to say.
    assert await hand(course, "amy") == (None, None)
    assert closed(course) == [True, True]


async def test_an_exemption_said_since_ends_with_the_move_back_and_no_older_one_takes_its_place(course: Course) -> None:
    await next_morning(course)
    await course.write(course.assistant, "/unlock @amy")
    await course.write(course.assistant, "/extend @amy 2026-12-03 12:00")
    await course.rows("UPDATE repositories SET staff_lock = false WHERE id = $1", repository(course, "amy").id)

    await confirmed(course, "/undo")

    assert await hand(course, "amy") == (None, None)
    assert closed(course) == [True, True]


async def test_a_repository_that_left_the_project_is_not_locked_by_a_hand_of_then(course: Course) -> None:
    await begin(course)
    await course.write(course.assistant, "/lock @amy")
    await course.at("2026-12-02 08:00:00")
    await course.settle()
    await confirmed(course, "/deadline 2026-12-03 12:00")
    amy = repository(course, "amy")
    await course.rows("UPDATE enrolments SET withdrawn_at = app_now() WHERE repository_id = $1", amy.id)

    assert "Taken back: " in await confirmed(course, "/undo")

    assert await hand(course, "amy") == (None, None)
    assert closed(course) == [False, True]

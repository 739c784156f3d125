"""`/undo` of `/task`: the task waits again as it did, while what it is about lasts."""

from sandbox.issues import Issue
from tests.flows.course import Course
from tests.flows.evening import code_of
from tests.flows.test_tasks import not_confirmed, said_at

STATE = "SELECT done_at IS NULL AS open, ended, addressee_kind, addressee, addressee_id, due_at, escalate_at FROM tasks"
AUDIT = "SELECT action, actor_login, detail FROM audit_log WHERE action LIKE 'task.%' ORDER BY id"


async def state(course: Course) -> tuple[object, ...]:
    (row,) = await course.rows(STATE)
    return tuple(row)


def elsewhere(course: Course) -> Issue:
    """An issue of the staff repository that has no project."""
    return course.staff.open_issue(course.teacher, "The course")


async def test_a_task_that_was_ended_waits_again_as_it_did_and_its_people_are_reminded(course: Course) -> None:
    number = await not_confirmed(course)
    await course.write(course.teacher, f"/task {number} assign @ada")
    before = await state(course)
    said = await course.write(course.assistant, f"/task {number} done --reason seen")
    assert said.endswith("`/undo` takes this back.")

    said = await course.write(course.assistant, "/undo")

    assert f"Taken back: `/task {number} done --reason seen` of `ada`." in said
    assert f"Task {number} is open, and for `@ada` again. Due: Fri 4 Dec 00:29:00." in said
    assert await state(course) == before
    (reminder,) = await said_at(course, "2026-12-04 00:29:00")
    assert "\n@ada: this has waited" in reminder


async def test_a_refusal_is_taken_back_and_done_again_with_its_reason(course: Course) -> None:
    number = await not_confirmed(course)
    await course.write(course.teacher, f'/task {number} refuse --reason "no second review"')
    await course.write(course.owner, "/undo")

    assert f"Task {number} is refused." in await course.write(course.teacher, "/undo")

    assert (await state(course))[:2] == (False, "refused")
    assert [(event["action"], event["actor_login"]) for event in await course.rows(AUDIT)] == [
        ("task.refused", "tim"),
        ("task.opened_again", "olga"),
        ("task.refused", "tim"),
    ]
    assert [event["detail"].get("reason") for event in await course.rows(AUDIT)][::2] == ["no second review"] * 2
    assert "Nothing waits for a person." in await course.write(course.teacher, "/tasks")


async def test_a_task_that_was_given_to_somebody_is_whose_it_was(course: Course) -> None:
    number = await not_confirmed(course)
    before = await state(course)
    await course.write(course.teacher, f"/task {number} assign @ada")
    given = await state(course)

    assert f"Task {number} is open, and for staff again." in await course.write(course.teacher, "/undo")
    assert await state(course) == before
    assert f"Task {number} is open, and for `@ada` again." in await course.write(course.teacher, "/undo")
    assert await state(course) == given


async def test_it_is_taken_back_where_it_was_written_and_in_the_issue_of_its_project(course: Course) -> None:
    number = await not_confirmed(course)
    here = elsewhere(course)
    await course.write(course.teacher, f"/task {number} done", here)
    assert "since `/course init`" in await course.write(course.teacher, "/undo", elsewhere(course))
    assert "is open" in await course.write(course.teacher, "/undo", here)
    await course.write(course.teacher, f"/task {number} done", here)

    assert f"Taken back: `/task {number} done`" in await course.write(course.teacher, "/undo")

    assert (await state(course))[0] is True


async def test_it_is_not_taken_back_over_what_somebody_else_did_with_it_since(course: Course) -> None:
    number = await not_confirmed(course)
    here = elsewhere(course)
    await course.write(course.teacher, f"/task {number} assign @ada", here)
    await course.write(course.assistant, f"/task {number} done")

    said = await course.write(course.teacher, "/undo", here)

    assert f"Task {number} was ended or given to somebody again since." in said
    assert "`E-UNDO-CHANGED`" in said
    assert (await state(course))[:4] == (False, "done", "user", "ada")


async def test_what_it_was_about_may_be_over(course: Course) -> None:
    number = await not_confirmed(course)
    here = elsewhere(course)
    await course.write(course.teacher, f"/task {number} done", here)
    await course.write(course.teacher, "/deadline 2026-12-03 12:00")
    await course.settle()

    said = await course.write(course.teacher, "/undo", here)

    assert f"What task {number} was about is over." in said
    assert (await state(course))[:2] == (False, "done")


async def test_a_task_ended_by_a_comment_that_was_heard_late_is_asked_about_first(course: Course) -> None:
    number = await not_confirmed(course)
    course.world.hook.hold()
    course.issue.comment(course.assistant, f"/task {number} done")
    await course.at("2026-12-02 00:50:00")
    course.world.hook.release()
    await course.settle()

    said = course.issue.comments[-1].body
    assert f"> Task {number} is done." in said
    assert (await state(course))[0] is True
    assert f"Task {number} is done." in await course.write(course.assistant, f"/confirm {code_of(said)}")
    assert (await state(course))[:2] == (False, "done")

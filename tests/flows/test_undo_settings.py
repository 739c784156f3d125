"""`/undo` of `/course set`: what it changed and nothing else, by the rules by which it would be given anew."""

import pytest

from sandbox.issues import Issue
from tests.flows.course import Course
from tests.flows.evening import code_of
from tests.flows.midway import alone, read_mail, until_held
from tests.flows.strikes import MEMBERSHIP, fault

SETTINGS = "SELECT timezone, mode, staff_team, assistants_team, task_due, escalate_after, locks_lifted FROM courses"


async def settings(course: Course) -> tuple[object, ...]:
    (row,) = await course.rows(SETTINGS)
    return tuple(row)


async def teachers(course: Course) -> list[str]:
    return [row["login"] for row in await course.rows("SELECT login FROM staff ORDER BY login")]


def elsewhere(course: Course) -> Issue:
    """An issue of the staff repository that has no project."""
    return course.staff.open_issue(course.teacher, "The course")


async def test_settings_are_taken_back_in_any_issue_without_a_project_and_done_again(course: Course) -> None:
    await course.begin()
    before = await settings(course)
    said = await course.write(course.teacher, "/course set --timezone America/New_York --task-due never")
    assert said.endswith("`/undo` takes this back.")
    changed = await settings(course)

    said = await course.write(course.teacher, "/undo", elsewhere(course))

    assert "Taken back: `/course set --timezone America/New_York --task-due never` of `tim`." in said
    assert "Times are read and shown in Europe/Zurich now. No deadline has moved." in said
    assert "New tasks: reminded of after 2d, the owners told 7d later." in said
    assert await settings(course) == before
    assert "Taken back: `/undo` of `tim`." in await course.write(course.owner, "/undo", elsewhere(course))
    assert await settings(course) == changed
    events = await course.rows("SELECT detail FROM audit_log WHERE action = 'course.changed' ORDER BY id")
    assert [event["detail"]["timezone"]["to"] for event in events] == [
        "America/New_York",
        "Europe/Zurich",
        "America/New_York",
    ]


async def test_what_was_written_in_a_projects_issue_is_taken_back_there_and_the_project_stays(course: Course) -> None:
    course.student("amy")
    await course.open_project()
    before = await settings(course)
    assert "`/undo` takes this back." in await course.write(course.teacher, "/course set --task-due 3d")

    assert "`/course set --task-due 3d`" in await course.write(course.teacher, "/undo")

    assert await settings(course) == before
    assert "state: open" in await course.write(course.teacher, "/status")


async def test_a_projects_undo_leaves_the_course_alone_and_the_courses_undo_the_project(course: Course) -> None:
    course.student("amy")
    await course.open_project()
    await course.write(course.teacher, "/course set --task-due 3d", elsewhere(course))
    changed = await settings(course)

    assert "**lab1** is a draft again" in await course.write(course.teacher, "/undo")
    assert await settings(course) == changed
    assert "`/course set --task-due 3d`" in await course.write(course.teacher, "/undo", elsewhere(course))
    assert "state: draft" in await course.write(course.teacher, "/status")


async def test_an_undo_does_not_reach_past_the_creation_of_a_project_to_what_was_set_in_its_issue(
    course: Course,
) -> None:
    course.student("amy")
    await course.begin()
    create = "/project create lab1 --deadline 2026-12-05 23:59 --repos lab1-*"
    await course.write(course.teacher, f"/course set --task-due 3d\n{create}")
    changed = await settings(course)

    assert "since `/project create`, which has no undo" in await course.write(course.teacher, "/undo")
    assert await settings(course) == changed


async def test_only_what_was_changed_is_taken_back_and_not_what_somebody_changed_again(course: Course) -> None:
    course.student("amy")
    await course.open_project()
    await course.write(course.teacher, "/course set --timezone America/New_York")
    await course.write(course.owner, "/course set --task-due 5d", elsewhere(course))

    assert "are read and shown in Europe/Zurich" in await course.write(course.teacher, "/undo")
    assert "reminded of after 5d" in await course.write(course.teacher, "/course status")
    await course.write(course.teacher, "/course set --timezone America/New_York --escalate-after 1d")
    await course.write(course.owner, "/course set --timezone Asia/Tokyo", elsewhere(course))
    there = await settings(course)

    said = await course.write(course.teacher, "/undo")

    assert "Not done: What that command set has changed again since: the time zone." in said
    assert "`E-UNDO-CHANGED`" in said
    assert await settings(course) == there


async def test_what_changed_nothing_says_so_and_is_not_reached_past(course: Course) -> None:
    await course.begin()
    await course.write(course.teacher, "/course set --task-due 3d")
    changed = await settings(course)

    assert "`/undo`" not in await course.write(course.teacher, "/course set --task-due 3d")
    said = await course.write(course.teacher, "/undo")

    assert "`/course set --task-due 3d` changed nothing, so there is nothing to take back." in said
    assert await settings(course) == changed


async def test_who_may_not_set_it_may_not_take_it_back(course: Course) -> None:
    await course.begin()
    await course.write(course.teacher, "/course set --task-due 3d")
    changed = await settings(course)

    assert "`E-STAFF`" in await course.write(course.assistant, "/undo")
    assert await settings(course) == changed


async def test_teams_taken_back_decide_who_may_and_who_teaches_is_read_anew(course: Course) -> None:
    await course.begin()
    vera, paul = course.world.user("vera"), course.world.user("paul")
    for user in (vera, paul):
        course.org.member(user)
    course.org.team("professors", members=[vera])
    await course.write(course.teacher, "/course set --staff @prog1/professors")
    assert await teachers(course) == ["ada", "olga", "vera"]
    course.org.teams["teachers"].add(paul)
    assert "`E-STAFF`" in await course.write(course.teacher, "/undo")

    said = await course.write(vera, "/undo")

    assert "`@prog1/teachers` may do everything now." in said
    assert await teachers(course) == ["ada", "olga", "paul", "tim"]
    assert "`@prog1/professors` may do everything now." in await course.write(course.teacher, "/undo")
    assert await teachers(course) == ["ada", "olga", "vera"]


async def test_a_first_team_of_assistants_is_taken_back_to_none(course: Course) -> None:
    await course.write(course.owner, "/course init --timezone Europe/Zurich --staff @prog1/teachers")
    await course.write(course.teacher, "/course set --assistants @prog1/tas")
    assert await teachers(course) == ["ada", "olga", "tim"]

    said = await course.write(course.teacher, "/undo")

    assert "There is no team of assistants now" in said
    assert await teachers(course) == ["olga", "tim"]
    assert "`@prog1/tas` may extend" in await course.write(course.teacher, "/undo")
    assert await teachers(course) == ["ada", "olga", "tim"]


async def test_a_team_is_set_and_taken_back_and_set_again_in_one_comment(course: Course) -> None:
    await course.begin()
    course.org.team("professors", members=[course.assistant])

    said = await course.write(course.teacher, "/course set --staff @prog1/professors\n/undo\n/undo")

    assert "Not done" not in said
    assert said.count("Taken back:") == 2
    assert (await settings(course))[2] == "professors"
    assert await teachers(course) == ["ada", "olga"]


async def test_teams_of_another_command_of_the_comment_do_not_teach(course: Course) -> None:
    course.student("amy")
    await course.begin()
    course.org.team("professors", members=[course.assistant])
    create = "/project create lab1 --deadline 2026-12-05 23:59 --repos lab1-*"

    await course.write(course.teacher, f"/course set --staff @prog1/professors\n{create}")

    assert await teachers(course) == ["ada", "olga"]


@pytest.mark.parametrize(("change", "code"), [("gone", "E-TEAM"), ("another", "E-UNDO-CHANGED")])
async def test_a_team_that_is_not_there_any_more_does_not_come_back(course: Course, change: str, code: str) -> None:
    await course.begin()
    course.org.team("professors", members=[course.teacher])
    await course.write(course.teacher, "/course set --staff @prog1/professors")
    course.org.teams.pop("teachers")
    if change == "another":
        course.org.team("teachers", members=[course.teacher])

    assert f"`{code}`" in await course.write(course.teacher, "/undo")

    assert (await settings(course))[2] == "professors"
    assert await teachers(course) == ["ada", "olga", "tim"]


async def test_a_mode_is_taken_back_by_an_owner_alone(course: Course) -> None:
    amy, repo = course.student("amy")
    await course.open_project()
    await course.write(course.teacher, "/lock @amy")
    await course.write(course.owner, "/course set --mode shadow --lift --task-due 3d", elsewhere(course))
    assert not course.is_closed(repo, amy)
    shadow = await settings(course)

    assert "`E-OWNER`" in await course.write(course.teacher, "/undo", elsewhere(course))
    assert await settings(course) == shadow
    said = await course.write(course.owner, "/undo", elsewhere(course))

    assert "The course is **active**" in said
    assert "What the staff had locked or opened by hand before is not so again" in said
    assert "reminded of after 2d" in said
    assert (await settings(course))[1] == "active"
    assert not course.is_closed(repo, amy)
    await course.at("2026-12-01 23:59:00")
    await course.settle()
    assert course.is_closed(repo, amy)


async def test_a_course_is_not_active_again_while_a_deadline_has_just_passed(course: Course) -> None:
    course.student("amy")
    await course.open_project()
    await course.write(course.owner, "/course set --mode shadow", elsewhere(course))
    await course.at("2026-12-02 12:00:00")
    await course.settle()

    said = await course.write(course.owner, "/undo", elsewhere(course))

    assert "`lab1` (#1)" in said
    assert "`E-MODE`" in said
    assert (await settings(course))[1] == "shadow"


async def test_a_course_that_holds_locks_by_now_is_not_in_shadow_again_whatever_was_said_of_earlier_ones(
    course: Course,
) -> None:
    amy, repo = course.student("amy")
    await course.open_project()
    await course.write(course.owner, "/course set --mode shadow --lift", elsewhere(course))
    await course.write(course.owner, "/course set --mode active", elsewhere(course))
    await course.at("2026-12-01 23:59:00")
    await course.settle()

    said = await course.write(course.owner, "/undo", elsewhere(course))

    assert "`E-MODE-LOCKS`" in said
    assert "Write `/course set --mode shadow` with `--lift`" in said
    assert (await settings(course))[1] == "active"
    assert course.is_closed(repo, amy)


async def test_without_locks_it_is_in_shadow_again_as_it_was(course: Course) -> None:
    course.student("amy")
    await course.open_project()
    await course.write(course.owner, "/course set --mode shadow --lift", elsewhere(course))
    before = await settings(course)
    await course.write(course.owner, "/course set --mode active", elsewhere(course))

    assert "shadow mode" in await course.write(course.owner, "/undo", elsewhere(course))

    assert await settings(course) == before


async def test_an_undo_of_the_course_that_was_heard_late_asks_first(course: Course) -> None:
    await course.begin()
    await course.write(course.teacher, "/course set --staff @prog1/tas")
    course.world.hook.hold()
    course.issue.comment(course.owner, "/undo")
    await course.at("2026-11-30 14:20:00")
    course.world.hook.release()
    await course.settle()

    said = course.issue.comments[-1].body
    assert "> `@prog1/teachers` may do everything now." in said
    assert (await settings(course))[2] == "tas"
    assert "`@prog1/teachers` may do" in await course.write(course.owner, f"/confirm {code_of(said)}")
    assert await teachers(course) == ["ada", "olga", "tim"]


async def test_teams_that_change_while_an_undo_is_on_its_way_are_read_before_they_are_taken_back(pair: Course) -> None:
    await pair.begin()
    pair.org.team("professors", members=[pair.teacher])
    await pair.write(pair.teacher, "/course set --task-due 3d")
    held = fault(pair, MEMBERSHIP, hold="after")
    pair.issue.comment(pair.owner, "/undo")
    await pair.world.hook.idle()
    await read_mail(pair.services[0])
    await until_held(pair.services[0], held)

    with alone(pair, pair.services[1]):
        await pair.write(pair.teacher, "/course set --staff @prog1/professors", elsewhere(pair))
    pair.org.teams["teachers"].add(pair.world.user("paul"))
    held.release()
    await pair.settle()
    await pair.an_hour_passes()
    await pair.settle()

    assert "`@prog1/teachers` may do everything now." in pair.issue.comments[-1].body
    assert await teachers(pair) == ["ada", "olga", "paul", "tim"]

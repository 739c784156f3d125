"""What waits for a person: listed, reminded of, escalated, ended; each signal once, whoever sends it."""

import pytest

from sandbox.faults import Fault
from tests.flows.course import Course

DISPATCH = "/repos/{owner}/{repo}/dispatches"


async def not_confirmed(course: Course) -> int:
    """A review of which nobody knows whether it began, on Wed 2 Dec at 00:29; the number of its task."""
    amy, repo = course.student("amy")
    await course.open_project()
    repo.push(amy)
    await course.settle()
    course.world.faults.add(Fault(method="POST", route=DISPATCH, status=502))
    await course.at("2026-12-02 00:29:00")
    await course.settle()
    await course.settle()
    (row,) = await course.rows("SELECT id FROM tasks WHERE done_at IS NULL")
    number: int = row["id"]
    return number


async def said_at(course: Course, wall: str) -> list[str]:
    """What the bot says by itself in the control issue when this time has come."""
    before = len(course.issue.comments)
    await course.at(wall)
    await course.settle()
    return [comment.body for comment in course.issue.comments[before:]]


async def test_a_review_that_was_not_confirmed_is_a_task_of_the_staff(course: Course) -> None:
    number = await not_confirmed(course)

    said = await course.write(course.assistant, "/tasks")

    assert f"| {number} | lab1 (#1) | The review of `lab1-amy`" in said
    assert "| staff | Fri 4 Dec 00:29:00 |" in said
    assert f"| {number} |" in await course.write(course.teacher, "/tasks", course.staff.open_issue(course.teacher, "x"))


async def test_the_team_is_reminded_when_it_is_due_and_the_owners_are_told_seven_days_later(course: Course) -> None:
    number = await not_confirmed(course)
    assert await said_at(course, "2026-12-04 00:28:59") == []

    (reminder,) = await said_at(course, "2026-12-04 00:29:00")
    assert await said_at(course, "2026-12-11 00:28:59") == []
    (escalation,) = await said_at(course, "2026-12-11 00:29:00")

    assert "@prog1/teachers: this has waited for you since" in reminder
    assert "`@prog1/teachers`" not in reminder
    assert f"* **{number}** The review of `lab1-amy`" in reminder
    assert "@olga: nobody has seen to this" in escalation
    assert await said_at(course, "2027-01-11 00:29:00") == []


async def test_after_an_outage_of_any_length_each_is_said_once(course: Course) -> None:
    await not_confirmed(course)

    said = await said_at(course, "2027-02-01 08:00:00")

    assert ["@olga" in text for text in sorted(said)] == [True, False]
    assert await said_at(course, "2027-02-02 08:00:00") == []


async def test_two_processes_say_it_once(pair: Course) -> None:
    await not_confirmed(pair)

    assert len(await said_at(pair, "2026-12-04 00:29:00")) == 1


async def test_the_team_is_called_by_the_name_it_has_when_it_is_said(course: Course) -> None:
    await not_confirmed(course)
    team = course.org.teams.pop("teachers")
    team.name = "Professors"
    course.org.teams["professors"] = team

    (reminder,) = await said_at(course, "2026-12-04 00:29:00")

    assert "@prog1/professors: " in reminder


async def test_without_a_team_the_owners_are_called(course: Course) -> None:
    await not_confirmed(course)
    course.org.teams.pop("teachers")

    (reminder,) = await said_at(course, "2026-12-04 00:29:00")

    assert "@olga: this has waited" in reminder


async def test_a_task_ends_with_its_cause_and_nobody_is_reminded(course: Course) -> None:
    await not_confirmed(course)
    await course.write(course.teacher, "/deadline 2026-12-03 12:00")
    await course.settle()

    (row,) = await course.rows("SELECT ended, reminded_at FROM tasks")

    assert (row["ended"], row["reminded_at"]) == ("gone", None)
    assert "Nothing waits for a person." in await course.write(course.teacher, "/tasks")


async def test_what_a_person_has_ended_is_not_opened_again_while_its_cause_lasts(course: Course) -> None:
    number = await not_confirmed(course)

    said = await course.write(course.assistant, f"/task {number} done --reason seen on the Actions page")
    await course.settle()

    assert f"Task {number} is done." in said
    assert "Nothing waits for a person." in await course.write(course.teacher, "/tasks")
    assert await said_at(course, "2026-12-12 00:29:00") == []
    (event,) = await course.rows("SELECT actor_login, detail FROM audit_log WHERE action = 'task.done'")
    assert (event["actor_login"], event["detail"]["reason"]) == ("ada", "seen on the Actions page")


async def test_a_task_that_is_given_to_somebody_calls_that_person_as_long_as_they_teach(course: Course) -> None:
    number = await not_confirmed(course)
    assert "for `@ada` now" in await course.write(course.teacher, f"/task {number} assign @Ada")

    (reminder,) = await said_at(course, "2026-12-04 00:29:00")

    assert "\n@ada: this has waited" in reminder
    assert "@prog1/teachers" not in reminder


async def test_a_person_who_left_is_not_called_but_the_team_is(course: Course) -> None:
    number = await not_confirmed(course)
    await course.write(course.teacher, f"/task {number} assign @ada")
    course.org.teams["tas"].remove(course.assistant)

    (reminder,) = await said_at(course, "2026-12-04 00:29:00")

    assert "@prog1/teachers: this has waited" in reminder
    assert "@ada" not in reminder


@pytest.mark.parametrize(
    ("typed", "code"),
    [
        ("/task 99999 done", "E-TASK"),
        ("/task N finish", "E-TASK-WORD"),
        ("/task N assign", "E-TASK-WORD"),
        ("/task N assign @amy", "E-TEACHER"),
        ("/task N refuse", "E-REASON"),
    ],
)
async def test_what_cannot_be_done_with_a_task_is_refused_with_what_to_type(
    course: Course, typed: str, code: str
) -> None:
    number = await not_confirmed(course)

    said = await course.write(course.teacher, typed.replace("N", str(number)))

    assert f"`{code}`" in said
    (row,) = await course.rows("SELECT done_at, addressee FROM tasks")
    assert (row["done_at"], row["addressee"]) == (None, "staff")


async def test_a_task_is_refused_with_a_reason(course: Course) -> None:
    number = await not_confirmed(course)

    assert "is refused" in await course.write(course.teacher, f'/task {number} refuse --reason "no second review"')

    (row,) = await course.rows("SELECT ended FROM tasks")
    assert row["ended"] == "refused"


async def test_new_settings_are_for_new_tasks_alone(course: Course) -> None:
    await not_confirmed(course)

    said = await course.write(course.teacher, "/course set --task-due 3h --escalate-after never")

    assert "reminded of after 3h." in said
    assert "keeps its dates" in said
    assert await said_at(course, "2026-12-02 04:00:00") == []
    assert len(await said_at(course, "2026-12-04 00:29:00")) == 1


async def test_without_a_due_time_nobody_is_ever_reminded(course: Course) -> None:
    await course.begin()
    await course.write(course.teacher, "/course set --task-due never")
    amy, repo = course.student("amy")
    await course.write(course.teacher, "/project create lab1 --deadline 2026-12-01 23:59 --repos lab1-*")
    await course.write(course.teacher, "/publish")
    repo.push(amy)
    await course.settle()
    course.world.faults.add(Fault(method="POST", route=DISPATCH, status=502))
    await course.at("2026-12-02 00:29:00")
    await course.settle()

    assert await said_at(course, "2027-12-02 00:29:00") == []
    assert len(await course.rows("SELECT FROM tasks WHERE done_at IS NULL")) == 1


async def test_weak_locks_are_a_task_of_an_open_project_before_its_deadline(course: Course) -> None:
    course.org.plan = "free"
    await course.rows("UPDATE installations SET read_due_at = now()")
    course.student("amy")
    await course.open_project()
    await course.settle()

    assert "GitHub offers no organisation rulesets here" in await course.write(course.teacher, "/tasks")
    course.org.plan = "team"
    await course.rows("UPDATE installations SET read_due_at = now()")
    await course.settle()
    await course.settle()
    assert "Nothing waits" in await course.write(course.teacher, "/tasks")


async def test_locks_that_fail_for_ten_minutes_are_a_task_until_they_hold(course: Course) -> None:
    course.student("amy")
    await course.open_project()
    course.world.faults.add(Fault(method="POST", route="/orgs/{org}/rulesets", times=99, status=422))
    await course.at("2026-12-01 23:59:00")
    await course.settle()
    assert "Nothing waits" in await course.write(course.teacher, "/tasks")

    await course.at("2026-12-02 00:09:00")
    await course.settle()

    assert "Since Tue 1 Dec 23:59:00 GitHub does not take a change of locks" in await course.write(
        course.teacher, "/tasks"
    )
    course.world.faults.clear()
    await course.an_hour_passes()
    await course.settle()
    await course.settle()
    assert "Nothing waits" in await course.write(course.teacher, "/tasks")


async def draft(course: Course, deadline: str, options: str = "") -> None:
    course.student("amy")
    await course.begin()
    await course.write(course.teacher, f"/project create lab1 --deadline {deadline} --repos lab1-* {options}")


async def test_a_draft_whose_deadline_comes_near_nudges_the_staff_once_and_stays_a_draft(course: Course) -> None:
    await draft(course, "2026-12-03 23:59")
    assert await said_at(course, "2026-12-02 23:58:59") == []

    (nudge,) = await said_at(course, "2026-12-02 23:59:00")

    assert "@prog1/teachers: **lab1** is still a draft" in nudge
    assert await said_at(course, "2026-12-03 12:00:00") == []
    (row,) = await course.rows("SELECT state FROM projects")
    assert row["state"] == "draft"


async def test_two_processes_nudge_once(pair: Course) -> None:
    await draft(pair, "2026-12-03 23:59")

    assert len(await said_at(pair, "2026-12-03 00:00:00")) == 1


@pytest.mark.parametrize("options", ["--opens 2026-12-03 12:00"])
async def test_a_draft_that_opens_by_itself_nudges_nobody(course: Course, options: str) -> None:
    await draft(course, "2026-12-03 23:59", options)

    assert await said_at(course, "2026-12-03 00:00:00") == []


async def test_a_draft_made_shortly_before_its_deadline_is_left_in_its_makers_hands_for_an_hour(course: Course) -> None:
    await draft(course, "2026-11-30 20:00")
    assert await said_at(course, "2026-11-30 14:59:59") == []

    assert len(await said_at(course, "2026-11-30 15:00:00")) == 1


async def test_a_nudge_that_was_overtaken_by_the_publication_is_not_posted(course: Course) -> None:
    await draft(course, "2026-12-03 23:59")
    await course.at("2026-12-03 08:00:00")
    await course.service.ticker.tick({})
    await course.rows("UPDATE outbox SET due_at = now() + interval '30 minutes' WHERE kind = 'nudge'")
    await course.write(course.teacher, "/publish")
    await course.an_hour_passes()
    await course.settle()

    assert "still a draft" not in "".join(comment.body for comment in course.issue.comments)

"""Runs of which GitHub's news was lost are found by reading (docs/design.md section 9), as if they had been told of."""

from sandbox.actions import Workflow
from sandbox.faults import Fault
from sandbox.repository import Repository
from sandbox.user import User
from tests.flows.course import WORKFLOW, Course
from tests.flows.test_limits import FORMS, limited
from tests.flows.test_shadow import in_shadow

LIST = ("GET", "/repos/{owner}/{repo}/actions/runs")
QUIET = "2026-11-30 14:30:00"
"""Half an hour after the story begins."""

FOUND = "SELECT repository_id, detail FROM audit_log WHERE action = 'runs.reconciled' ORDER BY id"
POINTS = "SELECT run.points FROM enrolments e JOIN runs run ON (run.account_id, run.id) = (e.account_id, e.current_run)"


def push_unheard(course: Course, user: User, repo: Repository) -> None:
    """A push whose receipt we get, and no word of its run, which GitHub's log does not keep either."""
    course.world.hook.drop("workflow_run", 3)
    repo.push(user)
    course.world.hook.forget(lambda one: one.event == "workflow_run")


async def at(course: Course, wall: str) -> int:
    """The clock goes on to there; how many repositories were asked for their runs."""
    before = course.world.count(*LIST)
    await course.at(wall)
    await course.settle()
    return course.world.count(*LIST) - before


async def test_lost_runs_of_a_quiet_repository_are_taken_once(pair: Course) -> None:
    amy, repo = pair.student("amy")
    await pair.open_project()
    push_unheard(pair, amy, repo)
    repo.workflows[WORKFLOW] = Workflow(points="5/6")
    push_unheard(pair, amy, repo)
    await pair.settle()
    assert not await pair.rows("SELECT FROM runs")

    assert await at(pair, QUIET) == 1
    assert [row["points"] for row in await pair.rows("SELECT points FROM runs ORDER BY run_id")] == [4.5, 5]
    assert [row["points"] for row in await pair.rows(POINTS)] == [5]
    assert [row["detail"] for row in await pair.rows(FOUND)] == [{"listed": 2, "ingested": 2}]

    assert await at(pair, "2026-11-30 14:44:59") == 0
    assert await at(pair, "2026-11-30 14:45:00") == 1
    assert len(await pair.rows("SELECT FROM runs")) == 2
    assert len(await pair.rows(FOUND)) == 1


async def test_a_run_that_was_told_of_stays_one_row_and_is_no_news(course: Course) -> None:
    amy, repo = course.student("amy")
    await course.open_project()
    repo.push(amy)
    await course.settle()

    assert await at(course, QUIET) == 1

    (row,) = await course.rows("SELECT points, read_due_at FROM runs")
    assert (row["points"], row["read_due_at"]) == (4.5, None)
    assert not await course.rows(FOUND)


async def test_a_run_whose_end_was_lost_is_completed(course: Course) -> None:
    amy, repo = course.student("amy")
    repo.workflows[WORKFLOW] = Workflow(points="3/6", delay=None)
    await course.open_project()
    repo.push(amy)
    await course.settle()
    course.world.hook.drop("workflow_run")
    repo.runs[0].complete()
    course.world.hook.forget(lambda one: one.event == "workflow_run")
    await course.settle()
    assert await course.rows("SELECT FROM runs WHERE status <> 'completed'")

    await at(course, QUIET)

    assert [row["status"] for row in await course.rows("SELECT status FROM runs")] == ["completed"]
    assert [row["points"] for row in await course.rows(POINTS)] == [3]
    assert [row["detail"] for row in await course.rows(FOUND)] == [{"listed": 1, "ingested": 1}]


async def test_a_repository_just_pushed_to_is_not_asked(course: Course) -> None:
    amy, repo = course.student("amy")
    await course.open_project()
    await course.at("2026-11-30 14:05:00")
    repo.push(amy)
    await course.settle()

    assert await at(course, "2026-11-30 14:15:00") == 0
    assert await at(course, "2026-11-30 14:30:00") == 0
    assert await at(course, "2026-11-30 14:45:00") == 1


async def test_a_day_after_the_freeze_only_an_awaited_review_is_asked_for(course: Course) -> None:
    amy, repo = course.student("amy")
    bo, other = course.student("bo")
    await course.open_project()
    for user, one in ((amy, repo), (bo, other)):
        one.push(user)
    await course.settle()
    repo.workflows[WORKFLOW] = Workflow(points="1/6", delay=None)
    await at(course, "2026-12-02 00:29:00")
    assert len(course.reviews(repo)) == len(course.reviews(other)) == 1

    assert await at(course, "2026-12-02 23:29:00") == 2
    assert await at(course, "2026-12-03 01:29:00") == 1
    course.world.hook.drop("workflow_run")
    repo.runs[-1].complete()
    course.world.hook.forget(lambda one: one.event == "workflow_run")
    assert await at(course, "2026-12-03 02:29:00") == 1

    assert [row["repository_id"] for row in await course.rows(FOUND)] == [repo.id]
    assert await at(course, "2026-12-03 03:29:00") == 0


async def test_a_list_that_cannot_be_found_deletes_nothing(course: Course) -> None:
    amy, repo = course.student("amy")
    await course.open_project()
    repo.push(amy)
    await course.settle()
    # Asked once more with a new token.
    course.world.faults.add(Fault(*LIST, status=404, times=2))

    assert await at(course, QUIET) == 2

    (row,) = await course.rows(
        "SELECT r.gone_at, run.points FROM repositories r JOIN runs run ON run.repository_id = r.id"
    )
    assert (row["gone_at"], row["points"]) == (None, 4.5)
    await course.an_hour_passes()
    assert await at(course, QUIET) == 0
    assert await at(course, "2026-11-30 14:45:00") == 1


async def test_a_refusal_is_not_asked_about_again_before_the_next_pass(course: Course) -> None:
    amy, repo = course.student("amy")
    await course.open_project()
    push_unheard(course, amy, repo)
    await course.settle()
    course.world.faults.add(Fault(*LIST, status=403, body={"message": "Resource not accessible by integration"}))
    assert await at(course, QUIET) == 1
    await course.an_hour_passes()
    assert await at(course, QUIET) == 0

    assert await at(course, "2026-11-30 14:45:00") == 1
    assert len(await course.rows(FOUND)) == 1


async def test_a_limit_ends_the_pass_and_the_rest_is_read_once_afterwards(pair: Course) -> None:
    people = [pair.student(f"s{number:02}") for number in range(12)]
    await pair.open_project()
    for user, repo in people:
        push_unheard(pair, user, repo)
    await pair.settle()
    limited(pair, LIST, skip=1, **FORMS["403 for a minute"])

    asked = await at(pair, QUIET)
    assert asked < 12
    kept = await pair.rows(FOUND)
    assert len(kept) == asked - 1
    assert await at(pair, QUIET) == 0, "the installation pauses"
    await pair.an_hour_passes()
    assert await at(pair, QUIET) == 12 - len(kept)

    assert sorted(row["repository_id"] for row in await pair.rows(FOUND)) == [repo.id for _, repo in people]
    assert len(await pair.rows("SELECT FROM runs")) == 12


async def test_what_takes_no_part_any_more_when_the_limit_is_over_is_not_read(course: Course) -> None:
    course.student("amy")
    await course.open_project()
    limited(course, LIST, **FORMS["403 for a minute"])
    assert await at(course, QUIET) == 1
    await course.rows("UPDATE projects SET archived_at = app_now()")

    await course.an_hour_passes()

    assert await at(course, QUIET) == 0
    assert not await course.rows("SELECT FROM reconciliations WHERE due_at IS NOT NULL")


async def test_without_the_app_nothing_is_asked(course: Course) -> None:
    course.student("amy")
    await course.open_project()
    assert course.org.installation is not None
    course.org.installation.uninstall()
    await course.settle()

    assert await at(course, QUIET) == 0
    assert not await course.rows("SELECT FROM reconciliations WHERE due_at IS NOT NULL")


async def test_a_course_in_shadow_is_read_too(course: Course) -> None:
    amy, repo = course.student("amy")
    await in_shadow(course)
    push_unheard(course, amy, repo)
    await course.settle()

    assert await at(course, QUIET) == 1

    assert [row["points"] for row in await course.rows(POINTS)] == [4.5]


async def test_it_is_shown_as_housekeeping_and_can_be_paused(course: Course) -> None:
    course.student("amy")
    await course.open_project()
    await course.rows("UPDATE scheduled_tasks SET enabled = false WHERE name = 'read runs'")

    assert await at(course, QUIET) == 0
    assert "read runs (paused)" in await course.write(course.teacher, "/course status")

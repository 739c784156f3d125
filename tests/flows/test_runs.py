"""Runs and their scores: which one counts now, and which one is frozen."""

from sandbox.actions import Workflow
from tests.flows.course import WORKFLOW, Course

SCORES = """
SELECT current.points AS now, frozen.points AS frozen FROM enrolments e
LEFT JOIN runs current ON current.account_id = e.account_id AND current.id = e.current_run
LEFT JOIN runs frozen ON frozen.account_id = e.account_id AND frozen.id = e.frozen_run
"""


async def test_the_score_is_read_from_the_grade_annotation(course: Course) -> None:
    amy, repo = course.student("amy")
    await course.open_project()
    repo.push(amy)
    await course.settle()

    (row,) = await course.rows(SCORES)
    assert (row["now"], row["frozen"]) == (4.5, None)
    assert "4.5/6" in await course.write(course.teacher, "/status lab1-amy")


async def test_a_run_that_finishes_in_the_grace_on_a_commit_in_time_is_frozen(course: Course) -> None:
    amy, repo = course.student("amy")
    repo.workflows[WORKFLOW] = Workflow(points="3/6", delay=None)
    await course.open_project()
    await course.at("2026-12-01 23:58:00")
    repo.push(amy)
    await course.settle()
    await course.at("2026-12-01 23:59:00")
    await course.settle()
    (row,) = await course.rows(SCORES)
    assert (row["now"], row["frozen"]) == (None, None)

    await course.at("2026-12-02 00:10:00")
    repo.runs[-1].complete(points="5/6")
    await course.settle()
    await course.at("2026-12-02 00:29:00")
    await course.settle()

    (row,) = await course.rows(SCORES)
    assert (row["now"], row["frozen"]) == (5, 5)


async def test_a_run_that_finishes_after_the_freeze_moves_the_frozen_score_no_more(course: Course) -> None:
    amy, repo = course.student("amy")
    repo.workflows[WORKFLOW] = Workflow(points="3/6", delay=None)
    await course.open_project()
    repo.push(amy)
    await course.settle()
    await course.at("2026-12-02 00:29:00")
    await course.settle()

    repo.runs[0].complete(points="6/6")
    await course.settle()

    (row,) = await course.rows(SCORES)
    assert (row["now"], row["frozen"]) == (6, None)


async def test_a_run_on_a_late_commit_is_never_the_score(course: Course) -> None:
    amy, repo = course.student("amy")
    await course.open_project()
    await course.at("2026-12-01 23:59:01")
    repo.push(amy)
    await course.settle()

    (row,) = await course.rows(SCORES)
    assert (row["now"], row["frozen"]) == (None, None)


async def test_two_grade_annotations_void_the_score(course: Course) -> None:
    amy, repo = course.student("amy")
    repo.workflows[WORKFLOW] = Workflow(points="3/6", delay=None)
    await course.open_project()
    repo.push(amy)
    await course.settle()
    grade = {
        "path": ".github",
        "start_line": 1,
        "end_line": 1,
        "annotation_level": "notice",
        "title": "GRADE",
        "message": "6/6",
    }
    repo.runs[-1].complete(annotations=[grade, grade])
    await course.settle()

    (row,) = await course.rows("SELECT score_status, points FROM runs")
    assert (row["score_status"], row["points"]) == ("multiple", None)


async def test_a_rerun_of_an_old_attempt_never_displaces_a_newer_head(course: Course) -> None:
    amy, repo = course.student("amy")
    repo.workflows[WORKFLOW] = Workflow(points="3/6", delay=None)
    await course.open_project()
    repo.push(amy)
    await course.settle()
    repo.runs[0].complete(points="6/6")
    await course.at("2026-11-30 15:00:00")
    repo.push(amy)
    await course.settle()
    repo.runs[1].complete(points="2/6")
    await course.at("2026-11-30 16:00:00")
    repo.runs[0].rerun(amy)
    repo.runs[0].complete(points="6/6")
    await course.settle()

    (row,) = await course.rows(SCORES)
    assert row["now"] == 2


async def test_the_run_of_a_review_is_not_taken_for_the_students_own(course: Course) -> None:
    amy, repo = course.student("amy")
    await course.open_project()
    repo.push(amy)
    await course.settle()
    repo.workflows[WORKFLOW] = Workflow(points="1/6")
    await course.at("2026-12-02 00:29:00")
    await course.settle()

    (row,) = await course.rows(SCORES)
    assert (row["now"], row["frozen"]) == (4.5, 4.5)
    (run,) = await course.rows("SELECT display_title, points FROM runs WHERE event = 'repository_dispatch'")
    assert course.reviews(repo)[0].client_payload["nonce"] in run["display_title"]

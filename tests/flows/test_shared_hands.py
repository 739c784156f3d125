"""The staff's hand on a repository that several projects share speaks of the deadlines it was laid against alone."""

from sandbox.issues import Issue
from sandbox.repository import Repository
from sandbox.user import User
from tests.flows.course import Course
from tests.flows.evening import code_of

HAND = "SELECT staff_lock FROM repositories WHERE id = $1"


async def second_project(course: Course, *, publish: bool) -> Issue:
    """Another project over the same repositories, twenty days later."""
    issue = course.staff.open_issue(course.teacher, "Lab 2")
    await course.write(course.teacher, "/project create lab2 --deadline 2026-12-20 23:59 --repos lab1-*", issue)
    if publish:
        await course.write(course.teacher, "/publish", issue)
    return issue


async def closed_and_unlocked(course: Course) -> tuple[User, Repository]:
    """Amy's repository after the first deadline, open by hand."""
    amy, repo = course.student("amy")
    await course.open_project()
    await course.at("2026-12-01 23:59:00")
    await course.settle()
    await course.write(course.assistant, "/unlock @amy")
    assert not course.is_closed(repo, amy)
    return amy, repo


async def test_an_exemption_from_one_deadline_is_none_from_the_next_projects(course: Course) -> None:
    amy, repo = await closed_and_unlocked(course)
    issue = await second_project(course, publish=True)
    assert "by hand" not in await course.write(course.teacher, "/status @amy", issue)
    await course.at("2026-12-20 23:58:59")
    await course.settle()
    assert not course.is_closed(repo, amy)

    await course.at("2026-12-20 23:59:00")
    await course.settle()

    assert course.is_closed(repo, amy)


async def test_an_exemption_outlives_the_next_project_and_its_withdrawal(course: Course) -> None:
    amy, repo = await closed_and_unlocked(course)
    issue = await second_project(course, publish=True)
    await course.at("2026-12-20 23:59:00")
    await course.settle()
    assert course.is_closed(repo, amy)

    await course.write(course.teacher, "/withdraw @amy", issue)

    assert not course.is_closed(repo, amy)
    assert "by hand" in await course.write(course.teacher, "/status @amy")


async def test_the_deadline_of_a_draft_brings_no_lock_back_that_a_teacher_lifted(course: Course) -> None:
    amy, repo = await closed_and_unlocked(course)
    issue = await second_project(course, publish=False)

    for typed in ("/deadline 2026-12-21 23:59", "/extend @amy 2026-12-22 12:00"):
        await course.write(course.teacher, typed, issue)
        assert not course.is_closed(repo, amy)


async def test_a_lock_by_hand_before_one_deadline_closes_nothing_in_the_next_project(course: Course) -> None:
    amy, repo = course.student("amy")
    await course.open_project()
    await course.write(course.assistant, "/lock @amy")
    assert course.is_closed(repo, amy)
    await course.at("2026-12-01 23:59:00")
    await course.settle()
    assert course.is_closed(repo, amy)

    await second_project(course, publish=True)

    assert not course.is_closed(repo, amy)


async def test_a_lock_by_hand_that_outlasts_a_deadline_is_named_where_it_keeps_a_repository_closed(
    course: Course,
) -> None:
    amy, repo = course.student("amy")
    course.student("bo")
    await course.open_project(options="--strategy commit")
    await course.write(course.assistant, "/lock @amy")
    said = await course.write(course.assistant, "/extend @amy 2026-12-02 12:00")
    assert "(11:00:00 UTC). It is closed by hand until `/unlock`." in said
    await course.at("2026-12-02 12:00:00")
    await course.settle()
    issue = await second_project(course, publish=False)

    said = await course.write(course.teacher, "/publish", issue)

    assert "**lab2** is open for 1 repository." in said
    assert "Closed by hand until `/unlock`: `lab1-amy`." in said
    assert course.is_closed(repo, amy)


async def test_an_unlock_between_a_deadline_and_the_tick_that_applies_it_holds(course: Course) -> None:
    amy, repo = course.student("amy")
    bo, other = course.student("bo")
    await course.open_project()
    previewed = await course.write(course.teacher, "/deadline 2026-11-30 13:00")

    said = await course.write(course.teacher, f"/confirm {code_of(previewed)}\n/unlock @amy")

    assert "`lab1-amy` is open by hand" in said
    assert course.is_closed(other, bo)
    assert not course.is_closed(repo, amy)
    await course.an_hour_passes()
    await course.settle()
    assert not course.is_closed(repo, amy)


async def test_a_hand_in_a_course_in_shadow_changes_nothing_and_stops_nobody_elses_locks(course: Course) -> None:
    amy, repo = course.student("amy")
    await course.open_project()
    zed = course.world.user("zed")
    hers = course.org.repository("lab9-zed", collaborators={"zed": "write"})
    issue = course.org.repository("rehearsals").open_issue(course.teacher, "Lab 9")
    options = "--timezone Europe/Zurich --staff @prog1/teachers --assistants @prog1/tas --mode shadow"
    await course.write(course.owner, f"/course init {options}", issue)
    await course.write(course.teacher, "/project create lab9 --deadline 2026-12-20 23:59 --repos lab9-*", issue)
    await course.write(course.teacher, "/publish", issue)

    said = await course.write(course.assistant, "/lock @zed", issue)

    assert "`lab9-zed` is left as it is: this course is in shadow mode" in said
    assert [tuple(row) for row in await course.rows(HAND, hers.id)] == [(None,)]
    await course.at("2026-12-01 23:59:00")
    await course.settle()
    assert course.is_closed(repo, amy)
    assert not course.is_closed(hers, zed)


async def test_a_course_in_shadow_opens_nothing_that_another_course_closes(course: Course) -> None:
    amy, repo = course.student("amy")
    await course.open_project()
    issue = course.org.repository("rehearsals").open_issue(course.teacher, "Lab 9")
    options = "--timezone Europe/Zurich --staff @prog1/teachers --assistants @prog1/tas --mode shadow"
    await course.write(course.owner, f"/course init {options}", issue)
    await course.at("2026-12-01 23:59:00")
    await course.settle()
    await course.write(course.teacher, "/project create lab9 --deadline 2026-12-20 23:59 --repos lab1-*", issue)
    await course.write(course.teacher, "/publish", issue)

    said = await course.write(course.assistant, "/unlock @amy", issue)

    assert "`lab1-amy` is left as it is: this course is in shadow mode" in said
    assert course.is_closed(repo, amy)


async def test_what_is_said_of_hands_where_no_deadline_closes_anything_is_true(course: Course) -> None:
    amy, repo = course.student("amy")
    await course.open_project(options="--strategy commit")

    assert "is open anyway; the deadline of this project closes nothing." in await course.write(
        course.assistant, "/unlock @amy"
    )
    said = await course.write(course.assistant, "/lock @amy")
    assert "is closed by hand, until `/unlock`; its deadline stays **Tue 1 Dec 2026, 23:59:00" in said
    await course.at("2026-12-01 23:59:00")
    await course.settle()
    assert course.is_closed(repo, amy)

    said = await course.write(course.assistant, "/unlock @amy")

    assert "is open again: the lock by hand is lifted; the deadline of this project closes nothing." in said
    assert not course.is_closed(repo, amy)

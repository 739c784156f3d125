"""A course's settings: what they change, what they leave alone, and the way from shadow to active and back."""

import re
from datetime import timedelta

import pytest

from bot.sweeper import heart
from sandbox.organisation import Plan
from tests.flows.course import Course
from tests.flows.evening import code_of


async def closed(course: Course) -> None:
    await course.open_project()
    await course.at("2026-12-01 23:59:00")
    await course.settle()


async def test_another_zone_changes_how_times_are_read_and_shown_and_moves_no_instant(course: Course) -> None:
    course.student("amy")
    await course.open_project()
    instants = "SELECT deadline_at, deadline_wall, deadline_zone FROM projects"
    before = await course.rows(instants)

    said = await course.write(course.teacher, "/course set --timezone America/New_York")

    assert "No deadline has moved." in said
    assert await course.rows(instants) == before
    assert "17:59:00 America/New_York" in await course.write(course.teacher, "/status")
    assert "23:59:00 America/New_York" in await course.write(course.teacher, "/deadline 2026-12-02 23:59")


async def test_another_team_decides_who_may(course: Course) -> None:
    course.student("amy")
    await course.open_project()
    course.org.team("professors", members=[course.assistant])

    said = await course.write(course.teacher, "/course set --staff @prog1/professors")

    assert "`@prog1/professors` may do everything now." in said
    assert "`E-STAFF`" in await course.write(course.teacher, "/deadline +1d")
    assert "`E-STAFF`" not in await course.write(course.assistant, "/deadline +1d")


@pytest.mark.parametrize(
    ("typed", "code"),
    [
        ("--timezone CET", "E-ZONE"),
        ("--staff @prog1/nobody", "E-TEAM"),
        ("--task-due 3", "E-DURATION-UNIT"),
        ("--lift", "E-OPTION-NEEDED"),
        ("--mode shadow", "E-OWNER"),
    ],
)
async def test_a_setting_that_cannot_be_is_refused_and_nothing_changes(course: Course, typed: str, code: str) -> None:
    await course.begin()
    before = await course.rows("SELECT * FROM courses")

    said = await course.write(course.teacher, f"/course set --escalate-after 1d {typed}")

    assert f"`{code}`" in said
    assert await course.rows("SELECT * FROM courses") == before


async def test_from_shadow_to_active_checks_appear_and_the_deadline_closes(course: Course) -> None:
    amy, repo = course.student("amy")
    await course.write(course.owner, "/course init --timezone Europe/Zurich --staff @prog1/teachers --mode shadow")
    await course.write(course.teacher, "/project create lab1 --deadline 2026-12-01 23:59 --repos lab1-*")
    await course.write(course.teacher, "/publish")
    sha = repo.push(amy)
    await course.settle()
    assert course.check(repo, sha) == ""

    assert "is **active**" in await course.write(course.owner, "/course set --mode active")

    assert course.check(repo, sha).startswith("On time")
    (event,) = await course.rows("SELECT detail FROM audit_log WHERE action = 'course.changed'")
    assert event["detail"]["mode"] == {"from": "shadow", "to": "active"}
    assert event["detail"]["rehearsal"] == "skipped by an owner"
    await course.at("2026-12-01 23:59:00")
    await course.settle()
    assert course.is_closed(repo, amy)


async def test_a_course_does_not_become_active_while_a_deadline_has_just_passed(course: Course) -> None:
    amy, repo = course.student("amy")
    await course.write(course.owner, "/course init --timezone Europe/Zurich --staff @prog1/teachers --mode shadow")
    await course.write(course.teacher, "/project create lab1 --deadline 2026-12-01 23:59 --repos lab1-*")
    await course.write(course.teacher, "/publish")
    await course.at("2026-12-02 12:00:00")
    await course.settle()

    said = await course.write(course.owner, "/course set --mode active")

    assert "`lab1` (#1)" in said
    assert "`E-MODE`" in said
    await course.settle()
    assert not course.is_closed(repo, amy)


async def test_a_course_that_holds_locks_goes_into_shadow_only_with_a_word_on_them(course: Course) -> None:
    course.student("amy")
    await closed(course)

    assert "`E-MODE-LOCKS`" in await course.write(course.owner, "/course set --mode shadow")
    assert "`E-MODE-LOCKS`" in await course.write(course.owner, "/course set --mode shadow --lift --keep")

    (row,) = await course.rows("SELECT mode FROM courses")
    assert row["mode"] == "active"


@pytest.mark.parametrize(("plan", "private"), [("team", True), ("free", False), ("free", True)])
async def test_locks_that_are_to_be_lifted_are_lifted_whatever_kind_they_are(
    course: Course, plan: Plan, private: bool
) -> None:
    course.org.plan = plan
    amy, repo = course.student("amy")
    repo.private = private
    await closed(course)
    assert course.is_closed(repo, amy) or repo.archived

    said = await course.write(course.owner, "/course set --mode shadow --lift")
    await course.an_hour_passes()
    await course.settle()

    assert "are being lifted" in said
    assert not course.is_closed(repo, amy)
    assert not repo.archived


@pytest.mark.parametrize("project", [True, False])
async def test_more_than_one_repository_is_opened_only_once_that_is_confirmed(course: Course, project: bool) -> None:
    people = [course.student(login) for login in ("amy", "bo")]
    await closed(course)
    issue = course.issue if project else course.staff.open_issue(course.owner, "Elsewhere")

    said = await course.write(course.owner, "/course set --mode shadow --lift", issue)

    assert "its locks are being lifted (closed until now: 2)" in said
    assert all(course.is_closed(repo, user) for user, repo in people)
    await course.write(course.owner, f"/confirm {code_of(said)}", issue)
    assert not any(course.is_closed(repo, user) for user, repo in people)


async def test_a_course_is_not_active_while_a_deadline_of_one_repository_has_come(course: Course) -> None:
    amy, repo = course.student("amy")
    await course.open_project()
    await course.write(course.owner, "/course set --mode shadow")
    repo.push(amy)
    await course.settle()
    said = await course.write(course.assistant, "/extend @amy 2026-11-30 13:00")
    await course.write(course.assistant, f"/confirm {code_of(said)}")

    said = await course.write(course.owner, "/course set --mode active")
    await course.at("2026-11-30 20:00:00")
    await course.settle()

    assert "A deadline of `lab1` (#1) has passed" in said
    assert "`E-MODE`" in said
    assert not course.is_closed(repo, amy)
    assert course.reviews(repo) == []


async def test_locks_by_the_staffs_hand_are_lifted_too(course: Course) -> None:
    amy, repo = course.student("amy")
    await course.open_project()
    await course.write(course.teacher, "/lock @amy")
    assert course.is_closed(repo, amy)

    await course.write(course.owner, "/course set --mode shadow --lift")

    assert not course.is_closed(repo, amy)


async def test_locks_that_are_kept_stay_and_do_not_hinder_another_course(course: Course) -> None:
    amy, kept = course.student("amy")
    await closed(course)

    assert "stays locked" in await course.write(course.owner, "/course set --mode shadow --keep")
    await course.settle()
    assert course.is_closed(kept, amy)

    bo = course.world.user("bo")
    other = course.org.repository("ada1-bo", collaborators={"bo": "write"})
    staff = course.org.repository("other-staff").open_issue(course.teacher, "Other")
    await course.write(course.owner, "/course init --timezone Europe/Zurich --staff @prog1/teachers", staff)
    await course.write(course.teacher, "/project create ada1 --deadline 2026-12-05 12:00 --repos ada1-*", staff)
    await course.write(course.teacher, "/publish", staff)
    await course.at("2026-12-05 12:00:00")
    await course.settle()

    assert course.is_closed(other, bo)
    assert course.is_closed(kept, amy)


async def test_the_status_of_the_course_says_how_strong_the_locks_are_and_what_is_missing(course: Course) -> None:
    course.student("amy")
    await closed(course)
    await course.rows("UPDATE installations SET permissions = permissions - 'checks' || '{\"issues\": \"read\"}'")

    async with course.pool.acquire() as conn:
        await heart.beat(conn, course.service.process_id, "all", course.service.clocks)
    said = await course.write(course.teacher, "/course status")

    assert "mode: active" in said
    assert re.search(
        r"Clocks, compared with the database's: the processes' within 0\.\d s, GitHub's within \d\.\d s", said
    )
    assert "A clock is wrong" not in said
    assert "Locks: organisation rulesets (strongest)." in said
    assert "Missing permissions: `checks: write`, `issues: write`." in said
    assert "Locked now: 1 by the organisation's rulesets." in said
    assert "Open tasks: 0" in said
    assert "| purge deliveries | " in said
    assert "points in the last minute" in said


async def test_a_pause_and_a_suspended_installation_are_shown(course: Course) -> None:
    await course.begin()
    await course.rows("UPDATE scheduled_tasks SET enabled = false WHERE name = 'purge deliveries'")

    said = await course.write(course.teacher, "/course status")

    assert "purge deliveries (paused)" in said


@pytest.mark.parametrize("plan", ["team", "free"])
async def test_a_new_team_may_push_where_the_deadline_has_closed_and_the_former_one_no_longer(
    course: Course, plan: Plan
) -> None:
    course.org.plan = plan
    _, repo = course.student("amy")
    repo.private = False
    await closed(course)
    newcomer = course.world.user("nora")
    course.org.member(newcomer)
    course.org.team("professors", members=[newcomer])
    for team in ("professors", "teachers"):
        course.org.teams[team].grant(repo, "write")
    assert course.is_closed(repo, newcomer)
    assert not course.is_closed(repo, course.teacher)

    await course.write(course.teacher, "/course set --staff @prog1/professors")

    assert not course.is_closed(repo, newcomer)
    assert course.is_closed(repo, course.teacher)
    told = await course.rows("SELECT count(*) FROM audit_log WHERE action = 'repository.locked'")
    assert told[0]["count"] == 1, "it was locked all the while"


async def test_a_machine_whose_clock_is_wrong_is_named(course: Course) -> None:
    await course.begin()
    process, github = course.service.clocks()
    async with course.pool.acquire() as conn:
        await heart.beat(conn, course.service.process_id, "all", lambda: (process - timedelta(seconds=80), github))

    said = await course.write(course.teacher, "/course status")

    assert "A clock is wrong" in said
    assert "the processes' within 80." in said or "the processes' within 79." in said

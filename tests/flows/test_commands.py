"""Commands: who may give them and where, what is answered, and that each runs once."""

import pytest

from tests.flows.course import Course


async def test_every_answer_is_one_comment_with_a_rocket_on_the_command(course: Course) -> None:
    course.student("amy")
    await course.begin()

    comment = course.issue.comments[0]
    assert sorted(reaction.content for reaction in comment.reactions) == ["eyes", "rocket"]
    assert len(course.issue.comments) == 2


async def test_several_commands_in_one_comment_run_in_order_and_are_answered_in_one_reply(course: Course) -> None:
    course.student("amy")
    await course.begin()

    said = await course.write(
        course.teacher, "/project create lab1 --deadline 2026-12-01 23:59 --repos lab1-*\n/publish\n/deadline +1d"
    )

    assert len(course.issue.comments) == 4
    assert "is drafted" in said
    assert "is open" in said
    assert "Wed 2 Dec 2026, 23:59:00" in said


async def test_a_refused_command_leaves_nothing_and_the_others_of_the_comment_stand(course: Course) -> None:
    course.student("amy")
    await course.open_project()

    said = await course.write(course.teacher, "/deadline 2026-12-05 12:00\n/extend @nobody +1d")

    assert "Sat 5 Dec 2026, 12:00:00" in said
    assert "`E-WHO`" in said
    assert "-1" in [reaction.content for reaction in course.issue.comments[-2].reactions]


@pytest.mark.parametrize(
    ("typed", "code"),
    [
        ("/deadline 2026-12-01", "E-WHEN"),
        ("/deadline 2020-11-01 12:00", "E-WHEN"),
        ("/deadline 2027-03-28 02:30", "E-WHEN"),
        ("/deadline 2026-12-03 23:59 CET", "E-ZONE"),
        ("/extend @amy", "E-WORD-MISSING"),
        ("/extend @amy 03/12/2026", "E-WHEN"),
        ("/extend @zoe +1d", "E-WHO"),
        ("/deadlin +1d", "E-UNKNOWN"),
        ("/publish", "E-STATE"),
        ("/project create lab1 --deadline +1d --repos x", "E-"),
        ("/project create lab2 --deadline 2026-12-09 23:59 --repos lab2-* --colour red", "E-OPTION-UNKNOWN"),
    ],
)
async def test_an_error_has_a_code_a_reason_and_changes_nothing(course: Course, typed: str, code: str) -> None:
    course.student("amy")
    await course.open_project()
    before = await course.rows("SELECT slug, state, deadline_at FROM projects")

    said = await course.write(course.teacher, typed)

    assert "Not done:" in said
    assert f"`{code}" in said
    assert "Traceback" not in said
    assert await course.rows("SELECT slug, state, deadline_at FROM projects") == before


async def test_a_student_who_tries_is_told_who_may_and_nothing_changes(course: Course) -> None:
    amy, repo = course.student("amy")
    await course.open_project()

    said = await course.write(amy, "/extend @amy +7d", repo.open_issue(amy, "please"))

    assert "Only the teachers of this course can do that." in said
    (row,) = await course.rows("SELECT deadline_at FROM enrolments")
    assert row["deadline_at"] is None


async def test_an_assistant_may_extend_but_not_move_the_project(course: Course) -> None:
    course.student("amy")
    await course.open_project()

    assert "now closes" in await course.write(course.assistant, "/extend @amy +1d")
    assert "`E-STAFF`" in await course.write(course.assistant, "/deadline +1d")


async def test_only_an_owner_begins_a_course(course: Course) -> None:
    said = await course.write(course.teacher, "/course init --timezone Europe/Zurich --staff @prog1/teachers")

    assert "`E-OWNER`" in said
    assert not await course.rows("SELECT FROM courses")


async def test_a_teacher_who_left_the_team_may_no_longer(course: Course) -> None:
    course.student("amy")
    await course.open_project()
    course.org.teams["teachers"].remove(course.teacher)

    assert "`E-STAFF`" in await course.write(course.teacher, "/deadline +1d")


@pytest.mark.parametrize(
    "typed",
    ["> /deadline +1d", "```\n/deadline +1d\n```", "    /deadline +1d", "<!-- /deadline +1d -->", "see /home/tim"],
)
async def test_what_is_quoted_or_code_or_no_command_is_left_alone(course: Course, typed: str) -> None:
    course.student("amy")
    await course.open_project()

    assert await course.write(course.teacher, typed) == ""


async def test_an_edited_or_redelivered_comment_runs_nothing_again(course: Course) -> None:
    course.student("amy")
    await course.open_project()
    await course.write(course.teacher, "/deadline +1d")
    comment = course.issue.comments[-2]

    comment.edit(course.teacher, "/deadline +9d")
    for delivery in list(course.world.hook.log):
        if delivery.event == "issue_comment":
            course.world.hook.redeliver(delivery.guid)
    await course.settle()

    (row,) = await course.rows("SELECT deadline_wall FROM projects")
    assert row["deadline_wall"].startswith("2026-12-02")


async def test_the_bots_own_words_are_no_commands(course: Course) -> None:
    course.student("amy")
    await course.open_project()
    before = len(course.issue.comments)

    course.issue.comment(course.world.app.bot, "/deadline +1d")
    await course.settle()

    assert len(course.issue.comments) == before + 1


async def test_a_repository_that_runs_no_course_is_left_in_peace(course: Course) -> None:
    other = course.org.repository("website").open_issue(course.teacher, "Ideas")

    assert await course.write(course.teacher, "/deadline +1d", other) == ""


async def test_the_help_is_made_from_the_list_of_commands(course: Course) -> None:
    await course.begin()

    said = await course.write(course.teacher, "/help")
    assert "/extend WHO" in said
    assert "/project create SLUG" in await course.write(course.teacher, "/help project")


async def test_a_command_on_a_public_staff_repository_is_refused(course: Course) -> None:
    course.staff.private = False

    said = await course.write(course.owner, "/course init --timezone Europe/Zurich --staff @prog1/teachers")

    assert "`E-PUBLIC`" in said


async def test_what_people_wrote_pings_nobody_and_forges_no_mark(course: Course) -> None:
    course.student("amy")
    await course.open_project()

    said = await course.write(course.teacher, "/extend @everyone<!--x--> +1d")

    assert "<!--x-->" not in said.split("-->", 1)[1]


async def test_a_project_names_the_repositories_it_left_out(course: Course) -> None:
    course.student("amy")
    course.org.repository("lab1-template", template=True)
    course.org.repository("lab1-nobody")
    await course.begin()

    said = await course.write(course.teacher, "/project create lab1 --deadline 2026-12-01 23:59 --repos lab1-*")

    assert "2 repositories match `lab1-*` and are enrolled" in said
    assert "`lab1-template` (a template)" in said
    assert "Nobody works in `lab1-nobody` yet" in said


async def test_a_draft_opens_by_itself_at_its_time(course: Course) -> None:
    amy, repo = course.student("amy")
    await course.begin()
    await course.write(
        course.teacher, "/project create lab1 --deadline 2026-12-03 23:59 --repos lab1-* --opens 2026-12-01 08:00"
    )
    sha = repo.push(amy)
    await course.settle()
    assert course.check(repo, sha) == ""

    await course.at("2026-12-01 08:00:00")
    await course.settle()

    assert course.check(repo, sha).startswith("On time")
    assert "state: open" in await course.write(course.teacher, "/status")

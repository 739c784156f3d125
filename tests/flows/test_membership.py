"""Repositories are withdrawn from a project and taken back: locks, checks, reviews and judgement follow."""

from sandbox.issues import Issue
from sandbox.repository import Repository
from sandbox.user import User
from tests.flows.course import Course

DEADLINE, GRACE_OVER = "2026-12-01 23:59:00", "2026-12-02 00:29:00"


async def closed(course: Course, *logins: str) -> list[tuple[User, Repository]]:
    """An open project whose deadline has just come."""
    people = [course.student(login) for login in logins]
    await course.open_project()
    for user, repo in people:
        repo.push(user)
    await course.settle()
    await course.at(DEADLINE)
    await course.settle()
    return people


async def opened(course: Course) -> tuple[User, Repository]:
    """An open project over the repositories of Amy, returned, and of Bo."""
    amy = course.student("amy")
    course.student("bo")
    await course.open_project()
    return amy


async def confirmed(course: Course, line: str) -> str:
    """What the command answers once its preview was confirmed."""
    preview = await course.write(course.teacher, line)
    assert "/confirm " in preview, preview
    return await course.write(course.teacher, "/confirm " + preview.split("/confirm ")[1].split("`")[0])


async def test_a_withdrawn_repository_is_open_again_and_is_not_reviewed(course: Course) -> None:
    (amy, hers), (bo, his) = await closed(course, "amy", "bo")

    said = await course.write(course.teacher, "/withdraw @amy")

    assert "1 repository takes no part in **lab1** any more" in said
    assert "The lock is being lifted: `lab1-amy`." in said
    assert not course.is_closed(hers, amy)
    assert course.is_closed(his, bo)
    await course.at(GRACE_OVER)
    await course.settle()
    assert course.reviews(hers) == []
    assert len(course.reviews(his)) == 1
    assert course.check(hers, hers.head()).startswith("Not part of the assignment any more")


async def test_a_repository_withdrawn_before_its_deadline_is_never_closed_nor_judged(course: Course) -> None:
    amy, repo = await opened(course)
    await course.write(course.teacher, "/withdraw lab1-amy")
    sha = repo.push(amy)
    await course.at(GRACE_OVER)
    await course.settle()

    assert not course.is_closed(repo, amy)
    assert course.check(repo, sha) == ""
    assert "lab1-amy" not in await course.write(course.teacher, "/status all")


async def test_a_hand_laid_on_a_repository_goes_with_it(course: Course) -> None:
    amy, repo = await opened(course)
    await course.write(course.teacher, "/lock @amy")
    assert course.is_closed(repo, amy)

    await course.write(course.teacher, "/withdraw @amy")

    assert not course.is_closed(repo, amy)


async def test_a_hand_goes_also_where_the_repository_is_part_of_a_draft_besides(course: Course) -> None:
    amy, repo = await opened(course)
    await course.at(DEADLINE)
    await course.settle()
    second = course.staff.open_issue(course.teacher, "Lab 2")
    create = "/project create lab2 --deadline 2026-12-05 23:59 --repos lab1-amy"
    assert "is drafted" in await course.write(course.teacher, create, second)
    await confirmed(course, "/deadline +1d")
    await course.write(course.teacher, "/lock @amy")
    assert course.is_closed(repo, amy)
    assert [row["staff_lock"] for row in await course.rows("SELECT staff_lock FROM repositories ORDER BY id")] == [
        True,
        None,
    ]

    await course.write(course.teacher, "/withdraw @amy")

    assert not course.is_closed(repo, amy)


async def test_a_repository_taken_back_is_judged_as_if_it_had_been_there(course: Course) -> None:
    amy, repo = await opened(course)
    await course.write(course.teacher, "/withdraw @amy")
    on_time = repo.push(amy)
    await course.at(DEADLINE)
    await course.settle()
    await course.at("2026-12-02 00:00:00")
    late = repo.push(amy)
    await course.settle()

    said = await course.write(course.teacher, "/enrol lab1-amy")

    assert "1 repository takes part in **lab1** now" in said
    assert "The deadline has passed" in said
    assert course.is_closed(repo, amy)
    assert course.check(repo, late).startswith("Late by")
    await course.at(GRACE_OVER)
    await course.settle()
    assert [review.client_payload["sha"] for review in course.reviews(repo)] == [on_time]


async def test_a_review_asked_for_before_a_withdrawal_is_not_asked_for_again(course: Course) -> None:
    (_, hers), _ = await closed(course, "amy", "bo")
    await course.at(GRACE_OVER)
    await course.settle()
    assert len(course.reviews(hers)) == 1

    said = await course.write(course.teacher, "/withdraw @amy")
    assert "A review that was asked for goes on: `lab1-amy`." in said
    await course.write(course.teacher, "/enrol lab1-amy")
    await course.settle()

    assert len(course.reviews(hers)) == 1
    assert "2 review asked" in await course.write(course.teacher, "/status")


async def test_a_deadline_moved_while_a_repository_was_away_is_the_one_it_comes_back_to(course: Course) -> None:
    (amy, repo), _ = await closed(course, "amy", "bo")
    await course.write(course.teacher, "/withdraw @amy")
    await course.write(course.teacher, "/deadline +1d")
    await course.write(course.teacher, "/enrol lab1-amy")

    assert not course.is_closed(repo, amy)
    await course.at("2026-12-02 23:59:00")
    await course.settle()
    assert course.is_closed(repo, amy)


async def test_what_counts_is_settled_by_the_deadline_that_holds_when_it_comes_back(course: Course) -> None:
    (_, hers), _ = await closed(course, "amy", "bo")
    await course.at(GRACE_OVER)
    await course.settle()
    await course.write(course.teacher, "/withdraw @amy")
    await confirmed(course, "/deadline 2026-11-30 10:00")

    await course.write(course.teacher, "/enrol lab1-amy")
    await course.settle()

    assert course.check(hers, hers.head()).startswith("Late by")
    rows = await course.rows("SELECT submission_sha FROM enrolments WHERE frozen_at IS NOT NULL")
    assert [row["submission_sha"] for row in rows] == [None, None]


async def test_what_another_open_project_has_taken_meanwhile_is_left_to_it(course: Course) -> None:
    await opened(course)
    await course.write(course.teacher, "/withdraw @amy")
    second = course.staff.open_issue(course.teacher, "Lab 2")
    await course.write(course.teacher, "/project create lab2 --deadline 2026-12-05 23:59 --repos lab1-amy", second)
    await course.write(course.teacher, "/publish", second)

    said = await course.write(course.teacher, "/enrol lab1-*")

    assert "`E-NO-REPOSITORY`" in said
    assert "`lab1-amy` (in the open project lab2)" in said
    assert "`lab1-bo` (takes part already)" in said


async def test_withdrawing_more_than_one_that_is_closed_asks_first(course: Course) -> None:
    people = await closed(course, "amy", "bo")

    said = await confirmed(course, "/withdraw all")

    assert "2 repositories take no part in **lab1** any more" in said
    assert not any(course.is_closed(repo, user) for user, repo in people)
    assert "The deadline has passed" in await confirmed(course, "/enrol lab1-*")
    assert all(course.is_closed(repo, user) for user, repo in people)


async def test_a_repository_beyond_the_projects_pattern_is_enrolled_by_name(course: Course) -> None:
    course.student("amy")
    bo = course.world.user("bo")
    repo = course.org.repository("redo-bo", collaborators={"bo": "write"})
    await course.open_project()

    await course.write(course.teacher, "/enrol redo-*")
    sha = repo.push(bo)
    await course.settle()

    assert course.check(repo, sha).startswith("On time")
    await course.at(DEADLINE)
    await course.settle()
    assert course.is_closed(repo, bo)


async def test_an_undo_has_them_take_part_again_with_what_was_received_meanwhile(course: Course) -> None:
    amy, repo = await opened(course)
    await course.write(course.teacher, "/withdraw @amy")
    sha = repo.push(amy)
    await course.settle()

    assert "Who takes part is as before." in await course.write(course.teacher, "/undo")

    assert course.check(repo, sha).startswith("On time")
    await course.at(DEADLINE)
    await course.settle()
    assert course.is_closed(repo, amy)


async def test_an_undo_of_an_enrolment_withdraws_what_it_enrolled_and_no_more(course: Course) -> None:
    course.student("amy")
    bo = course.world.user("bo")
    redo = course.org.repository("redo-bo", collaborators={"bo": "write"})
    await course.open_project()
    await course.write(course.teacher, "/enrol redo-*")

    assert "1 repository takes no part" in await course.write(course.teacher, "/undo")

    await course.at(DEADLINE)
    await course.settle()
    assert not course.is_closed(redo, bo)
    assert "1 enrolled" in await course.write(course.teacher, "/status")


async def test_an_undo_of_a_withdrawal_is_refused_where_another_open_project_has_it_now(course: Course) -> None:
    await opened(course)
    await course.write(course.teacher, "/withdraw @amy")
    second = course.staff.open_issue(course.teacher, "Lab 2")
    await course.write(course.teacher, "/project create lab2 --deadline 2026-12-05 23:59 --repos lab1-amy", second)
    await course.write(course.teacher, "/publish", second)

    assert "`E-UNDO" in await course.write(course.teacher, "/undo")


async def second_project(course: Course) -> Issue:
    """Another project with Amy's repository, closed as well, half a day later."""
    issue = course.staff.open_issue(course.teacher, "Lab 2")
    await course.write(course.teacher, "/project create lab2 --deadline 2026-12-02 12:00 --repos lab1-amy", issue)
    await course.write(course.teacher, "/publish", issue)
    await course.at("2026-12-02 12:00:00")
    await course.settle()
    return issue


async def test_an_exemption_survives_a_withdrawal_that_is_taken_back(course: Course) -> None:
    (amy, repo), _ = await closed(course, "amy", "bo")
    await course.write(course.teacher, "/unlock @amy")
    await course.write(course.teacher, "/withdraw @amy")
    await course.write(course.teacher, "/undo")

    assert not course.is_closed(repo, amy)


async def test_an_exemption_given_in_another_project_survives_an_enrolment(course: Course) -> None:
    (amy, repo), _ = await closed(course, "amy", "bo")
    issue = await second_project(course)
    await course.write(course.teacher, "/withdraw @amy")
    await course.write(course.teacher, "/unlock @amy", issue)
    assert not course.is_closed(repo, amy)

    await course.write(course.teacher, "/enrol lab1-amy")

    assert not course.is_closed(repo, amy)


async def test_every_check_of_a_repository_taken_back_says_what_holds_again(course: Course) -> None:
    amy, repo = await opened(course)
    first = repo.push(amy)
    await course.settle()
    last = repo.push(amy)
    await course.settle()
    await course.write(course.teacher, "/withdraw @amy")
    assert course.check(repo, first).startswith("Not part of the assignment")

    await course.write(course.teacher, "/undo")

    assert course.check(repo, first).startswith("On time")
    assert course.check(repo, last).startswith("On time")


async def test_one_with_a_later_deadline_of_its_own_is_not_said_to_close(course: Course) -> None:
    amy, repo = await opened(course)
    await course.write(course.teacher, "/extend @amy 2026-12-05 12:00")
    await course.write(course.teacher, "/withdraw @amy")
    await course.at(DEADLINE)
    await course.settle()

    said = await course.write(course.teacher, "/enrol lab1-amy")

    assert "The deadline has passed" not in said
    assert not course.is_closed(repo, amy)


async def test_what_another_project_keeps_closed_is_not_said_to_open(course: Course) -> None:
    (amy, repo), _ = await closed(course, "amy", "bo")
    await second_project(course)

    said = await course.write(course.teacher, "/withdraw @amy")

    assert "Something else keeps closed: `lab1-amy`." in said
    assert "being lifted" not in said
    assert course.is_closed(repo, amy)


async def test_a_pattern_that_matches_nothing_is_named_beside_what_was_enrolled(course: Course) -> None:
    course.student("amy")
    course.world.user("bo")
    course.org.repository("redo-bo", collaborators={"bo": "write"})
    await course.open_project()

    said = await course.write(course.teacher, "/enrol redo-bo redo-cy")

    assert "1 repository takes part" in said
    assert "`redo-cy` (matches nothing that the App can reach)" in said


async def test_a_course_in_shadow_from_the_start_keeps_no_lock_of_another_course(course: Course) -> None:
    (amy, repo), _ = await closed(course, "amy", "bo")
    issue = course.org.repository("rehearsal").open_issue(course.owner, "Lab 1")
    for line in (
        "/course init --timezone Europe/Zurich --staff @prog1/teachers --mode shadow",
        "/project create lab1 --deadline 2026-12-05 23:59 --repos lab1-*",
        "/publish",
    ):
        await course.write(course.owner, line, issue)

    await course.write(course.teacher, "/withdraw @amy")

    assert not course.is_closed(repo, amy)


async def test_a_verdict_replaced_while_a_repository_was_away_is_kept_too(course: Course) -> None:
    (_, hers), _ = await closed(course, "amy", "bo")
    await course.at(GRACE_OVER)
    await course.settle()
    await course.write(course.teacher, "/withdraw @amy")
    await confirmed(course, "/deadline 2026-11-30 10:00")

    rows = await course.rows("SELECT late, submission FROM past_verdicts WHERE sha = $1", hers.head())

    assert [tuple(row) for row in rows] == [(False, True)]

"""A deadline moved within the past: what is closed stays closed, and what counts is judged anew from the receipts."""

from tests.flows.course import Course
from tests.flows.evening import begin, closed, code_of, push, repository


async def after_the_deadline(course: Course) -> tuple[str, str]:
    """Amy pushed at 21:00 and again at 22:30, Bo at 22:00; the deadline, the grace and the reviews are over."""
    amy, bo = await begin(course)
    amy = await push(course, "amy", "2026-12-01 22:30:30")
    await course.at("2026-12-02 08:00:00")
    await course.settle()
    return amy, bo


async def submissions(course: Course) -> list[str | None]:
    rows = await course.rows("SELECT submission_sha FROM enrolments WHERE frozen_at IS NOT NULL ORDER BY repository_id")
    return [row["submission_sha"] for row in rows]


async def move(course: Course, wall: str) -> str:
    """Move the deadline, and return the preview."""
    previewed = await course.write(course.teacher, f"/deadline {wall}")
    await course.write(course.teacher, f"/confirm {code_of(previewed)}")
    return previewed


async def test_an_earlier_deadline_settles_what_counts_anew_without_opening_anything(course: Course) -> None:
    late, bo = await after_the_deadline(course)
    assert await submissions(course) == [late, bo]
    calls = course.locking_calls()

    previewed = await move(course, "2026-12-01 22:15")

    (first,) = {row["head_sha"] for row in await course.rows("SELECT head_sha FROM receipts")} - {late, bo}
    assert f"1 commit would become late: `lab1-amy` {late[:7]} (by 15 min" in previewed
    assert f"Another commit would count: `lab1-amy` {first[:7]} instead of {late[:7]}." in previewed
    assert "The review of `lab1-amy` was asked for another commit than the one that would count" in previewed
    assert "would close" not in previewed
    assert await submissions(course) == [first, bo]
    assert closed(course) == [True, True]
    assert course.locking_calls() == calls
    assert course.check(repository(course, "amy"), late).startswith("Late by 15 min")
    assert "It is your submission" in course.check(repository(course, "amy"), first)


async def test_what_was_said_on_each_commit_between_the_deadlines_is_said_anew(course: Course) -> None:
    await begin(course)
    first = await push(course, "amy", "2026-12-01 22:20:30")
    await push(course, "amy", "2026-12-01 22:30:30")
    await course.at("2026-12-02 08:00:00")
    await course.settle()
    assert course.check(repository(course, "amy"), first).startswith("On time")

    await move(course, "2026-12-01 22:15")

    assert course.check(repository(course, "amy"), first).startswith("Late by 5 min")


async def test_the_review_of_a_round_is_not_asked_for_again_and_one_that_was_skipped_is_asked(course: Course) -> None:
    amy, bo = await after_the_deadline(course)
    await move(course, "2026-12-01 21:30")
    asked = [
        [review.client_payload["sha"] for review in course.reviews(repository(course, it))] for it in ("amy", "bo")
    ]
    assert asked == [[amy], [bo]]
    statuses = await course.rows("SELECT round, review_skipped, review_settled_at IS NULL AS due FROM enrolments")
    assert [tuple(row) for row in statuses] == [(1, None, False)] * 2

    await move(course, "2026-12-01 23:59")

    asked = [
        [review.client_payload["sha"] for review in course.reviews(repository(course, it))] for it in ("amy", "bo")
    ]
    assert asked == [[amy], [bo]]


async def test_a_commit_that_comes_in_time_by_a_later_past_deadline_gets_its_first_review(course: Course) -> None:
    course.student("amy")
    course.student("bo")
    await course.open_project()
    await course.at("2026-12-01 23:59:20")
    repository(course, "amy").push(course.world.users["amy"])
    sha = await push(course, "bo", "2026-12-01 23:59:20")
    await course.at("2026-12-02 08:00:00")
    await course.settle()
    assert await submissions(course) == [None, None]

    previewed = await move(course, "2026-12-02 00:10")

    assert "2 commits would be on time" in previewed
    assert None not in await submissions(course)
    assert [review.client_payload["sha"] for review in course.reviews(repository(course, "bo"))] == [sha]
    assert course.check(repository(course, "bo"), sha).startswith("On time")


async def test_within_the_grace_of_the_new_deadline_it_is_settled_when_that_is_over(course: Course) -> None:
    _, bo = await after_the_deadline(course)

    previewed = await course.write(course.teacher, "/deadline 2026-12-02 07:45")
    await course.write(course.teacher, f"/confirm {code_of(previewed)}")
    assert await submissions(course) == []
    assert closed(course) == [True, True]

    await course.at("2026-12-02 08:15:00")
    await course.settle()
    assert (await submissions(course))[1] == bo


async def test_a_move_within_the_past_is_audited_for_each_repository(course: Course) -> None:
    await after_the_deadline(course)

    await move(course, "2026-12-01 22:15")

    rows = await course.rows("SELECT action, actor_login FROM audit_log WHERE action LIKE 'repository.%' ORDER BY id")
    actions = [tuple(row) for row in rows]
    assert actions[-4:] == [("repository.judged_again", "tim")] * 2 + [("repository.frozen", None)] * 2


async def test_one_repositorys_own_deadline_moves_within_the_past(course: Course) -> None:
    late, bo = await after_the_deadline(course)
    previewed = await course.write(course.assistant, "/extend @amy 2026-12-01 22:15")

    said = await course.write(course.assistant, f"/confirm {code_of(previewed)}")

    assert "It stays closed and is judged again." in said
    frozen = await submissions(course)
    assert frozen[0] != late
    assert frozen[1] == bo

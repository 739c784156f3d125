"""`/evidence`: a teacher, an assistant and a student ask when pushes really arrived; others are told nothing."""

import re

from sandbox.issues import Issue
from sandbox.repository import Repository
from sandbox.user import User
from tests.flows.course import Course

ROW = re.compile(r"^\| \d+ \|.*$", re.MULTILINE)


def row(said: str, sha: str) -> str:
    """The first row of a commit in an answer."""
    return next(found.group() for found in ROW.finditer(said) if f"`{sha[:7]}`" in found.group())


def question(repo: Repository, user: User) -> Issue:
    """An issue in a student's repository."""
    return repo.open_issue(user, "When did it arrive?")


async def late_news(course: Course, user: User, repo: Repository) -> str:
    """A push ten seconds before the deadline, of which the webhook arrives three minutes later."""
    await course.at("2026-12-01 23:58:50")
    course.world.hook.hold()
    sha = repo.push(user)
    await course.at("2026-12-02 00:01:50")
    course.world.hook.release()
    await course.settle()
    return sha


async def test_a_late_webhook_shows_both_times_and_which_decided(course: Course) -> None:
    amy, repo = course.student("amy")
    await course.open_project()
    sha = await late_news(course, amy, repo)

    said = await course.write(course.teacher, "/evidence @amy")

    assert "Wed 2 Dec 2026, 00:01:4" in row(said, sha), "the arrival, in the course zone"
    assert "(Tue 1 Dec 2026, 23:01:4" in row(said, sha), "and in UTC"
    assert "**GitHub's `pushed_at` Tue 1 Dec 2026, 23:58:50 (22:58:50 UTC), decides**" in row(said, sha)
    assert "on time, 10 s before the deadline" in row(said, sha)
    assert "dates inside commits play no role" in said
    assert f"Tue 1 Dec 23.58.50 : {sha[:7]} on main by amy, on time, would count now" in said


async def test_whoever_pushed_and_however_is_told_with_the_reason(course: Course) -> None:
    amy, repo = course.student("amy")
    repo.collaborator(course.teacher, "admin")
    await course.open_project()
    first = repo.push(amy)
    hint = repo.push(course.teacher, message="a hint")
    generated = repo.push(course.world.actions_bot, message="generated")
    side = repo.push(amy, branch="fix|`x`@prog1/tas;<!--")
    await course.settle()
    await course.at("2026-11-30 15:00:00")
    repo.push(amy, to_sha=first, force=True)
    await course.settle()

    said = await course.write(course.assistant, "/evidence lab1-amy")

    assert "`amy` (student)" in row(said, first)
    assert row(said, hint).endswith("| `tim` (staff) | does not count: pushed by staff |")
    assert "does not count: pushed by GitHub Actions" in row(said, generated)
    assert "does not count: this branch does not count for the project" in row(said, side)
    assert len([line for line in ROW.findall(said) if f"`{first[:7]}`" in line]) == 2
    (back,) = [line for line in ROW.findall(said) if "came back" in line]
    assert f"`{first[:7]}`<br>`main`<br>forced<br>came back" in back
    assert "<!--" not in said.split("\n", 1)[1]


async def test_what_was_settled_and_what_a_teacher_replaced_is_told(course: Course) -> None:
    amy, repo = course.student("amy")
    await course.open_project()
    sha = await late_news(course, amy, repo)
    await course.at("2026-12-02 00:29:00")
    await course.settle()
    settled = await course.write(course.teacher, "/evidence @amy")
    await course.write(course.teacher, "/extend @amy 2026-12-03 23:59 --reason ill")

    told = await course.write(course.teacher, "/evidence @amy")
    own = await course.write(amy, "/evidence", question(repo, amy))

    assert "**submission**: on time, 10 s before the deadline" in row(settled, sha)
    assert "Wed 2 Dec 00.29.00 : settled" in settled
    assert "`/extend @amy 2026-12-03 23:59 --reason ill` by `tim`" in told
    assert "changed by your teachers" in own
    assert "ill" not in own.split("Verdicts that were replaced")[1]


async def test_many_pushes_are_folded(course: Course) -> None:
    amy, repo = course.student("amy")
    await course.open_project()
    pushed = [repo.push(amy) for _ in range(6)]
    await course.settle()

    said = await course.write(course.teacher, "/evidence")

    assert "<details><summary>The pushes of lab1-amy: 6</summary>" in said
    assert all(row(said, sha) for sha in pushed)


async def test_without_who_few_are_all_shown_and_of_many_it_says_what_to_type(course: Course) -> None:
    for number in range(10):
        course.student(f"s{number}")
    await course.open_project()
    few = await course.write(course.teacher, "/evidence")
    course.student("amy")
    await course.settle()

    many = await course.write(course.teacher, "/evidence")
    named = await course.write(course.teacher, "/evidence lab1-*")

    assert few.count("No push of it was heard of.") == 10
    assert "has 11 repositories, and at most 10 are shown at once. Write whose" in many
    assert "`E-WHO-MANY`" in named
    assert "Narrow it down to some of `lab1-amy`" in named


async def test_elsewhere_in_the_staff_repository_no_project_is_known(course: Course) -> None:
    course.student("amy")
    await course.open_project()
    other = course.staff.open_issue(course.teacher, "Chat")

    assert "`E-NO-PROJECT`" in await course.write(course.teacher, "/evidence @amy", other)


async def test_a_student_asks_in_the_own_repository_and_is_told_of_that_alone(course: Course) -> None:
    amy, repo = course.student("amy")
    bo, other = course.student("bo")
    await course.open_project()
    mine, theirs = repo.push(amy), other.push(bo)
    await course.settle()
    issue = question(repo, amy)

    for line in ("/evidence", "/evidence lab1-amy", "/evidence @amy"):
        said = await course.write(amy, line, issue)
        assert "`amy` (student)" in row(said, mine)
        assert theirs[:7] not in said
        assert "lab1-bo" not in said
    status = await course.write(amy, "/status", issue)
    assert f"Not settled yet: `{mine[:7]}`, received" in status
    assert "**lab1** closes **Tue 1 Dec 2026, 23:59:00 Europe/Zurich** (22:59:00 UTC)" in status
    assert "bo" not in status


async def test_a_student_who_asks_about_another_is_refused_kindly(course: Course) -> None:
    amy, repo = course.student("amy")
    bo, other = course.student("bo")
    await course.open_project()
    other.push(bo)
    await course.settle()
    issue = question(repo, amy)

    for who in ("lab1-bo", "@bo", "all", "lab1-*", "lab1-amy @bo", "lab1-nobody"):
        for command in ("/evidence", "/status"):
            said = await course.write(amy, f"{command} {who}", issue)
            assert "is not this repository, and only this one is shown here" in said
            assert "student" not in said


async def test_staff_may_ask_there_too_and_a_stranger_may_not(course: Course) -> None:
    amy, repo = course.student("amy")
    bo, _ = course.student("bo")
    await course.open_project()
    sha = repo.push(amy)
    await course.settle()
    issue = question(repo, amy)

    for teacher in (course.owner, course.teacher, course.assistant):
        assert row(await course.write(teacher, "/evidence", issue), sha)
    for stranger in (bo, course.world.user("mallory")):
        for command in ("/evidence", "/status", "/evidence @amy", "/evidence --nonsense"):
            said = await course.write(stranger, command, issue)
            assert "Only the students of this repository and the teachers of its course can ask that here." in said
            assert sha[:7] not in said


async def test_a_student_is_who_works_there_now_by_the_number_of_the_account(course: Course) -> None:
    amy, repo = course.student("amy")
    cleo = course.world.user("cleo")
    await course.open_project()
    sha = repo.push(amy)
    await course.settle()
    issue = question(repo, amy)
    course.world.hook.drop("member")
    repo.collaborator(amy, None)
    repo.collaborator(cleo, "write")

    assert "`E-STUDENT`" in await course.write(amy, "/evidence", issue)
    assert row(await course.write(cleo, "/evidence", issue), sha)


async def test_a_student_of_a_public_repository_is_answered_there(course: Course) -> None:
    amy, repo = course.student("amy")
    await course.open_project()
    sha = repo.push(amy)
    repo.private = False
    await course.settle()

    assert row(await course.write(amy, "/evidence", question(repo, amy)), sha)


async def test_a_draft_is_not_shown_to_students(course: Course) -> None:
    amy, repo = course.student("amy")
    await course.begin()
    await course.write(course.teacher, "/project create lab1 --deadline 2026-12-01 23:59 --repos lab1-*")
    sha = repo.push(amy)
    await course.settle()
    issue = question(repo, amy)

    for command in ("/evidence", "/status"):
        assert "This repository takes part in no assignment" in await course.write(amy, command, issue)
    assert row(await course.write(course.teacher, "/evidence"), sha)

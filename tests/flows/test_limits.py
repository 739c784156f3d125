"""All processes together keep GitHub's limits; where GitHub asks for silence all keep it, and nothing is lost."""

from datetime import timedelta
from typing import Any

import pytest

from sandbox.faults import Fault
from sandbox.organisation import Organisation
from sandbox.repository import Repository
from sandbox.secondary_limits import TOO_MUCH
from sandbox.user import User
from tests.flows.course import Course

LOCK = ("POST", "/orgs/{org}/rulesets")
DISPATCH = ("POST", "/repos/{owner}/{repo}/dispatches")
CHECK = ("POST", "/repos/{owner}/{repo}/check-runs")
COMMENT = ("POST", "/repos/{owner}/{repo}/issues/{issue_number}/comments")
STUDENTS = ("GET", "/repos/{owner}/{repo}/collaborators")

SECONDARY: dict[str, Any] = {"body": {"message": TOO_MUCH}}
PRIMARY: dict[str, Any] = {"body": {"message": "API rate limit exceeded for installation ID 1."}}
AN_HOUR = {"x-ratelimit-remaining": "0", "x-ratelimit-limit": "5000"}


FORMS: dict[str, dict[str, Any]] = {
    "403 for a minute": SECONDARY | {"status": 403, "headers": {"retry-after": "60"}},
    "429 for a minute": SECONDARY | {"status": 429, "headers": {"retry-after": "60"}},
    "403 without a time": SECONDARY | {"status": 403},
    "429 without a time": SECONDARY | {"status": 429},
    "403 until the reset": PRIMARY | {"status": 403, "headers": AN_HOUR},
    "429 until the reset": PRIMARY | {"status": 429, "headers": AN_HOUR},
}
STRIKES = [(DISPATCH, form) for form in FORMS] + [
    (LOCK, "403 for a minute"),
    (LOCK, "429 until the reset"),
    (CHECK, "429 without a time"),
    (COMMENT, "403 without a time"),
    (STUDENTS, "403 until the reset"),
]


def limited(course: Course, call: tuple[str, str], **how: Any) -> Fault:
    """The next such call runs into a limit; a reset lies ten minutes ahead of GitHub's clock."""
    headers = dict(how.pop("headers", {}))
    if "x-ratelimit-remaining" in headers:
        headers["x-ratelimit-reset"] = str(int(course.world.clock.now().timestamp()) + 600)
    return course.world.faults.add(Fault(method=call[0], route=call[1], headers=headers, **how))


async def pushed(course: Course, count: int) -> list[tuple[User, Repository]]:
    """An open project over so many repositories, each pushed to once."""
    people = [course.world.user(f"s{number:03}") for number in range(count)]
    repos = [course.org.repository(f"lab1-{user.login}", collaborators={user.login: "write"}) for user in people]
    await course.open_project()
    for user, repo in zip(people, repos, strict=True):
        repo.push(user)
    return list(zip(people, repos, strict=True))


async def at_rest(course: Course) -> None:
    """Minutes of real time pass until nobody has anything left to do."""
    seen = -1
    while seen != len(course.world.calls):
        seen = len(course.world.calls)
        await course.a_minute_passes()
        await course.settle()


@pytest.mark.parametrize(("call", "form"), STRIKES, ids=lambda value: value if isinstance(value, str) else value[1])
async def test_a_limit_silences_every_process_and_what_waited_is_done_once_afterwards(
    pair: Course, call: tuple[str, str], form: str
) -> None:
    people = [pair.student(login) for login in ("amy", "bo", "cy")]
    await pair.open_project()
    fault = limited(pair, call, **FORMS[form])
    for user, repo in people:
        repo.push(user)
    people[0][1].rename("lab1-renamed")
    pair.issue.comment(pair.teacher, "/status")
    await pair.at("2026-12-02 00:29:00")
    await pair.settle()
    assert fault not in pair.world.faults.pending
    asked = len(pair.world.calls)

    pair.issue.comment(pair.teacher, "/status")
    await pair.settle()
    assert len(pair.world.calls) == asked, "nothing is sent while the installation pauses"
    await pair.an_hour_passes()
    await pair.settle()

    for user, repo in people:
        assert pair.is_closed(repo, user)
        assert len(pair.reviews(repo)) == 1
        assert pair.check(repo, repo.head()).startswith("On time")
    answers = [comment for comment in pair.issue.comments if "state: " in comment.body]
    assert len(answers) == 2
    assert not await pair.rows("SELECT FROM audit_log WHERE action = 'review.refused'")


async def test_a_pause_lasts_as_long_as_github_asked_for(course: Course) -> None:
    amy, repo = course.student("amy")
    await course.open_project()
    limited(course, CHECK, status=403, headers={"retry-after": "100"}, **SECONDARY)
    repo.push(amy)
    await course.settle()
    (row,) = await course.rows("SELECT extract(epoch FROM paused_until - now())::float AS seconds FROM installations")
    assert 60 < row["seconds"] <= 100

    await course.a_minute_passes()
    await course.settle()
    assert course.check(repo, repo.head()) == ""
    await course.a_minute_passes()
    await course.settle()

    assert course.check(repo, repo.head()).startswith("On time")


async def second_course(course: Course) -> tuple[Organisation, User, Repository]:
    """Another organisation with a course and an open project of the same names."""
    other = course.world.organisation("prog2")
    other.owner(course.owner)
    other.team("teachers", members=[])
    staff = other.repository("staff")
    user = course.world.user("zoe")
    repo = other.repository("lab1-zoe", collaborators={"zoe": "write"})
    other.install(course.world.app)
    await course.settle()
    issue = staff.open_issue(course.owner, "Lab 1")
    for line in (
        "/course init --timezone Europe/Zurich --staff @prog2/teachers",
        "/project create lab1 --deadline 2026-12-01 23:59 --repos lab1-*",
        "/publish",
    ):
        await course.write(course.owner, line, issue)
    return other, user, repo


async def test_another_organisation_goes_on_while_one_pauses(pair: Course) -> None:
    amy, repo = pair.student("amy")
    await pair.open_project()
    _, zoe, elsewhere = await second_course(pair)
    repo.push(amy)
    elsewhere.push(zoe)
    await pair.settle()
    limited(pair, COMMENT, status=429, headers={"retry-after": "600"}, **SECONDARY)
    await pair.write(pair.teacher, "/status")

    await pair.at("2026-12-02 00:29:00")
    await pair.settle()

    assert elsewhere.refusal(zoe) is not None
    assert len(pair.reviews(elsewhere)) == 1
    assert not pair.is_closed(repo, amy)
    assert not pair.reviews(repo)
    await pair.an_hour_passes()
    await pair.settle()
    assert pair.is_closed(repo, amy)
    assert len(pair.reviews(repo)) == 1


async def three_hundred_close_under_enforced_limits(pair: Course) -> None:
    """Deadlines come first, whatever else is to be said; told in tests/soak/."""
    pair.world.limits.enforce()
    people = await pushed(pair, 300)
    for _ in range(5):
        pair.issue.comment(pair.teacher, "/status")
    # The sandbox answers at once; so that calls overlap, as they do on the way to GitHub, the first are slow.
    pair.world.faults.add(Fault(delay=0.02, times=400))

    await pair.at("2026-12-02 00:29:00")
    await pair.settle()
    assert all(pair.is_closed(repo, user) for user, repo in people), "the locks go out before all else"
    await at_rest(pair)

    assert not pair.world.limits.violations
    assert pair.org.installation is not None
    assert 4 < pair.world.limits.spending[pair.org.installation.id].most_at_once <= 100
    assert [len(pair.reviews(repo)) for _, repo in people] == [1] * 300
    assert all(pair.check(repo, repo.head()) for _, repo in people)
    assert sum("state: " in comment.body for comment in pair.issue.comments) == 5
    assert last(pair, DISPATCH) < last(pair, CHECK)


def last(course: Course, call: tuple[str, str]) -> int:
    """When the last such call came, counted in calls."""
    return course.world.asked(*call)[-1].number


async def test_a_spent_budget_leaves_room_for_a_lock(pair: Course) -> None:
    people = await pushed(pair, 40)
    pair.world.limits.enforce()
    await pair.settle()
    second = "floor(extract(epoch FROM clock_timestamp()))::bigint"
    await pair.rows("UPDATE installations SET points_by_second = DEFAULT")
    await pair.rows(f"UPDATE installations SET budget_at = {second}, points_by_second[{second} % 65 + 1] = 860")

    await pair.at("2026-12-01 23:59:00")
    pair.issue.comment(pair.teacher, "/status")
    await pair.settle()

    assert all(pair.is_closed(repo, user) for user, repo in people)
    assert not any("state: closed" in comment.body for comment in pair.issue.comments)
    await at_rest(pair)
    assert any("state: closed" in comment.body for comment in pair.issue.comments)


async def comments_keep_to_what_github_allows(course: Course) -> None:
    """Four hundred and more of them, told in tests/soak/."""
    course.student("amy")
    await course.open_project()
    await half_an_hour_ago(course, 400)
    course.world.limits.enforce()
    before = course.world.count(*COMMENT)
    for _ in range(120):
        course.issue.comment(course.teacher, "/status")

    posted = []
    for _ in range(5):
        await course.settle()
        posted.append(course.world.count(*COMMENT) - before)
        await course.a_minute_passes()
    assert posted[0] <= 80
    assert 90 <= posted[-1] <= 100
    await course.an_hour_passes()
    await at_rest(course)

    assert not course.world.limits.violations
    assert sum("state: " in comment.body for comment in course.issue.comments) == 120


async def half_an_hour_ago(course: Course, comments: int) -> None:
    """So many comments were made, as GitHub and the installation's row count them."""
    assert course.org.installation is not None
    spending = course.world.limits.spending[course.org.installation.id]
    spending.contents.extend([course.world.clock.real() - timedelta(minutes=30)] * comments)
    await course.rows("UPDATE installations SET content_by_minute[(budget_at / 60 - 30) % 62 + 1] = $1", comments)

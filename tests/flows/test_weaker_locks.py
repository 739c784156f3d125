"""Where the organisation's set cannot exist: rulesets of the repository's own, and only behind them the archive."""

from typing import Any

import pytest

from sandbox.faults import Fault
from sandbox.repository import Repository
from sandbox.user import User
from tests.flows.course import Course
from tests.flows.test_deadline_commits import protect

FACTS = "SELECT lock_kind, rulesets, locked_at, lock_verified_at FROM repositories"
OWN = ("POST", "/repos/{owner}/{repo}/rulesets")


async def begun(course: Course) -> tuple[User, Repository]:
    """An open project over a public repository, on a plan without organisation rulesets."""
    course.org.plan = "free"
    amy, repo = course.student("amy")
    repo.private = False
    await course.open_project()
    return amy, repo


async def closed(course: Course) -> None:
    await course.at("2026-12-01 23:59:00")
    await course.settle()


async def test_a_public_repository_on_the_free_plan_is_closed_by_rulesets_of_its_own(course: Course) -> None:
    amy, repo = await begun(course)

    await closed(course)

    assert course.is_closed(repo, amy)
    assert not repo.archived
    assert {ruleset.target for ruleset in repo.rulesets.values()} == {"branch", "tag"}
    (row,) = await course.rows(FACTS)
    assert (row["lock_kind"], row["rulesets"]) == ("repository", 2)
    assert row["lock_verified_at"] is not None
    said = await course.write(course.teacher, "/status")
    assert "1 locked by rulesets of their own" in said
    assert "Upgrade to GitHub Team" in said


async def test_a_private_repository_on_the_free_plan_is_archived_and_the_staff_are_told(course: Course) -> None:
    course.org.plan = "free"
    amy, repo = course.student("amy")
    await course.open_project()
    repo.push(amy)
    await course.settle()

    await closed(course)

    assert repo.archived
    (row,) = await course.rows(FACTS)
    assert (row["lock_kind"], row["locked_at"]) == ("archive", course.world.clock.now())
    told = await course.rows("SELECT detail FROM audit_log WHERE action = 'repository.locked'")
    assert [event["detail"]["by"] for event in told] == ["archive"]
    said = await course.write(course.teacher, "/status")
    assert "1 archived as their lock" in said
    assert "GitHub takes no comment, check or review there" in said
    await course.at("2026-12-02 00:29:00")
    await course.settle()
    assert not course.reviews(repo)
    (event,) = await course.rows("SELECT detail FROM audit_log WHERE action = 'review.skipped'")
    assert event["detail"] == {"reason": "archived"}


async def test_a_ruleset_of_the_teachers_own_does_not_keep_a_repository_from_the_archive(course: Course) -> None:
    course.org.plan = "free"
    _, repo = course.student("amy")
    await course.open_project()
    kept = protect(course, repo, "refs/heads/main")

    await closed(course)
    archived = [repo.archived]
    assert list(repo.rulesets) == [kept.id]
    await course.write(course.assistant, "/extend @amy +2d")

    assert [*archived, repo.archived] == [True, False]
    assert list(repo.rulesets) == [kept.id]


async def test_an_archived_repository_is_brought_back_first_and_speaks_again(course: Course) -> None:
    course.org.plan = "free"
    amy, repo = course.student("amy")
    await course.open_project()
    sha = repo.push(amy)
    await course.settle()
    await course.at("2026-12-02 00:29:00")
    await course.settle()

    await course.write(course.assistant, "/extend @amy +2d")

    assert not repo.archived
    assert not course.is_closed(repo, amy)
    (row,) = await course.rows(FACTS)
    assert (row["lock_kind"], row["locked_at"]) == (None, None)
    assert "You can push until" in course.check(repo, sha)
    await course.write(course.assistant, "/unlock @amy")
    await course.at("2026-12-04 00:29:00")
    await course.settle()
    assert repo.archived


async def test_a_review_skipped_for_the_archive_is_asked_for_when_it_is_opened_by_hand(course: Course) -> None:
    course.org.plan = "free"
    amy, repo = course.student("amy")
    await course.open_project()
    sha = repo.push(amy)
    await course.settle()
    await closed(course)
    await course.at("2026-12-02 00:29:00")
    await course.settle()
    assert not course.reviews(repo)

    await course.write(course.assistant, "/unlock @amy")

    assert [review.client_payload["sha"] for review in course.reviews(repo)] == [sha]


@pytest.mark.parametrize("status", [500, 502, 429])
async def test_the_archive_is_never_the_answer_to_a_failure_or_a_limit(course: Course, status: int) -> None:
    amy, repo = await begun(course)
    body = {"message": "You have exceeded a secondary rate limit."}
    course.world.faults.add(Fault(method=OWN[0], route=OWN[1], status=status, body=body, headers={"retry-after": "30"}))

    await closed(course)
    assert not repo.archived
    await course.an_hour_passes()
    await course.settle()

    assert course.is_closed(repo, amy)
    assert not repo.archived
    assert len(repo.rulesets) == 2


@pytest.mark.parametrize("how", [{"drop": "after"}, {"drop": "before"}, {"status": 502, "after_effect": True}])
async def test_an_own_ruleset_whose_answer_is_lost_is_found_by_its_name(course: Course, how: dict[str, Any]) -> None:
    amy, repo = await begun(course)
    course.world.faults.add(Fault(method=OWN[0], route=OWN[1], **how))

    await closed(course)
    await course.an_hour_passes()
    await course.settle()

    assert course.is_closed(repo, amy)
    assert len(repo.rulesets) == 2


async def test_one_repositorys_failure_does_not_keep_the_others_open(course: Course) -> None:
    course.org.plan = "free"
    people = [course.student(login) for login in ("amy", "bo", "cy")]
    for _, repo in people:
        repo.private = False
    await course.open_project()
    refusal = {"message": "Resource not accessible by integration"}
    course.world.faults.add(Fault(method=OWN[0], route=OWN[1], status=403, body=refusal))

    await closed(course)

    assert sum(course.is_closed(repo, user) for user, repo in people) == 2
    assert "The last try failed" in await course.write(course.teacher, "/status")
    await course.an_hour_passes()
    await course.settle()
    assert all(course.is_closed(repo, user) for user, repo in people)


async def test_a_downgraded_plan_lets_the_weaker_locks_take_over(course: Course) -> None:
    amy, repo = course.student("amy")
    bo, other = course.student("bo")
    for one in (repo, other):
        one.private = False
    await course.open_project()
    await course.write(course.assistant, "/extend @bo 2026-12-03 12:00")
    await closed(course)
    assert course.is_closed(repo, amy)

    course.org.plan = "free"
    await course.at("2026-12-03 12:00:00")
    await course.settle()

    assert course.is_closed(other, bo)
    assert course.is_closed(repo, amy)
    assert [row["lock_kind"] for row in await course.rows(FACTS)] == ["repository", "repository"]


@pytest.mark.parametrize("private", [False, True])
async def test_an_upgraded_plan_takes_over_what_a_weaker_lock_holds_without_opening_it(
    course: Course, private: bool
) -> None:
    course.org.plan = "free"
    amy, repo = course.student("amy")
    repo.private = private
    await course.open_project()
    await closed(course)
    assert repo.archived is private
    assert bool(repo.rulesets) is not private
    before = len(course.world.calls)

    course.org.plan = "team"
    await course.rows("UPDATE installations SET read_due_at = now()")
    await course.settle()

    assert course.rulesets() == [{repo.id}] * 2
    assert not repo.archived
    assert not repo.rulesets
    assert course.is_closed(repo, amy)
    writes = [call.route for call in course.world.calls[before:] if call.mutating and "check-runs" not in call.route]
    assert [route.startswith("/orgs/") for route in writes[:2]] == [True, True], "named there before it is let go here"
    (row,) = await course.rows(FACTS)
    assert (row["lock_kind"], row["rulesets"]) == ("organisation", 2)
    assert row["lock_verified_at"] is not None
    told = await course.rows(
        "SELECT action FROM audit_log WHERE action IN ('repository.locked', 'repository.unlocked')"
    )
    assert [row["action"] for row in told] == ["repository.locked"]
    assert "No stronger lock" not in await course.write(course.teacher, "/status")


async def test_a_repository_that_opens_while_it_is_taken_over_ends_open(course: Course) -> None:
    amy, repo = await begun(course)
    await closed(course)
    course.org.plan = "team"
    course.world.faults.add(
        Fault(method="DELETE", route="/repos/{owner}/{repo}/rulesets/{ruleset_id}", status=502, times=9)
    )
    await course.rows("UPDATE installations SET read_due_at = now()")
    await course.settle()
    assert course.rulesets() == [{repo.id}] * 2
    assert repo.rulesets

    await course.write(course.teacher, "/deadline +2d")
    course.world.faults.clear()
    await course.an_hour_passes()
    await course.settle()

    assert not any(course.rulesets())
    assert not repo.rulesets
    assert not course.is_closed(repo, amy)


async def test_a_plan_that_goes_on_refusing_is_asked_now_and_then_and_audited_once(course: Course) -> None:
    amy, repo = await begun(course)
    await closed(course)

    for _ in range(3):
        await course.rows("UPDATE installations SET read_due_at = now()")
        await course.settle()

    assert course.is_closed(repo, amy)
    told = await course.rows("SELECT count(*) FROM audit_log WHERE action = 'lock.plan_refused'")
    assert told[0]["count"] == 1


async def test_a_course_that_keeps_its_locks_in_shadow_holds_no_other_up_after_an_upgrade(course: Course) -> None:
    amy, repo = await begun(course)
    await closed(course)
    await course.write(course.owner, "/course set --mode shadow --keep")
    zoe = course.world.user("zoe")
    hers = course.org.repository("lab9-zoe", private=False, collaborators={"zoe": "write"})
    issue = course.org.repository("second").open_issue(course.owner, "Lab 9")
    for line in (
        "/course init --timezone Europe/Zurich --staff @prog1/teachers",
        "/project create lab9 --deadline 2026-12-03 12:00 --repos lab9-*",
        "/publish",
    ):
        await course.write(course.owner, line, issue)
    course.org.plan = "team"
    await course.rows("UPDATE installations SET read_due_at = now()")
    await course.settle()

    await course.at("2026-12-03 12:00:00")
    await course.settle()

    assert course.is_closed(hers, zoe)
    assert course.rulesets() == [{hers.id}] * 2
    assert course.is_closed(repo, amy)


async def test_a_pair_of_which_one_was_not_sent_for_the_new_team_is_sent_again(course: Course) -> None:
    _, repo = await begun(course)
    await closed(course)
    course.org.team("professors", members=[course.assistant])
    course.world.faults.add(Fault("PUT", "/repos/{owner}/{repo}/rulesets/{ruleset_id}", status=500, skip=1, times=3))

    await course.write(course.teacher, "/course set --staff @prog1/professors")
    for _ in range(4):
        await course.an_hour_passes()
        await course.settle()

    team = course.org.teams["professors"].id
    for ruleset in repo.rulesets.values():
        assert team in [actor["actor_id"] for actor in ruleset.bypass_actors if actor["actor_type"] == "Team"]

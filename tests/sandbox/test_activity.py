"""The activity of a repository: GitHub's own record, and the ways in which its list falls short of it."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from sandbox import Fault, World
from sandbox.git import ZERO
from sandbox.organisation import Organisation
from sandbox.repository import Repository

from .caller import Caller

NOON = datetime(2026, 12, 1, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)


async def listed(github: Caller, repo: Repository, query: str = "") -> list[dict[str, Any]]:
    """The one page that the repository's activity has."""
    page = await github.get(f"/repositories/{repo.id}/activity?per_page=100&{query}")
    assert page.status == 200
    assert not page.link("next")
    entries: list[dict[str, Any]] = page.body
    return entries


async def heads(github: Caller, repo: Repository, query: str = "") -> list[str]:
    """Where the branches went, in the order of the list."""
    return [entry["after"] for entry in await listed(github, repo, query)]


def pushed(world: World, repo: Repository, times: int = 3) -> list[str]:
    """Amy's pushes, an hour apart, the first at noon; the clock stands at the last."""
    shas = []
    for number in range(times):
        world.clock.stand_at(NOON + number * HOUR)
        shas.append(repo.push(world.user("amy")))
    return shas


async def test_an_entry_says_what_moved_where_when_and_by_whom(github: Caller, world: World, repo: Repository) -> None:
    first = repo.head()
    (sha,) = pushed(world, repo, 1)
    entry, begin = await listed(github, repo)
    assert (entry["before"], entry["after"], entry["ref"]) == (first, sha, "refs/heads/main")
    assert (entry["timestamp"], entry["activity_type"]) == ("2026-12-01T12:00:00Z", "push")
    assert entry["actor"]["id"] == world.user("amy").id
    assert (begin["before"], begin["activity_type"]) == (ZERO, "branch_creation")
    assert len({entry["id"], begin["id"], entry["node_id"], begin["node_id"]}) == 4


async def test_it_is_read_by_name_and_by_id_with_the_right_to_contents(
    github: Caller, org: Organisation, world: World, repo: Repository
) -> None:
    pushed(world, repo)
    assert (await github.get("/repos/prog1/lab1-amy/activity")).body == await listed(github, repo)
    assert org.installation is not None
    github.use(org.installation, permissions={"metadata": "read"})
    assert (await github.get(f"/repositories/{repo.id}/activity")).status == 403


async def test_tags_leave_no_entry(github: Caller, world: World, repo: Repository) -> None:
    repo.push_tag(world.user("amy"), "v1")
    assert len(await listed(github, repo)) == 1


@pytest.mark.parametrize("direction", ["asc", "desc"])
async def test_pages_lead_on_and_back_in_either_direction(
    github: Caller, world: World, repo: Repository, direction: str
) -> None:
    expected = [repo.head(), *pushed(world, repo, 4)][:: 1 if direction == "asc" else -1]
    first = await github.get(f"/repos/prog1/lab1-amy/activity?per_page=2&direction={direction}")
    second = await github.get(first.link("next"))
    third = await github.get(second.link("next"))
    pages = [[entry["after"] for entry in page.body] for page in (first, second, third)]
    assert pages == [expected[:2], expected[2:4], expected[4:]]
    assert first.link("next").startswith(f"{world.url}/repositories/{repo.id}/activity?per_page=2")
    assert (first.link("prev"), third.link("next")) == ("", "")
    back = await github.get(third.link("prev"))
    assert (back.body, (await github.get(back.link("prev"))).body) == (second.body, first.body)
    assert "after=" not in back.link("prev")


async def test_a_page_goes_on_where_it_ended_whatever_came_or_went_in_between(
    github: Caller, world: World, repo: Repository
) -> None:
    shas = pushed(world, repo, 4)
    first = await github.get(f"/repositories/{repo.id}/activity?per_page=2")
    repo.push(world.user("amy"))
    repo.activity.forget(lambda entry: entry.change.after in shas[2:])
    second = await github.get(first.link("next"))
    assert [entry["after"] for entry in second.body] == [shas[1], shas[0]]


async def test_a_cursor_is_only_what_a_link_gave(github: Caller, repo: Repository) -> None:
    entry = repo.activity[0]
    assert (await github.get(f"/repositories/{repo.id}/activity?after={entry.id}")).status == 422


async def test_the_filters_narrow_the_list(github: Caller, world: World, repo: Repository) -> None:
    begin, prof = repo.head(), world.user("prof")
    shas = pushed(world, repo)
    side = repo.push(world.user("amy"), "side/a")
    repo.push(world.user("amy"), "side/a", force=True)
    repo.push(prof, to_sha=side, force=True)
    repo.delete_branch(prof, "side/a")
    assert await heads(github, repo, "ref=side/a") == await heads(github, repo, "ref=refs/heads/side/a")
    assert {entry["ref"] for entry in await listed(github, repo, "ref=side/a")} == {"refs/heads/side/a"}
    assert await heads(github, repo, "activity_type=push") == [side, *shas[::-1]]
    assert len(await heads(github, repo, "activity_type=force_push")) == 1
    assert await heads(github, repo, "activity_type=branch_deletion") == [ZERO]
    assert await heads(github, repo, "activity_type=branch_creation") == [side, begin]
    assert await heads(github, repo, "actor=PROF") == [ZERO, side, begin]
    assert await heads(github, repo, "ref=main&actor=amy") == shas[::-1]


@pytest.mark.parametrize(("period", "days"), [("day", 1), ("week", 7), ("month", 31), ("quarter", 92), ("year", 366)])
async def test_a_period_ends_now(github: Caller, world: World, repo: Repository, period: str, days: int) -> None:
    world.clock.stand_at(NOON)
    sha = repo.push(world.user("amy"))
    world.clock.shift(timedelta(days=days))
    assert (await heads(github, repo, f"time_period={period}"))[0] == sha
    world.clock.shift(timedelta(seconds=1))
    assert sha not in await heads(github, repo, f"time_period={period}")


@pytest.mark.parametrize("wrong", ["direction=up", "time_period=decade", "activity_type=tag"])
async def test_a_filter_that_github_does_not_have_is_refused(github: Caller, repo: Repository, wrong: str) -> None:
    assert (await github.get(f"/repositories/{repo.id}/activity?{wrong}")).status == 422


async def test_entries_can_be_listed_out_of_order(github: Caller, world: World, repo: Repository) -> None:
    shas = pushed(world, repo, 4)
    repo.activity.order = lambda entries: [entries[1], entries[0], *entries[2:][::-1]]
    first = await github.get(f"/repositories/{repo.id}/activity?per_page=3")
    second = await github.get(first.link("next"))
    assert [entry["after"] for entry in first.body[:2]] == [shas[2], shas[3]]
    assert [entry["after"] for entry in second.body] == [shas[0], shas[1]]
    assert [entry.change.after for entry in repo.activity][1:] == shas


async def test_entries_can_appear_at_a_moment_of_githubs_clock(github: Caller, world: World, repo: Repository) -> None:
    first, second, third = pushed(world, repo)
    repo.activity.hide(lambda entry: entry.at > NOON, until=NOON + 4 * HOUR)
    assert (await heads(github, repo))[0] == first
    world.clock.stand_at(NOON + 3 * HOUR)
    fourth = repo.push(world.user("amy"))
    assert (await heads(github, repo))[0] == first
    world.clock.stand_at(NOON + 4 * HOUR)
    assert (await heads(github, repo))[:4] == [fourth, third, second, first]


async def test_entries_can_be_hidden_until_a_test_reveals_them(github: Caller, world: World, repo: Repository) -> None:
    repo.activity.hide()
    shas = pushed(world, repo)
    assert await heads(github, repo) == []
    repo.activity.reveal()
    assert (await heads(github, repo))[:3] == shas[::-1]


async def test_old_entries_are_forgotten_by_retention_or_by_choice(
    github: Caller, world: World, repo: Repository
) -> None:
    first, second, third = pushed(world, repo)
    repo.activity.retention = HOUR
    assert await heads(github, repo) == [third, second]
    repo.activity.retention = None
    assert repo.activity.forget(lambda entry: entry.at < NOON + HOUR) == 2
    assert await heads(github, repo) == [third, second]
    repo.activity.reveal()
    assert first not in await heads(github, repo)
    assert [entry.change.after for entry in repo.activity][1:] == [first, second, third]


async def test_an_entry_can_have_no_actor(github: Caller, world: World, repo: Repository) -> None:
    first, second, third = pushed(world, repo)
    repo.activity.make_nameless(lambda entry: entry.change.after == second)
    actors = {entry["after"]: entry["actor"] for entry in await listed(github, repo)}
    assert actors[second] is None
    assert actors[first]["login"] == actors[third]["login"] == "amy"
    assert await heads(github, repo, "actor=amy") == [third, first]


async def test_faults_strike_the_activity_too(github: Caller, world: World, repo: Repository) -> None:
    world.faults.add(Fault("GET", "/repositories/{id}/activity", status=503, times=2))
    path = f"/repositories/{repo.id}/activity"
    assert [(await github.get(path)).status for _ in range(3)] == [503, 503, 200]

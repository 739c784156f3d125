"""Pushes of more than one thing: several commits, a merge, several tags; and one that tells an old time."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from sandbox import PushRefused, World
from sandbox.repository import Repository

from .caller import Caller, Received, lock

NOON = datetime(2026, 12, 1, 12, tzinfo=UTC)


async def told(world: World, inbox: list[Received]) -> list[Any]:
    """What the pushes said, in the order in which they were told."""
    await world.hook.idle()
    pushes = [one.payload for one in inbox if one.event == "push"]
    ids = [one.guid for one in world.hook.log]
    guids = [one.guid for one in inbox if one.event == "push"]
    return [payload for _, payload in sorted(zip(guids, pushes, strict=True), key=lambda pair: ids.index(pair[0]))]


def listed(payload: Any) -> list[tuple[str, bool]]:
    """The commits of a push, and whether they were new to the repository."""
    return [(one["id"], one["distinct"]) for one in payload["commits"]]


async def test_several_commits_go_in_one_push(world: World, repo: Repository, inbox: list[Received]) -> None:
    before = repo.head()
    shas = repo.push_several(world.user("amy"), 3)
    (push,) = await told(world, inbox)
    assert (push["before"], push["after"], push["head_commit"]["id"]) == (before, shas[-1], shas[-1])
    assert listed(push) == [(sha, True) for sha in shas]
    assert [entry.change.after for entry in repo.activity][1:] == shas[-1:]
    assert repo.git.commits[shas[1]].parents == (shas[0],)


async def test_several_commits_may_begin_a_branch(world: World, repo: Repository, inbox: list[Received]) -> None:
    shas = repo.push_several(world.user("amy"), 2, "side", author_date=NOON)
    (push,) = await told(world, inbox)
    assert (push["ref"], push["created"], [sha for sha, _ in listed(push)]) == ("refs/heads/side", True, shas)
    assert {one["timestamp"] for one in push["commits"]} == {"2026-12-01T12:00:00Z"}


async def test_a_push_lists_no_more_than_2048_commits(world: World, repo: Repository, inbox: list[Received]) -> None:
    shas = repo.push_several(world.user("amy"), 2_050)
    (push,) = await told(world, inbox)
    assert [sha for sha, _ in listed(push)] == shas[2:]


async def test_refused_commits_are_gone(github: Caller, world: World, repo: Repository) -> None:
    repo.push(world.user("amy"), "side")
    await github.call("POST", "/orgs/prog1/rulesets", lock(world, repo))
    before = dict(repo.git.commits)
    with pytest.raises(PushRefused):
        repo.push_several(world.user("amy"), 3)
    with pytest.raises(PushRefused):
        repo.merge(world.user("amy"), "side")
    assert repo.git.commits == before


async def test_a_merge_lists_what_the_branch_had_not(world: World, repo: Repository, inbox: list[Received]) -> None:
    amy = world.user("amy")
    side = repo.push_several(amy, 2, "side")
    main = repo.push(amy)
    merge = repo.push(amy, to_sha=repo.commit(amy, main, side[-1]))
    push = (await told(world, inbox))[-1]
    assert (push["before"], push["after"], push["forced"]) == (main, merge, False)
    assert listed(push) == [(side[0], False), (side[1], False), (merge, True)]
    assert repo.git.commits[merge].parents == (main, side[-1])


async def test_a_fast_forward_to_another_branch_brings_nothing_new(
    world: World, repo: Repository, inbox: list[Received]
) -> None:
    amy = world.user("amy")
    side = repo.push_several(amy, 2, "side")
    repo.push(amy, to_sha=side[-1])
    assert listed((await told(world, inbox))[-1]) == [(side[0], False), (side[1], False)]


async def test_a_forced_push_lists_only_what_it_brought(world: World, repo: Repository, inbox: list[Received]) -> None:
    amy = world.user("amy")
    repo.push_several(amy, 2)
    sha = repo.push(amy, force=True)
    push = (await told(world, inbox))[-1]
    assert (push["forced"], listed(push)) == (True, [(sha, True)])


@pytest.mark.parametrize("kind", ["pr_merge", "merge_queue_merge"])
async def test_githubs_own_merges_are_told_apart_in_the_activity(
    github: Caller, world: World, repo: Repository, inbox: list[Received], kind: Any
) -> None:
    side = repo.push(world.user("amy"), "side")
    sha = repo.merge(world.user("amy"), "side", kind=kind)
    entries = (await github.get(f"/repositories/{repo.id}/activity?activity_type={kind}")).body
    assert [(one["after"], one["ref"], one["activity_type"]) for one in entries] == [(sha, "refs/heads/main", kind)]
    assert [one for one, _ in listed((await told(world, inbox))[-1])] == [side, sha]


async def test_up_to_three_tags_of_a_push_are_told_one_by_one(
    world: World, repo: Repository, inbox: list[Received]
) -> None:
    sha = repo.push_tags(world.user("amy"), "v1", "v2", "v3")
    pushes = await told(world, inbox)
    assert [(one["ref"], one["after"], one["created"]) for one in pushes] == [
        (f"refs/tags/{name}", sha, True) for name in ("v1", "v2", "v3")
    ]


async def test_more_than_three_tags_at_once_are_not_told_at_all(
    world: World, repo: Repository, inbox: list[Received]
) -> None:
    first = repo.head()
    repo.push(world.user("amy"))
    repo.push_tags(world.user("amy"), "v1", "v2", "v3", "v4", sha=first)
    repo.push_tags(world.user("amy"), "v5")
    assert [one["ref"] for one in await told(world, inbox)] == ["refs/heads/main", "refs/tags/v5"]
    assert [repo.git.refs[f"refs/tags/v{number}"] for number in range(1, 5)] == [first] * 4


async def test_a_tag_that_is_declined_holds_up_no_other(
    github: Caller, world: World, repo: Repository, inbox: list[Received]
) -> None:
    conditions = {
        "ref_name": {"include": ["refs/tags/v2"], "exclude": []},
        "repository_id": {"repository_ids": [repo.id]},
    }
    await github.call("POST", "/orgs/prog1/rulesets", lock(world, repo, target="tag", conditions=conditions))
    with pytest.raises(PushRefused):
        repo.push_tags(world.user("amy"), "v1", "v2", "v3", "v4")
    assert [one["ref"] for one in await told(world, inbox)] == [f"refs/tags/{name}" for name in ("v1", "v3", "v4")]
    assert [one.change.ref for one in repo.refused_pushes] == ["refs/tags/v2"]


async def test_the_next_push_can_tell_the_time_of_an_earlier_one(
    world: World, repo: Repository, inbox: list[Received]
) -> None:
    amy = world.user("amy")
    world.clock.stand_at(NOON)
    repo.push(amy)
    world.clock.shift(timedelta(hours=1))
    repo.stale_pushed_at = NOON
    world.hook.hold()
    repo.push(amy)
    world.clock.shift(timedelta(hours=1))
    repo.push(amy)
    world.hook.release()
    times = [one["repository"]["pushed_at"] - int(NOON.timestamp()) for one in await told(world, inbox)]
    assert times == [0, 0, 7_200]
    assert [entry.at - NOON for entry in repo.activity][1:] == [timedelta(hours=number) for number in range(3)]

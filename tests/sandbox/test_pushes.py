"""Pushes: who may, what they leave behind, and what a refused one does not."""

from datetime import UTC, datetime, timedelta

import pytest

from sandbox import PushRefused, World
from sandbox.git import ZERO
from sandbox.organisation import Organisation
from sandbox.repository import Repository

from .caller import Caller, Received, lock

NOON = datetime(2026, 12, 1, 12, tzinfo=UTC)


async def test_a_refused_push_leaves_no_webhook_no_activity_and_no_commit(
    github: Caller, world: World, repo: Repository, inbox: list[Received]
) -> None:
    await github.call("POST", "/orgs/prog1/rulesets", lock(world, repo))
    before, commits, activity = repo.head(), dict(repo.git.commits), list(repo.activity)
    with pytest.raises(PushRefused):
        repo.push(world.user("amy"))
    await world.hook.idle()
    assert "push" not in [one.event for one in inbox]
    assert (repo.head(), repo.git.commits, repo.activity) == (before, commits, activity)
    assert [(one.user.login, one.change.ref) for one in repo.refused_pushes] == [("amy", "refs/heads/main")]


def test_reading_is_not_writing(world: World, org: Organisation) -> None:
    repo = org.repository("lab1-amy", collaborators={"amy": "read"})
    with pytest.raises(PushRefused, match=r"Permission to prog1/lab1-amy\.git denied to amy"):
        repo.push(world.user("amy"))


def test_an_archived_repository_takes_no_push(world: World, repo: Repository) -> None:
    repo.archive()
    with pytest.raises(PushRefused, match="read-only"):
        repo.push(world.user("amy"))
    repo.unarchive()
    repo.push(world.user("amy"))


async def test_a_push_that_leaves_commits_behind_needs_force(
    world: World, repo: Repository, inbox: list[Received]
) -> None:
    amy = world.user("amy")
    first = repo.head()
    second = repo.push(amy)
    with pytest.raises(PushRefused, match="non-fast-forward"):
        repo.push(amy, to_sha=first)
    repo.push(amy, to_sha=first, force=True)
    assert repo.head() == first
    assert repo.activity[-1].kind == "force_push"
    await world.hook.idle()
    told = next(one.payload for one in inbox if one.event == "push" and one.payload["forced"])
    assert (told["before"], told["after"], told["commits"], told["head_commit"]["id"]) == (second, first, [], first)


async def test_the_payload_tells_the_servers_time_and_the_clients_claim_apart(
    world: World, repo: Repository, inbox: list[Received]
) -> None:
    world.clock.stand_at(NOON)
    repo.push(world.user("amy"), author_date=NOON - timedelta(days=2))
    await world.hook.idle()
    payload = next(one.payload for one in inbox if one.event == "push")
    assert payload["repository"]["pushed_at"] == int(NOON.timestamp())
    assert payload["head_commit"]["timestamp"] == "2026-11-29T12:00:00Z"
    assert payload["sender"]["login"] == "amy"


async def test_a_push_names_its_new_commits_oldest_first(world: World, repo: Repository, inbox: list[Received]) -> None:
    amy = world.user("amy")
    first = repo.push(amy, "side")
    second = repo.push(amy, "side")
    repo.push(amy, to_sha=second)
    await world.hook.idle()
    payload = next(one.payload for one in inbox if one.event == "push" and one.payload["ref"] == "refs/heads/main")
    assert [commit["id"] for commit in payload["commits"]] == [first, second]


async def test_activity_is_the_servers_record_newest_first(github: Caller, world: World, repo: Repository) -> None:
    amy = world.user("amy")
    world.clock.stand_at(NOON)
    sha = repo.push(amy)
    repo.push(amy, "side")
    repo.delete_branch(amy, "side")
    entries = (await github.get(f"/repositories/{repo.id}/activity")).body
    kinds = ["branch_deletion", "branch_creation", "push", "branch_creation"]
    assert [entry["activity_type"] for entry in entries] == kinds
    assert (entries[0]["after"], entries[2]["after"]) == (ZERO, sha)
    assert entries[2]["timestamp"] == "2026-12-01T12:00:00Z"
    only = (
        await github.get(f"/repositories/{repo.id}/activity?ref=refs/heads/side&activity_type=branch_creation")
    ).body
    assert [entry["actor"]["login"] for entry in only] == ["amy"]


def test_a_new_world_has_the_app_and_actions_as_bots_of_different_apps(world: World) -> None:
    assert (world.app.bot.type, world.actions_bot.type) == ("Bot", "Bot")
    assert world.app.bot.app_id != world.actions_bot.app_id

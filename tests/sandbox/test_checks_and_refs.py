"""Check runs by the App, and commits and refs without a clone."""

from typing import Any

import pytest

from sandbox import World
from sandbox.repository import Repository

from .caller import Caller, Received, lock

CHECK = {"name": "Deadline", "status": "completed", "conclusion": "success", "output": {"title": "t", "summary": "s"}}


async def test_a_check_run_is_found_by_commit_name_and_app(github: Caller, world: World, repo: Repository) -> None:
    sha = repo.push(world.user("amy"))
    made = await github.call("POST", f"/repositories/{repo.id}/check-runs", CHECK | {"head_sha": sha})
    again = await github.call("POST", f"/repositories/{repo.id}/check-runs", CHECK | {"head_sha": sha})
    path = f"/repositories/{repo.id}/commits/{sha}/check-runs?check_name=Deadline&app_id={world.app.id}"
    latest, every = (await github.get(path)).body, (await github.get(f"{path}&filter=all")).body
    assert [one["id"] for one in latest["check_runs"]] == [again.body["id"]]
    assert [one["id"] for one in every["check_runs"]] == [again.body["id"], made.body["id"]]
    assert made.body["check_suite"] == again.body["check_suite"]
    assert (await github.get(f"/repositories/{repo.id}/commits/{sha}/check-runs?app_id=1")).body["total_count"] == 0


async def test_a_check_run_is_updated_in_place(github: Caller, world: World, repo: Repository) -> None:
    body = CHECK | {"head_sha": repo.head()}
    made = (await github.call("POST", f"/repositories/{repo.id}/check-runs", body)).body
    path = f"/repositories/{repo.id}/check-runs/{made['id']}"
    changed = await github.call("PATCH", path, {"conclusion": "neutral", "output": {"title": "late", "summary": "s"}})
    assert (changed.body["conclusion"], changed.body["output"]["title"]) == ("neutral", "late")


@pytest.mark.parametrize(
    "wrong",
    [
        {"head_sha": "f" * 40},
        {"output": {"title": "t"}},
        {"output": {"title": "t", "summary": "x" * 65_536}},
        {"conclusion": "fine"},
        {"actions": [{"label": "x" * 21, "description": "d", "identifier": "i"}]},
        {"actions": [{"label": "l", "description": "d", "identifier": "i"}] * 4},
    ],
)
async def test_a_check_run_that_does_not_fit_is_refused(
    github: Caller, repo: Repository, wrong: dict[str, Any]
) -> None:
    body = CHECK | {"head_sha": repo.head()} | wrong
    assert (await github.call("POST", f"/repositories/{repo.id}/check-runs", body)).status == 422
    assert repo.checks.runs == {}


async def test_the_app_commits_and_moves_a_ref_which_is_a_push_of_its_own(
    github: Caller, world: World, repo: Repository, inbox: list[Received]
) -> None:
    base = f"/repositories/{repo.id}/git"
    head = (await github.get(f"{base}/ref/heads/main")).body["object"]["sha"]
    tree = (await github.get(f"{base}/commits/{head}")).body["tree"]["sha"]
    made = await github.call("POST", f"{base}/commits", {"message": "deadline", "tree": tree, "parents": [head]})
    assert repo.head() == head
    moved = await github.call("PATCH", f"{base}/refs/heads/main", {"sha": made.body["sha"]})
    assert (moved.status, repo.head()) == (200, made.body["sha"])
    await world.hook.idle()
    push = next(one.payload for one in inbox if one.event == "push")
    assert (push["after"], push["sender"]["login"]) == (made.body["sha"], "pencils-down[bot]")


async def test_rulesets_speak_to_refs_moved_by_rest_too(github: Caller, world: World, repo: Repository) -> None:
    sha = repo.push(world.user("amy"), "side")
    await github.call("POST", "/orgs/prog1/rulesets", lock(world, repo, bypass_actors=[]))
    refused = await github.call("PATCH", f"/repositories/{repo.id}/git/refs/heads/main", {"sha": sha})
    assert refused.status == 422
    assert refused.message.startswith("Repository rule violations found\n\nCannot update this protected ref.")
    body = {"ref": "refs/tags/v1", "sha": sha}
    assert (await github.call("POST", f"/repositories/{repo.id}/git/refs", body)).status == 201


async def test_a_ref_that_would_lose_commits_needs_force(github: Caller, world: World, repo: Repository) -> None:
    first = repo.head()
    repo.push(world.user("amy"))
    path = f"/repositories/{repo.id}/git/refs/heads/main"
    assert (await github.call("PATCH", path, {"sha": first})).message == "Update is not a fast forward"
    assert (await github.call("PATCH", path, {"sha": first, "force": True})).status == 200


async def test_two_commits_are_compared_by_where_they_part(github: Caller, world: World, repo: Repository) -> None:
    amy, first = world.user("amy"), repo.head()
    second, side = repo.push(amy), repo.push(amy, "side")
    third = repo.push(amy)

    async def compared(base: str, head: str) -> tuple[str, int, int, list[str]]:
        body = (await github.get(f"/repositories/{repo.id}/compare/{base}...{head}")).body
        return body["status"], body["ahead_by"], body["behind_by"], [one["sha"] for one in body["commits"]]

    assert await compared(first, "main") == ("ahead", 2, 0, [second, third])
    assert await compared(third, second) == ("behind", 0, 1, [])
    assert await compared(third, "main") == ("identical", 0, 0, [])
    assert await compared(side, third) == ("diverged", 1, 1, [third])
    page = await github.get(f"/repositories/{repo.id}/compare/{first}...main?per_page=1")
    assert ([one["sha"] for one in page.body["commits"]], page.body["total_commits"]) == ([second], 2)
    assert (await github.get(f"/repositories/{repo.id}/compare/{'f' * 40}...main")).status == 404


async def test_branches_with_slashes_are_found(github: Caller, world: World, repo: Repository) -> None:
    sha = repo.push(world.user("amy"), "feature/a")
    assert (await github.get(f"/repositories/{repo.id}/branches/feature/a")).body["commit"]["sha"] == sha
    assert (await github.get(f"/repositories/{repo.id}/git/ref/heads/feature/a")).body["ref"] == "refs/heads/feature/a"
    assert (await github.get(f"/repositories/{repo.id}/rules/branches/feature%2Fa")).status == 200

"""Rulesets speak at every push."""

from collections.abc import Callable
from typing import Any

import pytest

from sandbox import PushRefused, World
from sandbox.organisation import Organisation
from sandbox.repository import Repository
from sandbox.user import User

from .caller import Caller, lock


@pytest.fixture
def amy(world: World) -> User:
    return world.user("amy")


async def test_a_lock_refuses_an_update_in_gits_own_words(
    github: Caller, world: World, repo: Repository, amy: User
) -> None:
    assert (await github.call("POST", "/orgs/prog1/rulesets", lock(world, repo))).status == 201
    with pytest.raises(PushRefused, match="GH013: Repository rule violations found for refs/heads/main") as refused:
        repo.push(amy)
    assert "- Cannot update this protected ref." in str(refused.value)
    assert "! [remote rejected] main -> main (push declined due to repository rule violations)" in str(refused.value)


@pytest.mark.parametrize(
    ("attempt", "sentence"),
    [
        (lambda repo, amy: repo.push(amy, "new"), "Cannot create ref due to creations being restricted."),
        (lambda repo, amy: repo.delete_branch(amy, "main"), "Cannot delete this branch"),
        (lambda repo, amy: repo.push(amy, force=True), "Cannot force-push to this branch"),
    ],
)
async def test_a_lock_refuses_creation_deletion_and_rewriting(
    github: Caller,
    world: World,
    repo: Repository,
    amy: User,
    attempt: Callable[[Repository, User], Any],
    sentence: str,
) -> None:
    repo.push(amy)
    await github.call("POST", "/orgs/prog1/rulesets", lock(world, repo))
    with pytest.raises(PushRefused) as refused:
        attempt(repo, amy)
    assert sentence in refused.value.violations


async def test_a_branch_lock_leaves_tags_open_and_a_tag_lock_closes_them(
    github: Caller, world: World, repo: Repository, amy: User
) -> None:
    await github.call("POST", "/orgs/prog1/rulesets", lock(world, repo))
    repo.push_tag(amy, "v1")
    await github.call("POST", "/orgs/prog1/rulesets", lock(world, repo, name="closed tags", target="tag"))
    with pytest.raises(PushRefused):
        repo.push_tag(amy, "v2")
    with pytest.raises(PushRefused) as refused:
        repo.delete_tag(amy, "v1")
    assert refused.value.violations == ("Cannot delete this tag",)


async def test_only_the_listed_repositories_are_closed(
    github: Caller, world: World, org: Organisation, repo: Repository, amy: User
) -> None:
    other = org.repository("lab1-ben", collaborators={"ben": "write"})
    await github.call("POST", "/orgs/prog1/rulesets", lock(world, repo))
    other.push(world.user("ben"))
    assert repo.refusal(amy) is not None
    assert other.refusal(world.user("ben")) is None


async def test_a_put_opens_what_it_no_longer_lists(github: Caller, world: World, repo: Repository, amy: User) -> None:
    made = await github.call("POST", "/orgs/prog1/rulesets", lock(world, repo))
    changed = await github.call("PUT", f"/orgs/prog1/rulesets/{made.body['id']}", lock(world))
    assert changed.status == 200
    repo.push(amy)


async def test_a_put_keeps_what_it_does_not_name(github: Caller, world: World, repo: Repository, amy: User) -> None:
    made = await github.call("POST", "/orgs/prog1/rulesets", lock(world, repo, enforcement="disabled"))
    repo.push(amy)
    await github.call("PUT", f"/orgs/prog1/rulesets/{made.body['id']}", {"enforcement": "active"})
    assert repo.refusal(amy) is not None


async def test_the_app_passes_by_its_bypass_and_not_without(github: Caller, world: World, repo: Repository) -> None:
    made = await github.call("POST", "/orgs/prog1/rulesets", lock(world, repo))
    repo.push(world.app.bot)
    await github.call("PUT", f"/orgs/prog1/rulesets/{made.body['id']}", {"bypass_actors": []})
    with pytest.raises(PushRefused):
        repo.push(world.app.bot)


@pytest.mark.parametrize("mode", ["always", "exempt"])
async def test_a_team_and_the_owners_pass_when_they_are_bypass_actors(
    github: Caller, world: World, org: Organisation, repo: Repository, mode: str
) -> None:
    assistant = world.user("assi")
    team = org.team("staff", [assistant])
    team.grant(repo, "write")
    await github.call("POST", "/orgs/prog1/rulesets", lock(world, repo))
    assert repo.refusal(assistant) is not None
    assert repo.refusal(world.user("prof")) is not None
    actors = [
        {"actor_type": "Team", "actor_id": team.id, "bypass_mode": mode},
        {"actor_type": "OrganizationAdmin", "actor_id": None, "bypass_mode": mode},
    ]
    await github.call("POST", "/orgs/prog1/rulesets", lock(world, repo, name="second", bypass_actors=actors))
    first = next(iter(org.rulesets.values()))
    await github.call("DELETE", f"/orgs/prog1/rulesets/{first.id}")
    assert repo.refusal(assistant) is None
    assert repo.refusal(world.user("prof")) is None
    assert repo.refusal(world.user("amy")) is not None


async def test_a_pull_request_bypass_does_not_help_a_push(
    github: Caller, world: World, org: Organisation, repo: Repository
) -> None:
    actors = [{"actor_type": "OrganizationAdmin", "bypass_mode": "pull_request"}]
    await github.call("POST", "/orgs/prog1/rulesets", lock(world, repo, bypass_actors=actors))
    assert repo.refusal(world.user("prof")) is not None


@pytest.mark.parametrize(
    ("include", "exclude", "closed"),
    [
        (["~DEFAULT_BRANCH"], [], True),
        (["refs/heads/ma*"], [], True),
        (["refs/heads/*"], ["refs/heads/main"], False),
        (["refs/*"], [], False),
        (["refs/**/main"], [], True),
    ],
)
async def test_ref_names_are_matched_as_fnmatch_does_with_path_names(
    github: Caller, world: World, repo: Repository, amy: User, include: list[str], exclude: list[str], closed: bool
) -> None:
    conditions = {"ref_name": {"include": include, "exclude": exclude}, "repository_id": {"repository_ids": [repo.id]}}
    await github.call("POST", "/orgs/prog1/rulesets", lock(world, conditions=conditions))
    assert (repo.refusal(amy) is not None) is closed


async def test_a_repositorys_own_ruleset_closes_it(github: Caller, world: World, repo: Repository, amy: User) -> None:
    conditions = {"ref_name": {"include": ["~ALL"], "exclude": []}}
    made = await github.call("POST", f"/repositories/{repo.id}/rulesets", lock(world, conditions=conditions))
    assert made.status == 201
    assert made.body["source_type"] == "Repository"
    assert repo.refusal(amy) is not None


async def test_the_rules_of_a_branch_name_their_rulesets_and_only_active_ones(
    github: Caller, world: World, repo: Repository
) -> None:
    made = await github.call("POST", "/orgs/prog1/rulesets", lock(world, repo))
    await github.call("POST", "/orgs/prog1/rulesets", lock(world, repo, name="off", enforcement="disabled"))
    rules = (await github.get(f"/repositories/{repo.id}/rules/branches/main")).body
    assert {rule["type"] for rule in rules} == {"creation", "update", "deletion", "non_fast_forward"}
    assert {rule["ruleset_id"] for rule in rules} == {made.body["id"]}
    assert {rule["ruleset_source_type"] for rule in rules} == {"Organization"}

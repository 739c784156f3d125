"""What GitHub says to those who make rulesets."""

from typing import Any

import pytest

from sandbox import World
from sandbox.organisation import Organisation
from sandbox.repository import Repository

from .caller import Caller, lock

NO_MATCH = "data matches no possible input"


@pytest.mark.parametrize("method", ["GET", "POST"])
async def test_a_free_organisation_has_no_rulesets_even_to_look_at(
    github: Caller, world: World, org: Organisation, repo: Repository, method: str
) -> None:
    org.plan = "free"
    refused = await github.call(method, "/orgs/prog1/rulesets", lock(world, repo))
    assert (refused.status, refused.message) == (403, "Upgrade to GitHub Team to enable this feature.")


async def test_a_free_plan_gives_repository_rulesets_to_public_repositories_only(
    github: Caller, world: World, org: Organisation, repo: Repository
) -> None:
    org.plan = "free"
    public = org.repository("handout", private=False)
    body = lock(world, conditions={"ref_name": {"include": ["~ALL"], "exclude": []}})
    refused = await github.call("POST", f"/repositories/{repo.id}/rulesets", body)
    assert refused.status == 403
    assert refused.message == "Upgrade to GitHub Pro or make this repository public to enable this feature."
    assert (await github.get(f"/repositories/{repo.id}/rules/branches/main")).message == refused.message
    assert (await github.call("POST", f"/repositories/{public.id}/rulesets", body)).status == 201


async def test_a_lock_dies_with_the_plan(github: Caller, world: World, org: Organisation, repo: Repository) -> None:
    await github.call("POST", "/orgs/prog1/rulesets", lock(world, repo))
    org.plan = "free"
    repo.push(world.user("amy"))


async def test_without_the_permission_organisation_rulesets_are_not_found(
    github: Caller, world: World, org: Organisation
) -> None:
    permissions = world.app.permissions | {"organization_administration": "read"}
    github.use(org.install(world.app, permissions=permissions))
    assert (await github.get("/orgs/prog1/rulesets")).status == 404


async def test_two_rulesets_of_one_name_are_refused(github: Caller, world: World, repo: Repository) -> None:
    await github.call("POST", "/orgs/prog1/rulesets", lock(world, repo))
    refused = await github.call("POST", "/orgs/prog1/rulesets", lock(world, repo, target="tag"))
    assert (refused.status, refused.message) == (422, "Validation Failed")
    assert refused.body["errors"] == ["Name must be unique"]


ALL_REFS = {"include": ["~ALL"], "exclude": []}


@pytest.mark.parametrize(
    "conditions",
    [
        {"ref_name": ALL_REFS},
        {"repository_id": {"repository_ids": [1]}},
        {"ref_name": ALL_REFS, "repository_id": {"repository_ids": [1]}, "repository_name": ALL_REFS},
        {"ref_name": {"include": ["~ALL"]}, "repository_id": {"repository_ids": [1]}},
        {"ref_name": ALL_REFS, "repository_id": {"repository_ids": ["1"]}},
    ],
)
async def test_an_organisations_conditions_are_one_of_the_three_kinds(
    github: Caller, world: World, conditions: dict[str, Any]
) -> None:
    refused = await github.call("POST", "/orgs/prog1/rulesets", lock(world, conditions=conditions))
    assert refused.status == 422
    assert NO_MATCH in refused.message


async def test_no_more_than_75_rulesets(github: Caller, world: World) -> None:
    made = [await github.call("POST", "/orgs/prog1/rulesets", lock(world, name=str(number))) for number in range(76)]
    assert [one.status for one in made] == [201] * 75 + [422]


@pytest.mark.parametrize("secret", [True, False])
async def test_a_team_of_the_organisation_may_bypass_unless_it_is_secret(
    github: Caller, world: World, org: Organisation, secret: bool
) -> None:
    team = org.team("staff", secret=secret)
    actors = [{"actor_type": "Team", "actor_id": team.id}]
    made = await github.call("POST", "/orgs/prog1/rulesets", lock(world, bypass_actors=actors))
    assert made.status == (422 if secret else 201)


async def test_an_app_that_is_not_installed_cannot_bypass(github: Caller, world: World) -> None:
    actors = [{"actor_type": "Integration", "actor_id": 15368}]
    refused = await github.call("POST", "/orgs/prog1/rulesets", lock(world, bypass_actors=actors))
    assert refused.status == 422
    assert "integration must be part of the ruleset source or owner organization" in refused.body["errors"][0]


async def test_a_refused_put_changes_nothing(github: Caller, world: World, repo: Repository) -> None:
    made = await github.call("POST", "/orgs/prog1/rulesets", lock(world, repo))
    path = f"/orgs/prog1/rulesets/{made.body['id']}"
    assert (await github.call("PUT", path, {"name": "x", "conditions": {}})).status == 422
    assert (await github.get(path)).body["name"] == "closed branches"


@pytest.mark.parametrize("plan", ["team", "enterprise"])
async def test_evaluate_is_for_enterprises(github: Caller, world: World, org: Organisation, plan: Any) -> None:
    org.plan = plan
    made = await github.call("POST", "/orgs/prog1/rulesets", lock(world, enforcement="evaluate"))
    assert made.status == (201 if plan == "enterprise" else 422)

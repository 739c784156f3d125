"""What was asked is counted, and what is not imitated fails loudly."""

from typing import Any

import pytest

from sandbox import World
from sandbox.organisation import Organisation
from sandbox.repository import Repository

from .caller import Caller, lock


async def test_an_unknown_route_answers_501_and_names_itself(github: Caller, world: World) -> None:
    answer = await github.get("/zen")
    assert (answer.status, answer.message) == (501, "The sandbox does not imitate /zen.")
    assert world.unknown_routes == ["GET /zen"]
    world.unknown_routes.clear()


async def test_a_known_route_by_an_unknown_method_is_unknown(github: Caller, world: World) -> None:
    assert (await github.call("PUT", "/orgs/prog1", {})).status == 501
    assert world.unknown_routes == ["PUT /orgs/prog1"]
    world.unknown_routes.clear()


async def test_a_rule_that_is_not_evaluated_is_not_taken(github: Caller, world: World, repo: Repository) -> None:
    answer = await github.call("POST", "/orgs/prog1/rulesets", lock(world, repo, rules=[{"type": "workflows"}]))
    assert answer.status == 501
    assert world.unknown_routes == ["POST /orgs/prog1/rulesets"]
    world.unknown_routes.clear()


async def test_calls_are_counted_by_route_whatever_the_spelling(github: Caller, world: World, repo: Repository) -> None:
    await github.get(f"/repositories/{repo.id}/issues")
    await github.get("/repos/prog1/lab1-amy/issues")
    await github.call("POST", f"/repositories/{repo.id}/issues", {"title": "x"})
    assert world.count(route="/repositories/{id}/issues") == 3
    assert world.count("GET", "/repos/{owner}/{name}/issues") == 2
    assert world.count("POST") == 1


async def test_mutations_are_the_calls_that_ask_for_change_but_not_for_tokens(
    github: Caller, world: World, org: Organisation, repo: Repository
) -> None:
    assert org.installation is not None
    await github.as_app("POST", f"/app/installations/{org.installation.id}/access_tokens")
    await github.get(f"/repositories/{repo.id}")
    await github.call("POST", f"/repositories/{repo.id}/issues", {"title": "x"})
    await github.call("POST", f"/repositories/{repo.id}/issues", {})
    assert [(call.status, call.effect) for call in world.mutations()] == [(201, True), (422, False)]
    assert world.mutations()[0].body == {"title": "x"}
    assert world.mutations()[0].installation_id == org.installation.id


async def test_pages_are_joined_by_links_that_name_ids(github: Caller, org: Organisation, repo: Repository) -> None:
    for number in range(5):
        repo.open_issue(org.somebody, f"issue {number}")
    first = await github.get("/repos/prog1/lab1-amy/issues?per_page=2")
    assert f"/repositories/{repo.id}/issues?per_page=2&page=2" in first.headers["Link"]
    assert 'rel="last"' in first.headers["Link"]
    last = await github.get(f"/repositories/{repo.id}/issues?per_page=2&page=3")
    assert [issue["title"] for issue in first.body + last.body] == ["issue 4", "issue 3", "issue 0"]
    assert 'rel="next"' not in last.headers["Link"]


async def test_a_page_has_30_by_default_and_100_at_most(github: Caller, org: Organisation, repo: Repository) -> None:
    for number in range(120):
        repo.open_issue(org.somebody, str(number))
    sizes = [len((await github.get(f"/repositories/{repo.id}/issues{query}")).body) for query in ("", "?per_page=500")]
    assert sizes == [30, 100]


async def test_organisation_lists_go_on_under_the_organisations_id(
    github: Caller, world: World, org: Organisation
) -> None:
    team = org.team("staff", [world.user(f"assistant{number}") for number in range(3)])
    first = await github.get("/orgs/prog1/teams/staff/members?per_page=2")
    url = f"/organizations/{org.id}/team/{team.id}/members"
    assert f"{world.url}{url}?per_page=2&page=2" in first.headers["Link"]
    second = await github.get(f"{url}?per_page=2&page=2")
    assert [one["login"] for one in first.body + second.body] == ["assistant0", "assistant1", "assistant2"]


async def test_activity_goes_on_after_a_cursor(github: Caller, world: World, repo: Repository) -> None:
    shas = [repo.push(world.user("amy")) for _ in range(3)]
    path, seen = f"/repositories/{repo.id}/activity?per_page=2", []
    while path:
        page = await github.get(path)
        seen += [entry["after"] for entry in page.body]
        path = page.link("next")
    assert seen[:3] == shas[::-1]
    assert len(seen) == 4


@pytest.mark.parametrize(("body", "status"), [([], 400), ({"title": 5}, 422), ({}, 422)])
async def test_a_body_must_be_an_object(github: Caller, repo: Repository, body: Any, status: int) -> None:
    assert (await github.call("POST", f"/repositories/{repo.id}/issues", body)).status == status

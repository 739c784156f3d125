"""Who is let in."""

from datetime import timedelta
from typing import Any

import jwt
import pytest

from sandbox import World
from sandbox.organisation import Organisation
from sandbox.repository import Repository

from .caller import Caller


@pytest.mark.parametrize("issuer", ["id", "client_id"])
async def test_the_app_is_known_by_its_id_or_client_id(github: Caller, world: World, issuer: str) -> None:
    answer = await github.as_app("GET", "/app", iss=str(getattr(world.app, issuer)))
    assert (answer.status, answer.body["slug"]) == (200, "pencils-down")


@pytest.mark.parametrize(
    ("claims", "reason"),
    [
        ({"exp": 1_000_000_000}, "too far in the past"),
        ({"exp": 4_000_000_000}, "too far in the future"),
        ({"iat": 4_000_000_000}, "could not be decoded"),
        ({"iss": "1"}, "'Issuer' claim"),
    ],
)
async def test_a_jwt_is_looked_at_closely(github: Caller, claims: dict[str, Any], reason: str) -> None:
    refused = await github.as_app("GET", "/app", **claims)
    assert refused.status == 401
    assert reason in refused.message


async def test_a_jwt_of_another_key_is_refused(github: Caller) -> None:
    github.token = jwt.encode({"iat": 1, "exp": 4_000_000_000, "iss": "1"}, "x" * 32, "HS256")
    assert (await github.get("/app")).status == 401


async def test_a_token_has_the_new_form_and_opens_the_installation(
    github: Caller, world: World, org: Organisation
) -> None:
    assert org.installation is not None
    minted = await github.as_app("POST", f"/app/installations/{org.installation.id}/access_tokens")
    assert minted.status == 201
    assert minted.body["token"].startswith(f"ghs_{world.app.id}_ey")
    github.token = minted.body["token"]
    assert (await github.get("/orgs/prog1")).body["plan"]["name"] == "team"


async def test_expiry_is_told_by_the_clock_of_the_date_header(github: Caller, world: World, org: Organisation) -> None:
    world.clock.shift(timedelta(days=30))
    assert org.installation is not None
    minted = await github.as_app("POST", f"/app/installations/{org.installation.id}/access_tokens")
    expires = minted.body["expires_at"]
    assert expires[:13] == (world.clock.now() + world.token_lifetime).isoformat()[:13]
    github.token = minted.body["token"]
    assert (await github.get("/orgs/prog1")).status == 200


async def test_an_expired_and_a_revoked_token_are_bad_credentials(
    github: Caller, world: World, org: Organisation
) -> None:
    assert org.installation is not None
    org.installation.revoke_tokens()
    assert (await github.get("/orgs/prog1")).message == "Bad credentials"
    world.token_lifetime = timedelta(0)
    github.use(org.installation)
    refused = await github.get("/orgs/prog1")
    assert (refused.status, refused.message) == (401, "Bad credentials")


async def test_a_suspended_installation_is_refused_until_it_is_unsuspended(github: Caller, org: Organisation) -> None:
    assert org.installation is not None
    org.installation.suspend()
    path = f"/app/installations/{org.installation.id}"
    refused = await github.get("/orgs/prog1")
    minted = await github.as_app("POST", f"{path}/access_tokens")
    suspended = (403, "This installation has been suspended")
    assert (refused.status, refused.message) == (minted.status, minted.message) == suspended
    assert (await github.as_app("GET", path)).body["suspended_at"] is not None
    org.installation.unsuspend()
    assert (await github.get("/orgs/prog1")).status == 200


async def test_an_uninstalled_one_is_gone_with_its_tokens(github: Caller, org: Organisation) -> None:
    assert org.installation is not None
    path = f"/app/installations/{org.installation.id}"
    org.installation.uninstall()
    assert (await github.get("/orgs/prog1")).status == 401
    assert (await github.as_app("GET", path)).status == 404
    assert (await github.as_app("POST", f"{path}/access_tokens")).status == 404
    assert (await github.as_app("GET", "/orgs/prog1/installation")).status == 404


async def test_a_repository_that_is_not_selected_is_not_found(
    github: Caller, world: World, org: Organisation, repo: Repository
) -> None:
    other = org.repository("secret")
    github.use(org.install(world.app, selected=[repo]))
    assert (await github.get(f"/repositories/{repo.id}")).status == 200
    assert (await github.get(f"/repositories/{other.id}")).status == 404
    listed = (await github.get("/installation/repositories")).body
    assert [one["id"] for one in listed["repositories"]] == [repo.id]
    assert listed["repository_selection"] == "selected"


async def test_another_organisation_is_not_found(github: Caller, world: World) -> None:
    world.organisation("prog2")
    assert (await github.get("/orgs/prog2/teams")).status == 404


async def test_a_narrowed_token_opens_only_what_it_names(
    github: Caller, world: World, org: Organisation, repo: Repository
) -> None:
    other = org.repository("lab1-ben")
    assert org.installation is not None
    path = f"/app/installations/{org.installation.id}/access_tokens"
    narrowed = {"repository_ids": [repo.id], "permissions": {"issues": "read", "metadata": "read"}}
    github.token = (await github.as_app("POST", path, narrowed)).body["token"]
    assert (await github.get(f"/repositories/{repo.id}/issues")).status == 200
    assert (await github.get(f"/repositories/{other.id}")).status == 404
    refused = await github.call("POST", f"/repositories/{repo.id}/issues", {"title": "x"})
    assert (refused.status, refused.message) == (403, "Resource not accessible by integration")


@pytest.mark.parametrize(
    "asked",
    [{"repository_ids": [1]}, {"permissions": {"packages": "read"}}, {"repository_ids": list(range(501))}],
)
async def test_a_token_cannot_be_wider_than_its_installation(
    github: Caller, org: Organisation, asked: dict[str, Any]
) -> None:
    assert org.installation is not None
    path = f"/app/installations/{org.installation.id}/access_tokens"
    assert (await github.as_app("POST", path, asked)).status == 422


@pytest.mark.parametrize(("version", "status"), [("2022-11-28", 200), ("2026-03-10", 200), ("2020-01-01", 410)])
async def test_an_api_version_is_current_or_gone(github: Caller, version: str, status: int) -> None:
    answer = await github.call("GET", "/orgs/prog1", **{"X-GitHub-Api-Version": version})
    assert answer.status == status


async def test_the_hours_calls_run_out(github: Caller, world: World, org: Organisation) -> None:
    first = await github.get("/orgs/prog1")
    assert first.headers["x-ratelimit-remaining"] == "4999"
    world.limits.of(org.installation, world.clock.real()).used = 5_000
    refused = await github.get("/orgs/prog1")
    assert (refused.status, refused.headers["x-ratelimit-remaining"]) == (403, "0")
    assert "API rate limit exceeded for installation ID" in refused.message

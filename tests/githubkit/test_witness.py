"""The witness sees what plain validation lets through."""

import json
from datetime import UTC, datetime
from typing import Any

import pytest

from sandbox.calls import Call
from sandbox.delivery import Delivery
from sandbox.organisation import Organisation
from sandbox.render import issues, repositories
from sandbox.repository import Repository
from sandbox.request import Answer
from sandbox.routes import ROUTES
from sandbox.world import World
from tests.githubkit.operations import operation
from tests.githubkit.witness import Witness, about_answer, about_call, about_delivery

REPOSITORY = "/repos/{owner}/{repo}"
CHECK = f"{REPOSITORY}/check-runs"
NOW = datetime(2026, 12, 1, tzinfo=UTC)


@pytest.fixture
def repo() -> Repository:
    """A repository of a world that is not served."""
    org: Organisation = World().organisation("prog1")
    return org.repository("lab1-amy")


def call(method: str, route: str, body: dict[str, Any], path: str = "") -> Call:
    """A call that the bot made."""
    return Call(1, method, route, path or route, body, 200, NOW, True, None)


def delivery(event: str, payload: Any) -> Delivery:
    """A webhook of the sandbox."""
    return Delivery(1, "guid", event, None, None, None, json.dumps(payload).encode(), NOW)


@pytest.mark.parametrize("route", ROUTES, ids=lambda route: f"{route.method} {route.template}")
def test_each_route_of_the_sandbox_is_one_of_githubs(route: Any) -> None:
    assert operation(route.method, route.template)


def test_a_good_answer_fits(repo: Repository) -> None:
    assert about_answer("GET", REPOSITORY, Answer(200, repositories.full(repo))) == []


def test_a_misspelt_field_of_an_answer_is_seen(repo: Repository) -> None:
    answer = repositories.full(repo) | {"archved": False}

    (complaint,) = about_answer("GET", REPOSITORY, Answer(200, answer))

    assert complaint == f"GET {REPOSITORY} answered 200: archved: Extra inputs are not permitted"


def test_a_missing_field_of_an_answer_is_seen(repo: Repository) -> None:
    answer = {key: value for key, value in repositories.full(repo).items() if key != "pushed_at"}

    assert about_answer("GET", REPOSITORY, Answer(200, answer)) == [
        f"GET {REPOSITORY} answered 200: pushed_at: Field required"
    ]


@pytest.mark.parametrize("bent", [{"id": "17"}, {"archived": "no"}, {"pushed_at": "yesterday"}])
def test_a_field_of_another_type_is_seen(repo: Repository, bent: dict[str, Any]) -> None:
    assert about_answer("GET", REPOSITORY, Answer(200, repositories.full(repo) | bent))


def test_a_field_unknown_to_failures_is_seen() -> None:
    assert about_answer("GET", REPOSITORY, Answer(404, {"message": "Not Found"})) == []
    assert about_answer("GET", REPOSITORY, Answer(404, {"mesage": "Not Found"}))


def test_a_body_where_github_sends_none_is_seen() -> None:
    assert about_answer("POST", f"{REPOSITORY}/dispatches", Answer(204)) == []
    assert about_answer("POST", f"{REPOSITORY}/dispatches", Answer(204, {}))


def test_a_misspelt_field_deep_in_a_webhook_is_seen(repo: Repository) -> None:
    issue = issues.in_event(repo.open_issue(repo.world.user("amy"), "Help"))
    payload = {"action": "opened", "issue": issue, "repository": repositories.repository(repo)}
    payload |= {"sender": issue["user"]}
    assert about_delivery(delivery("issues", payload)) == []

    misspelt = payload | {"issue": issue | {"user": issue["user"] | {"logn": "amy"}}}

    assert "logn: Extra inputs are not permitted" in " ".join(about_delivery(delivery("issues", misspelt)))


def test_a_misspelt_field_of_a_body_that_the_bot_sends_is_seen() -> None:
    good = {"name": "Deadline", "head_sha": "0" * 40, "status": "completed", "conclusion": "success"}
    assert list(about_call(call("POST", CHECK, good))) == []

    assert list(about_call(call("POST", CHECK, good | {"sumary": "On time"})))
    assert list(about_call(call("POST", CHECK, good | {"output": {"title": "t", "summary": "s", "txt": "u"}})))


def test_a_query_parameter_that_github_does_not_know_is_seen() -> None:
    assert list(about_call(call("GET", f"{REPOSITORY}/issues", {}, "/repos/a/b/issues?per_page=100&state=all"))) == []

    (complaint,) = about_call(call("GET", f"{REPOSITORY}/issues", {}, "/repos/a/b/issues?perpage=100"))

    assert complaint.endswith("perpage is no query parameter")


def test_what_github_leaves_open_stays_open() -> None:
    body = {"event_type": "grade-final", "client_payload": {"sha": "0" * 40, "whatever": [1]}}

    assert list(about_call(call("POST", f"{REPOSITORY}/dispatches", body))) == []


def test_the_witness_of_a_world_tells_of_all_three(repo: Repository) -> None:
    world = repo.world
    witness = Witness(world)
    assert world.witness is not None

    world.witness("GET", REPOSITORY, Answer(200, {}))
    world.calls.append(call("DELETE", f"{REPOSITORY}/git/refs/{{ref}}", {"force": True}))
    world.hook.log.append(delivery("push", {"ref": "refs/heads/main"}))

    told = " ".join(witness.complaints())
    assert all(word in told for word in ("answered 200", "takes no body", "event push"))

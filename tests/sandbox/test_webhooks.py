"""Webhooks: signed, logged, and as unreliable as a test wants them."""

import pytest
from gidgethub.sansio import validate_event

from sandbox import World
from sandbox.organisation import Organisation
from sandbox.repository import Repository

from .caller import Caller, Received


async def test_a_webhook_is_signed_over_its_raw_body_with_githubs_headers(
    world: World, org: Organisation, repo: Repository, inbox: list[Received]
) -> None:
    world.app.webhook_secret = "geheim"
    repo.push(world.user("amy"))
    await world.hook.idle()
    headers, body = inbox[0].headers, inbox[0].raw
    validate_event(body, signature=headers["X-Hub-Signature-256"], secret="geheim")
    validate_event(body, signature=headers["X-Hub-Signature"], secret="geheim")
    assert headers["X-GitHub-Hook-Installation-Target-ID"] == str(world.app.id)
    assert headers["X-GitHub-Hook-Installation-Target-Type"] == "integration"
    assert headers["User-Agent"].startswith("GitHub-Hookshot/")
    assert org.installation is not None
    assert inbox[0].payload["installation"]["id"] == org.installation.id
    assert inbox[0].payload["organization"]["login"] == "prog1"


async def test_without_a_secret_nothing_is_signed(world: World, repo: Repository, inbox: list[Received]) -> None:
    world.app.webhook_secret = None
    repo.push(world.user("amy"))
    await world.hook.idle()
    assert not any(name.startswith("X-Hub-Signature") for name in inbox[0].headers)


async def test_without_a_url_nothing_is_sent_and_all_is_logged(world: World, repo: Repository) -> None:
    repo.push(world.user("amy"))
    await world.hook.idle()
    assert world.hook.log[-1].event == "push"
    assert world.hook.log[-1].status == "not sent"


async def test_the_sender_of_what_the_app_does_is_its_bot(
    github: Caller, world: World, repo: Repository, inbox: list[Received]
) -> None:
    issue = repo.open_issue(world.user("amy"), "Lab 1")
    await github.call("POST", f"/repositories/{repo.id}/issues/{issue.number}/comments", {"body": "noted"})
    await world.hook.idle()
    comment = next(one.payload for one in inbox if one.event == "issue_comment")
    assert (comment["sender"]["login"], comment["sender"]["type"]) == ("pencils-down[bot]", "Bot")
    assert comment["comment"]["performed_via_github_app"]["slug"] == "pencils-down"


async def test_deliveries_can_be_held_and_released_in_another_order(
    world: World, repo: Repository, inbox: list[Received]
) -> None:
    world.hook.hold()
    shas = [repo.push(world.user("amy")) for _ in range(4)]
    await world.hook.idle()
    assert inbox == []
    world.hook.release(order="reversed")
    await world.hook.idle()
    assert [one.payload["after"] for one in inbox] == shas[::-1]


async def test_a_dropped_delivery_shows_as_failed_and_can_be_redelivered_under_its_guid(
    github: Caller, world: World, repo: Repository, inbox: list[Received]
) -> None:
    world.hook.drop("push")
    sha = repo.push(world.user("amy"))
    await world.hook.idle()
    assert inbox == []
    failed = (await github.as_app("GET", "/app/hook/deliveries?status=failure")).body
    assert [(one["event"], one["status_code"], one["redelivery"]) for one in failed] == [("push", 502, False)]
    full = (await github.as_app("GET", f"/app/hook/deliveries/{failed[0]['id']}")).body
    assert full["request"]["payload"]["after"] == sha
    again = await github.as_app("POST", f"/app/hook/deliveries/{failed[0]['id']}/attempts")
    assert again.status == 202
    await world.hook.idle()
    assert [one.guid for one in inbox] == [failed[0]["guid"]]
    newest = (await github.as_app("GET", "/app/hook/deliveries?per_page=1")).body[0]
    assert (newest["redelivery"], newest["status"], newest["status_code"]) == (True, "OK", 202)


async def test_a_duplicated_delivery_arrives_twice_under_one_guid(
    world: World, repo: Repository, inbox: list[Received]
) -> None:
    world.hook.duplicate("push")
    repo.push(world.user("amy"))
    await world.hook.idle()
    assert len(inbox) == 2
    assert len({one.guid for one in inbox}) == 1


async def test_a_service_that_is_down_is_told_only_once(world: World, repo: Repository) -> None:
    world.app.webhook_url = "http://127.0.0.1:1/webhook"
    repo.push(world.user("amy"))
    await world.hook.idle()
    assert [one.status for one in world.hook.log if one.event == "push"] == ["failed to connect to host"]


async def test_the_log_is_read_by_cursor(github: Caller, world: World, org: Organisation) -> None:
    for number in range(3):
        org.repository(f"lab1-{number}")
    first = await github.as_app("GET", "/app/hook/deliveries?per_page=2")
    second = await github.as_app("GET", first.link("next"))
    seen = [one["id"] for one in first.body + second.body]
    assert seen == [one.id for one in reversed(world.hook.log)]


async def test_a_suspended_installation_hears_of_nothing_but_that(
    world: World, org: Organisation, repo: Repository, inbox: list[Received]
) -> None:
    assert org.installation is not None
    org.installation.suspend()
    repo.push(world.user("amy"))
    await world.hook.idle()
    assert [(one.event, one.payload["action"]) for one in inbox] == [("installation", "suspend")]


async def test_an_app_hears_only_what_it_asked_for_and_may_hear(
    world: World, org: Organisation, repo: Repository, inbox: list[Received]
) -> None:
    assert org.installation is not None
    world.app.events.discard("push")
    repo.push(world.user("amy"))
    del org.installation.permissions["issues"]
    repo.open_issue(world.user("amy"), "Lab 1")
    await world.hook.idle()
    assert inbox == []


async def test_selecting_repositories_is_told(
    world: World, org: Organisation, repo: Repository, inbox: list[Received]
) -> None:
    assert org.installation is not None
    other = org.repository("lab1-ben")
    org.installation.remove(other)
    other.push(org.somebody)
    org.installation.add(other)
    await world.hook.idle()
    told = sorted((one.event, one.payload["action"]) for one in inbox if one.event != "repository")
    assert told == [("installation_repositories", "added"), ("installation_repositories", "removed")]


async def test_waiting_for_deliveries_needs_a_served_world() -> None:
    with pytest.raises(RuntimeError, match="served"):
        await World().hook.idle()

"""The log of the App's deliveries: what it says, how far back, and what it has lost."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from sandbox import World
from sandbox.organisation import Organisation
from sandbox.repository import Repository

from .caller import Caller, Received, Reply

NOON = datetime(2026, 12, 1, 12, tzinfo=UTC)
LOG = "/app/hook/deliveries"


async def listed(github: Caller, query: str = "") -> list[dict[str, Any]]:
    """The one page that the log has."""
    page = await github.as_app("GET", f"{LOG}?per_page=100&{query}")
    assert page.status == 200
    assert not page.link("next")
    items: list[dict[str, Any]] = page.body
    return items


async def detail(github: Caller, number: int) -> Reply:
    """One delivery in full."""
    return await github.as_app("GET", f"{LOG}/{number}")


@pytest.fixture
async def pushes(world: World, repo: Repository, inbox: list[Received]) -> list[str]:
    """The heads of Amy's four pushes at noon, all delivered, and nothing else in the log."""
    world.hook.forget(lambda _: True)
    world.clock.stand_at(NOON)
    shas = []
    for _ in range(4):
        shas.append(repo.push(world.user("amy")))
        await world.hook.idle()
    assert len(inbox) == 4
    return shas


async def test_a_delivery_is_listed_with_all_but_what_was_said(
    github: Caller, org: Organisation, repo: Repository, pushes: list[str], inbox: list[Received]
) -> None:
    item = (await listed(github))[0]
    number, duration = item.pop("id"), item.pop("duration")
    assert org.installation is not None
    assert (number > 2**32, duration >= 0) == (True, True)
    assert item == {
        "guid": inbox[-1].guid,
        "delivered_at": "2026-12-01T12:00:00Z",
        "redelivery": False,
        "status": "OK",
        "status_code": 202,
        "event": "push",
        "action": None,
        "installation_id": org.installation.id,
        "repository_id": repo.id,
        "throttled_at": None,
    }


async def test_the_detail_adds_what_was_sent_and_answered(
    github: Caller, world: World, pushes: list[str], inbox: list[Received]
) -> None:
    item = (await listed(github))[0]
    full = (await detail(github, item["id"])).body
    request, response, url = full.pop("request"), full.pop("response"), full.pop("url")
    assert full == item
    assert (request["payload"], request["headers"]["X-GitHub-Delivery"]) == (inbox[-1].payload, item["guid"])
    assert (response["payload"], url) == ("noted", world.app.webhook_url)


@pytest.mark.parametrize(
    ("code", "success", "failure"), [(200, 1, 0), (399, 1, 0), (400, 0, 1), (599, 0, 1), (0, 0, 0), (600, 0, 0)]
)
async def test_success_and_failure_are_told_by_the_code(
    github: Caller, world: World, pushes: list[str], code: int, success: int, failure: int
) -> None:
    kept = world.hook.log[-1]
    world.hook.forget(lambda one: one is not kept)
    kept.status_code = code
    counts = [len(await listed(github, f"status={wanted}")) for wanted in ("success", "failure")]
    assert counts == [success, failure]
    assert len(await listed(github)) == 1
    assert (await github.as_app("GET", f"{LOG}?status=OK")).status == 422


async def test_the_log_goes_on_by_the_link_alone_newest_first(
    github: Caller, world: World, repo: Repository, pushes: list[str]
) -> None:
    ids = [one.id for one in world.hook.log[:-5:-1]]
    first = await github.as_app("GET", f"{LOG}?per_page=2&status=success")
    repo.push(world.user("amy"))
    await world.hook.idle()
    world.hook.forget(lambda one: one.id == ids[1])
    second = await github.as_app("GET", first.link("next"))
    assert [one["id"] for one in first.body + second.body] == ids
    assert second.link("next") == ""
    assert "status=success" in first.link("next")
    assert (await github.as_app("GET", f"{LOG}?cursor={ids[1]}")).status == 422


async def test_a_redelivery_is_another_entry_of_the_same_guid(
    github: Caller, world: World, pushes: list[str], inbox: list[Received]
) -> None:
    first = (await listed(github))[-1]
    world.clock.shift(timedelta(hours=1))
    assert (await github.as_app("POST", f"{LOG}/{first['id']}/attempts")).status == 202
    await world.hook.idle()
    newest, *rest = await listed(github)
    assert len(rest) == 4
    assert newest["id"] != first["id"]
    assert (newest["guid"], newest["redelivery"]) == (first["guid"], True)
    assert (newest["delivered_at"], rest[-1]) == ("2026-12-01T13:00:00Z", first)
    assert inbox[-1].raw == inbox[0].raw


async def test_the_log_goes_back_three_days_by_githubs_clock(
    github: Caller, world: World, repo: Repository, pushes: list[str]
) -> None:
    old = (await listed(github))[0]["id"]
    world.clock.shift(timedelta(days=3) - timedelta(seconds=1))
    repo.push(world.user("amy"))
    await world.hook.idle()
    assert (len(await listed(github)), (await detail(github, old)).status) == (5, 200)
    world.clock.shift(timedelta(seconds=1))
    assert (len(await listed(github)), (await detail(github, old)).status) == (1, 404)
    assert (await github.as_app("POST", f"{LOG}/{old}/attempts")).status == 404


async def test_chosen_deliveries_can_be_gone_sooner(github: Caller, world: World, pushes: list[str]) -> None:
    ids = [one["id"] for one in await listed(github)]
    assert world.hook.forget(lambda one: one.id in ids[::2]) == 2
    assert [one["id"] for one in await listed(github)] == ids[1::2]
    assert [(await detail(github, number)).status for number in ids] == [404, 200, 404, 200]
    world.hook.redeliver(world.hook.log[-1].guid)
    await world.hook.idle()
    assert len(await listed(github)) == 3


async def test_a_delivery_without_its_payload_is_listed_and_can_be_sent_again(
    github: Caller, world: World, pushes: list[str], inbox: list[Received]
) -> None:
    assert world.hook.lose_payload(lambda one: one.event == "push" and one.payload["after"] == pushes[0]) == 1
    bare, whole = [one["id"] for one in await listed(github)][:1:-1]
    assert (await detail(github, bare)).body["request"]["payload"] is None
    assert (await detail(github, whole)).body["request"]["payload"]["after"] == pushes[1]
    assert (await github.as_app("POST", f"{LOG}/{bare}/attempts")).status == 202
    await world.hook.idle()
    assert inbox[-1].payload["after"] == pushes[0]


async def test_what_is_held_is_logged_once_it_is_delivered_and_says_what_it_said(
    github: Caller, world: World, repo: Repository, pushes: list[str], inbox: list[Received]
) -> None:
    world.hook.hold()
    repo.push(world.user("amy"))
    (held,) = world.hook.held
    assert (len(await listed(github)), (await detail(github, held.id)).status) == (4, 404)
    world.clock.shift(timedelta(hours=1))
    world.hook.release()
    await world.hook.idle()
    newest = (await listed(github))[0]
    assert (newest["id"], newest["delivered_at"]) == (held.id, "2026-12-01T13:00:00Z")
    assert inbox[-1].payload["repository"]["pushed_at"] == int(NOON.timestamp())


async def test_what_was_held_and_is_left_out_was_tried_in_vain(
    github: Caller, world: World, repo: Repository, pushes: list[str]
) -> None:
    world.hook.hold()
    repo.push(world.user("amy"))
    world.hook.release(lambda _: [])
    newest = (await listed(github))[0]
    assert (newest["event"], newest["status"]) == ("push", "failed to connect to host")

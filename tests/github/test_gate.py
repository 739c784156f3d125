"""The one gate that every call of an installation passes."""

import asyncio
from contextlib import suppress
from dataclasses import replace

import aiohttp
import pytest

from bot.github import dispatches
from bot.github.api import Api
from bot.github.failures import Closing, GitHubFailure, HeldByShadow, Limited, Paused
from bot.github.gate import Admission, Call, Passage, Urgency, pass_through
from bot.github.hub import Hub

from .conftest import INSTALLATION, MINT, OpenGate, settings, token
from .fake import FakeGitHub, Reply

CALL = Call("PUT", "/orgs/prog1/rulesets/1", 5, 77, (1, 2), Urgency.DEADLINE, creates_content=False)


async def test_a_call_waits_as_long_as_the_gate_says_and_asks_again() -> None:
    gate = OpenGate(Admission("wait", 0.001), Admission("wait", 0.001))

    await pass_through(gate, CALL, patience_seconds=5, closing=asyncio.Event())

    assert gate.calls == [CALL] * 3


async def test_a_call_does_not_begin_a_wait_that_outlasts_its_patience() -> None:
    with pytest.raises(Paused) as caught:
        await pass_through(OpenGate(Admission("wait", 60)), CALL, patience_seconds=5, closing=asyncio.Event())

    assert caught.value.after_seconds == 60


async def test_waiting_again_and_again_ends_with_the_patience() -> None:
    gate = OpenGate(*[Admission("wait", 0.01)] * 1000)

    with pytest.raises(Paused):
        await pass_through(gate, CALL, patience_seconds=0.05, closing=asyncio.Event())


async def test_a_paused_installation_sends_nothing(api: Api, gate: OpenGate, github: FakeGitHub) -> None:
    gate.admissions = [Admission("paused", 42)]

    with pytest.raises(Paused) as caught:
        await api.read("/repositories/1")

    assert caught.value.after_seconds == 42
    assert github.asked == []


async def test_shadow_mode_holds_a_write_before_even_a_token_is_asked_for(
    api: Api, gate: OpenGate, github: FakeGitHub
) -> None:
    gate.admissions = [Admission("shadow")]

    with pytest.raises(HeldByShadow):
        await api.write("PUT", CALL.path, {}, repository_ids=(1, 2), urgency=Urgency.DEADLINE, attempts=3)

    assert gate.calls == [CALL]
    assert github.asked == []


async def test_every_try_passes_the_gate_and_every_page(api: Api, gate: OpenGate, github: FakeGitHub) -> None:
    more = {"Link": f'<{github.url}/orgs/prog1/rulesets?page=2>; rel="next"'}
    github.on("GET", "/orgs/prog1/rulesets", Reply(502), Reply(200, [1], more), Reply(200, [2]))

    assert await api.pages("/orgs/prog1/rulesets") == [1, 2]
    assert len(gate.calls) == 3


async def test_a_limit_pauses_the_installation_and_is_not_tried_again(
    api: Api, gate: OpenGate, github: FakeGitHub
) -> None:
    github.on("PUT", CALL.path, Reply(429, {"message": "secondary rate limit"}, {"Retry-After": "9"}))

    with pytest.raises(Limited):
        await api.write("PUT", CALL.path, {}, repository_ids=(1, 2), urgency=Urgency.DEADLINE, attempts=3)

    assert gate.pauses == [(CALL, 9.0)]
    assert github.count("PUT", CALL.path) == 1


async def test_a_limit_on_the_token_pauses_the_installation_too(api: Api, gate: OpenGate, github: FakeGitHub) -> None:
    github.on("POST", MINT, Reply(403, {"message": "secondary rate limit"}, {"Retry-After": "9"}))

    with pytest.raises(Limited):
        await api.read("/repositories/1")

    assert [seconds for _, seconds in gate.pauses] == [9.0]


async def test_the_apps_own_calls_pass_no_gate(hub: Hub, gate: OpenGate, github: FakeGitHub) -> None:
    github.on("GET", "/app", Reply(200, {"slug": "pencils-down"}))

    assert await hub.app().read("/app") == {"slug": "pencils-down"}
    assert gate.calls == []


def test_a_read_costs_one_point_and_a_write_five() -> None:
    assert (CALL.points, CALL.writes) == (5, True)
    assert (replace(CALL, method="GET").points, replace(CALL, method="GET").writes) == (1, False)


async def test_a_write_that_forgets_its_repository_is_known_by_its_path(
    api: Api, gate: OpenGate, github: FakeGitHub
) -> None:
    github.on("POST", "/repositories/7/dispatches", Reply(204))

    await api.write("POST", "/repositories/7/dispatches", {}, urgency=Urgency.REVIEW)

    assert gate.calls[-1].repository_ids == (7,)


@pytest.mark.parametrize("reply", [Reply(200, {}), Reply(403), Reply(502), Reply(instead="drop"), Reply(429)])
async def test_the_gate_is_told_when_a_call_has_ended_however(
    api: Api, gate: OpenGate, github: FakeGitHub, reply: Reply
) -> None:
    github.on("PUT", CALL.path, reply)

    with suppress(GitHubFailure):
        await api.write("PUT", CALL.path, {}, repository_ids=(1, 2), urgency=Urgency.DEADLINE, attempts=2)

    assert gate.ended == gate.calls


async def test_the_gate_is_told_of_what_github_sends_on(api: Api, gate: OpenGate, github: FakeGitHub) -> None:
    github.on("PUT", CALL.path, Reply(307, None, {"Location": "/organizations/5/rulesets/1"}))
    github.on("PUT", "/organizations/5/rulesets/1", Reply(200, {}))

    await api.write("PUT", CALL.path, {}, repository_ids=(1, 2), urgency=Urgency.DEADLINE)

    assert gate.sent_on == [CALL]


async def test_once_the_process_ends_no_call_begins_of_an_installation_or_of_the_app(
    api: Api, hub: Hub, gate: OpenGate, github: FakeGitHub
) -> None:
    hub.close()

    for caller in (api, hub.app()):
        with pytest.raises(Closing) as caught:
            await caller.read("/repositories/1")
        assert not caught.value.ambiguous
    assert github.asked == []


async def test_a_call_that_waits_for_budget_when_the_process_ends_waits_no_longer() -> None:
    closing, gate = asyncio.Event(), OpenGate(*[Admission("wait", 60)] * 9)
    waiting = asyncio.create_task(pass_through(gate, CALL, patience_seconds=600, closing=closing))
    while not gate.calls:
        await asyncio.wait({waiting}, timeout=0.01)

    closing.set()

    async with asyncio.timeout(5):
        with pytest.raises(Closing):
            await waiting


class Broken(OpenGate):
    """A gate whose database is away."""

    async def admit(self, call: Call) -> Admission:
        """Fail."""
        raise OSError("the connection is lost")


@pytest.mark.parametrize(
    ("replies", "out"),
    [
        ([Reply(204)], True),
        ([Reply(502)], True),
        ([Reply(422)], False),
        ([Reply(401), Reply(422)], False),
        ([Reply(401), Reply(502)], True),
    ],
    ids=["done", "broken", "refused", "refused twice", "refused, then broken"],
)
async def test_a_call_is_out_while_github_may_have_acted_on_it(
    api: Api, github: FakeGitHub, replies: list[Reply], out: bool
) -> None:
    passage = Passage()
    github.on("POST", "/repositories/1/dispatches", *replies)

    with suppress(GitHubFailure):
        await dispatches.send(api, 1, "grade-final", {}, passage)

    assert passage.out is out


async def test_a_call_is_not_out_where_the_gate_or_the_token_fails(
    github: FakeGitHub, session: aiohttp.ClientSession, hub: Hub
) -> None:
    passage = Passage()
    broken = Hub(settings(github.url), session, Broken()).installation(5, INSTALLATION, "prog1")
    with pytest.raises(OSError, match="lost"):
        await dispatches.send(broken, 1, "grade-final", {}, passage)
    github.on("POST", MINT, Reply(502))
    with pytest.raises(Paused):
        await dispatches.send(hub.installation(5, INSTALLATION, "prog1"), 1, "grade-final", {}, passage)

    assert not passage.out


async def test_a_dispatch_for_which_no_connection_could_be_made_was_certainly_not_sent() -> None:
    connector = aiohttp.TCPConnector(force_close=True)
    async with aiohttp.ClientSession(connector=connector) as session:
        async with FakeGitHub().serving() as gone:
            gone.on("POST", MINT, token("ghs_first"))
            gone.on("GET", "/repositories/1", Reply(200, {}))
            api = Hub(settings(gone.url), session, OpenGate()).installation(5, INSTALLATION, "prog1")
            await api.read("/repositories/1")

        with pytest.raises(Paused, match="cannot be reached"):
            await dispatches.send(api, 1, "grade-final", {})

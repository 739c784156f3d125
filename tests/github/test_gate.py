"""The one gate that every call of an installation passes."""

from contextlib import suppress
from dataclasses import replace

import pytest

from bot.github.api import Api
from bot.github.failures import GitHubFailure, HeldByShadow, Limited, Paused
from bot.github.gate import Admission, Call, Urgency, pass_through
from bot.github.hub import Hub

from .conftest import MINT, OpenGate
from .fake import FakeGitHub, Reply

CALL = Call("PUT", "/orgs/prog1/rulesets/1", 5, 77, (1, 2), Urgency.DEADLINE, creates_content=False)


async def test_a_call_waits_as_long_as_the_gate_says_and_asks_again() -> None:
    gate = OpenGate(Admission("wait", 0.001), Admission("wait", 0.001))

    await pass_through(gate, CALL, patience_seconds=5)

    assert gate.calls == [CALL] * 3


async def test_a_call_does_not_begin_a_wait_that_outlasts_its_patience() -> None:
    with pytest.raises(Paused) as caught:
        await pass_through(OpenGate(Admission("wait", 60)), CALL, patience_seconds=5)

    assert caught.value.after_seconds == 60


async def test_waiting_again_and_again_ends_with_the_patience() -> None:
    gate = OpenGate(*[Admission("wait", 0.01)] * 1000)

    with pytest.raises(Paused):
        await pass_through(gate, CALL, patience_seconds=0.05)


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

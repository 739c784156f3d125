"""One exchange: headers, redirects, time limits, and what never leaves this machine."""

import asyncio
import json
import traceback

import aiohttp
import pytest

from bot.config import Config
from bot.github.api import Api
from bot.github.failures import GitHubFailure, NoAnswer, Refused, ServerBroken, StrayRedirect
from bot.github.gate import Urgency
from bot.github.hub import PATIENCE_SECONDS, Hub, within_lease

from .conftest import APP_ID, OpenGate, private_key
from .fake import FakeGitHub, Reply

OLD, NEW = "/repos/prog1/old", "/repositories/1"


async def test_every_call_names_the_api_version_who_asks_and_what_it_takes(api: Api, github: FakeGitHub) -> None:
    github.on("GET", NEW, Reply(200, {"id": 1}))

    await api.read(NEW)

    for asked in github.asked:
        assert asked.headers["X-GitHub-Api-Version"] == "2026-03-10"
        assert asked.headers["User-Agent"] == "pencils-down"
        assert asked.headers["Accept"] == "application/vnd.github+json"
    assert github.asked[-1].headers["Authorization"].lower() == "bearer ghs_first"


@pytest.mark.parametrize("status", [301, 302, 307, 308])
@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH"])
async def test_a_redirect_repeats_method_body_and_credential(
    api: Api, github: FakeGitHub, method: str, status: int
) -> None:
    github.on(method, OLD, Reply(status, {"message": "Moved"}, {"Location": f"{github.url}{NEW}"}))
    github.on(method, NEW, Reply(200, {"id": 1}))

    answer = await api.write(method, OLD, {"archived": True}, urgency=Urgency.DEADLINE)

    moved = github.last(method, NEW)
    assert answer.data == {"id": 1}
    assert json.loads(moved.body) == {"archived": True}
    assert moved.headers["Authorization"] == github.last(method, OLD).headers["Authorization"]


async def test_a_relative_redirect_stays_on_the_host(api: Api, github: FakeGitHub) -> None:
    github.on("GET", OLD, Reply(301, None, {"Location": NEW}))
    github.on("GET", NEW, Reply(200, {"id": 1}))

    assert await api.read(OLD) == {"id": 1}


async def test_a_redirect_to_another_origin_is_refused_and_hears_no_token(api: Api, github: FakeGitHub) -> None:
    async with FakeGitHub().serving() as elsewhere:
        github.on("POST", OLD, Reply(307, None, {"Location": f"{elsewhere.url}{NEW}"}))

        with pytest.raises(StrayRedirect) as caught:
            await api.write("POST", OLD, {}, urgency=Urgency.DEADLINE, attempts=3)

        assert not caught.value.ambiguous
        assert elsewhere.asked == []


async def test_a_redirect_in_circles_ends_after_five(api: Api, github: FakeGitHub) -> None:
    github.on("GET", OLD, Reply(302, None, {"Location": OLD}))

    with pytest.raises(StrayRedirect):
        await api.read(OLD)

    assert github.count("GET", OLD) == 6


async def test_a_next_page_on_another_origin_is_refused(api: Api, github: FakeGitHub) -> None:
    async with FakeGitHub().serving() as elsewhere:
        github.on("GET", OLD, Reply(200, [1], {"Link": f'<{elsewhere.url}/x?page=2>; rel="next"'}))

        with pytest.raises(StrayRedirect):
            await api.pages(OLD)

        assert elsewhere.asked == []


async def test_a_silent_server_is_no_answer_in_time(api: Api, github: FakeGitHub) -> None:
    github.on("POST", NEW, Reply(instead="silence"))

    with pytest.raises(NoAnswer) as caught:
        async with asyncio.timeout(2):
            await api.write("POST", NEW, {}, urgency=Urgency.REVIEW)

    assert caught.value.sent
    assert caught.value.message == "TimeoutError"


@pytest.mark.parametrize("lease_seconds", [30, 600, 86_400])
def test_three_tries_with_their_waits_and_a_new_token_end_before_the_lease(lease_seconds: int) -> None:
    exchange, wait = within_lease(30.0, lease_seconds), within_lease(PATIENCE_SECONDS, lease_seconds)

    assert 3 * wait + 3 * exchange + 3 * exchange < lease_seconds


async def test_a_refused_connection_is_known_not_to_have_been_sent(session: aiohttp.ClientSession) -> None:
    async with FakeGitHub().serving() as fake:
        closed = fake.url
    config = Config(app_id=APP_ID, private_key=private_key(), webhook_secret="s", github_api_url=closed)

    with pytest.raises(NoAnswer) as caught:
        await Hub(config, session, OpenGate()).app().read("/app")

    assert not caught.value.sent


@pytest.mark.parametrize(
    "reply",
    [
        Reply(502, text="<html>Unicorn!</html>"),
        Reply(502, text="{", headers={"Content-Type": "application/json"}),
        Reply(520, {"message": "odd"}),
        Reply(303, None, {"Location": NEW}),
        Reply(200, text="{", headers={"Content-Type": "application/json"}),
        Reply(200, text="x", headers={"Content-Type": "text/plain; charset=none-such"}),
    ],
)
async def test_an_answer_nobody_can_read_leaves_the_outcome_open(api: Api, github: FakeGitHub, reply: Reply) -> None:
    github.on("POST", OLD, reply)

    with pytest.raises(ServerBroken):
        await api.write("POST", OLD, {}, urgency=Urgency.REVIEW)


async def test_a_refusal_keeps_the_particulars(api: Api, github: FakeGitHub) -> None:
    github.on("POST", OLD, Reply(422, {"message": "Validation Failed", "errors": ["Name must be unique"]}))

    with pytest.raises(Refused, match=r"Validation Failed.*Name must be unique"):
        await api.write("POST", OLD, {}, urgency=Urgency.DEADLINE)


@pytest.mark.parametrize("reply", [Reply(instead="drop"), Reply(401, {"message": "Bad credentials"}), Reply(500)])
async def test_no_secret_is_in_a_failure_nor_in_its_traceback(api: Api, github: FakeGitHub, reply: Reply) -> None:
    github.on("POST", OLD, reply)

    with pytest.raises(GitHubFailure) as caught:
        await api.write("POST", OLD, {}, urgency=Urgency.REVIEW)

    shown = "".join(traceback.format_exception(caught.value)) + repr(caught.value) + repr(api)
    assert "ghs_" not in shown
    assert "eyJ" not in shown

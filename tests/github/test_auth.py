"""The App's JWT and the installations' tokens."""

import asyncio
from datetime import timedelta

import jwt
import pytest

from bot.github.api import Api
from bot.github.auth import AppKey, InstallationTokens, Token
from bot.github.failures import NotFound, NotInstalled, Paused, Suspended, Unauthorised
from bot.github.gate import Urgency
from bot.github.hub import Hub

from .conftest import APP_ID, MINT, private_key, token
from .fake import FakeGitHub, Reply

REPOSITORY = "/repositories/1"


class Mint:
    """Hands out tokens of an hour, one after the other, when the test lets it."""

    def __init__(self) -> None:
        self.minted = 0
        self.open = asyncio.Event()

    async def __call__(self, installation_id: int) -> Token:
        self.minted += 1
        secret = f"ghs_{installation_id}_{self.minted}"
        await self.open.wait()
        return Token(secret, 3600.0)


class Stopwatch:
    """Monotonic seconds that pass when the test says so."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def __call__(self) -> float:
        return self.seconds


@pytest.fixture
async def mint() -> Mint:
    ready = Mint()
    ready.open.set()
    return ready


async def test_twenty_calls_at_once_ask_for_one_token(api: Api, github: FakeGitHub) -> None:
    github.on("GET", REPOSITORY, Reply(200, {"id": 1}))

    await asyncio.gather(*(api.read(REPOSITORY) for _ in range(20)))

    assert github.count("POST", MINT) == 1
    assert github.count("GET", REPOSITORY) == 20


async def test_a_caller_who_gives_up_does_not_take_the_token_from_the_others() -> None:
    mint = Mint()
    tokens = InstallationTokens(mint)
    first, second = asyncio.ensure_future(tokens.get(77)), asyncio.ensure_future(tokens.get(77))
    while not mint.minted:
        await asyncio.wait([first], timeout=0)

    first.cancel()
    mint.open.set()

    assert await second == "ghs_77_1"


async def test_installations_do_not_share_a_token(mint: Mint) -> None:
    tokens = InstallationTokens(mint)

    assert await tokens.get(77) == "ghs_77_1"
    assert await tokens.get(78) == "ghs_78_2"


async def test_a_token_is_renewed_five_minutes_before_it_expires(mint: Mint) -> None:
    now = Stopwatch()
    tokens = InstallationTokens(mint, monotonic=now)

    assert await tokens.get(77) == "ghs_77_1"
    now.seconds = 3299.0
    assert await tokens.get(77) == "ghs_77_1"
    now.seconds = 3300.0
    assert await tokens.get(77) == "ghs_77_2"


async def test_a_tokens_life_is_measured_between_two_times_of_githubs(api: Api, github: FakeGitHub) -> None:
    github.on("GET", REPOSITORY, Reply(200, {"id": 1}))
    github.on("POST", MINT, token("ghs_short", expires_at="2026-12-01T23:03:00Z"))

    await api.read(REPOSITORY)
    await api.read(REPOSITORY)

    assert github.count("POST", MINT) == 2


async def test_a_401_is_repeated_once_with_a_new_token(api: Api, github: FakeGitHub) -> None:
    github.on("POST", MINT, token("ghs_first"), token("ghs_4242_a.much-longer.one"))
    github.on("PATCH", REPOSITORY, Reply(401, {"message": "Bad credentials"}), Reply(200, {"id": 1}))

    await api.write("PATCH", REPOSITORY, {}, urgency=Urgency.DEADLINE)

    assert github.count("PATCH", REPOSITORY) == 2
    assert github.last("PATCH", REPOSITORY).headers["Authorization"].endswith(" ghs_4242_a.much-longer.one")


async def test_a_second_401_is_the_answer(api: Api, github: FakeGitHub) -> None:
    github.on("GET", REPOSITORY, Reply(401, {"message": "Bad credentials"}))

    with pytest.raises(Unauthorised):
        await api.read(REPOSITORY)

    assert (github.count("GET", REPOSITORY), github.count("POST", MINT)) == (2, 2)


async def test_a_token_that_was_replaced_meanwhile_is_not_thrown_away(mint: Mint) -> None:
    tokens = InstallationTokens(mint)
    refused = await tokens.get(77)
    tokens.refused(77, refused)
    await tokens.get(77)

    tokens.refused(77, refused)

    assert await tokens.get(77) == "ghs_77_2"


async def test_a_suspended_and_a_removed_installation_are_told_apart(api: Api, github: FakeGitHub) -> None:
    github.on("POST", MINT, Reply(403, {"message": "This installation has been suspended"}), Reply(404))

    with pytest.raises(Suspended):
        await api.read(REPOSITORY)
    with pytest.raises(NotInstalled):
        await api.read(REPOSITORY)


@pytest.mark.parametrize("lost", [Reply(502), Reply(instead="drop"), Reply(201, {"no": "token"})])
async def test_a_call_without_a_token_is_certain_not_to_have_been_sent(
    api: Api, github: FakeGitHub, lost: Reply
) -> None:
    github.on("POST", MINT, lost)

    with pytest.raises(Paused) as caught:
        await api.write("POST", "/repositories/1/dispatches", {}, urgency=Urgency.REVIEW)

    assert not caught.value.ambiguous
    assert github.count("POST", "/repositories/1/dispatches") == 0


async def test_a_token_is_asked_for_again_where_the_answer_is_lost(api: Api, github: FakeGitHub) -> None:
    github.on("POST", MINT, Reply(502), Reply(instead="drop"), token("ghs_third"))
    github.on("GET", REPOSITORY, Reply(200, {"id": 1}))

    assert await api.read(REPOSITORY) == {"id": 1}


async def test_the_jwt_is_dated_back_and_short_lived_and_names_the_app(hub: Hub, github: FakeGitHub) -> None:
    github.on("GET", "/app", Reply(200, {}))

    await hub.app().read("/app")

    shown = github.last("GET", "/app").headers["Authorization"]
    claims = jwt.decode(shown.split(" ")[1], options={"verify_signature": False})
    assert claims["iss"] == str(APP_ID)
    assert timedelta(seconds=claims["exp"] - claims["iat"]) <= timedelta(minutes=10)


async def test_the_jwt_is_signed_once_and_used_again() -> None:
    key = AppKey(APP_ID, private_key())
    signed = await key.secret()

    assert await key.secret() is signed
    key.refused(signed)
    assert await key.secret() is not signed


async def test_a_refused_jwt_is_signed_anew_once(hub: Hub, github: FakeGitHub) -> None:
    github.on("GET", "/app", Reply(401, {"message": "'Expiration time' claim is too far in the future"}), Reply())

    await hub.app().read("/app")

    assert github.count("GET", "/app") == 2


@pytest.mark.parametrize("path", ["/repositories/1", "/repositories/1/check-runs/2", "/orgs/prog1/rulesets"])
async def test_a_404_that_may_come_of_the_token_is_asked_once_more_with_another(
    api: Api, github: FakeGitHub, path: str
) -> None:
    github.on("POST", MINT, token("ghs_a"), token("ghs_b"))
    github.on("GET", path, Reply(404), Reply(200, {}))

    await api.read(path)

    assert github.last("GET", path).headers["Authorization"].endswith("ghs_b")
    github.on("GET", path, Reply(404))
    with pytest.raises(NotFound):
        await api.read(path)
    assert github.count("GET", path) == 4


async def test_a_404_that_says_what_there_is_costs_no_token(api: Api, github: FakeGitHub) -> None:
    path = "/orgs/prog1/memberships/amy"
    github.on("GET", path, Reply(404))

    with pytest.raises(NotFound):
        await api.read(path)

    assert (github.count("GET", path), github.count("POST", MINT)) == (1, 1)


async def test_a_token_that_is_forgotten_is_minted_anew(hub: Hub, api: Api, github: FakeGitHub) -> None:
    github.on("GET", REPOSITORY, Reply(200, {}))
    await api.read(REPOSITORY)
    hub.forget_token(api.installation_id)
    await api.read(REPOSITORY)

    assert github.count("POST", MINT) == 2

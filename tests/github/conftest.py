"""One fake GitHub for each test, and a hub that talks to it through a gate that the test can see and steer."""

from collections.abc import AsyncIterator, Iterator
from functools import cache

import aiohttp
import pytest
import stamina
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa

from bot.config import Config
from bot.github.api import Api
from bot.github.gate import Admission, Call
from bot.github.hub import Hub

from .fake import FakeGitHub, Reply

APP_ID = 4242
INSTALLATION = 77
MINT = f"/app/installations/{INSTALLATION}/access_tokens"
AN_HOUR_LATER = "2026-12-01T23:59:00Z"


class OpenGate:
    """Admits by its list of admissions, then everything; remembers what it was told."""

    def __init__(self, *admissions: Admission) -> None:
        self.admissions = list(admissions)
        self.calls: list[Call] = []
        self.pauses: list[tuple[Call, float]] = []
        self.ended: list[Call] = []
        self.sent_on: list[Call] = []

    async def admit(self, call: Call) -> Admission:
        self.calls.append(call)
        return self.admissions.pop(0) if self.admissions else Admission("go")

    def done(self, call: Call) -> None:
        self.ended.append(call)

    async def pause(self, call: Call, seconds: float) -> None:
        self.pauses.append((call, seconds))

    async def moved(self, call: Call) -> None:
        self.sent_on.append(call)


@cache
def private_key() -> str:
    """A key as GitHub gives it to an App, made once."""
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    pem = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.TraditionalOpenSSL, serialization.NoEncryption()
    )
    return pem.decode()


def token(secret: str, expires_at: str = AN_HOUR_LATER) -> Reply:
    """The answer to a request for a token."""
    return Reply(201, {"token": secret, "expires_at": expires_at})


@pytest.fixture(autouse=True)
def _no_backoff() -> Iterator[None]:
    """Retries happen as often as in production, and at once."""
    with stamina.set_testing(True, attempts=100, cap=True):
        yield


@pytest.fixture
async def github() -> AsyncIterator[FakeGitHub]:
    async with FakeGitHub().serving() as fake:
        fake.on("POST", MINT, token("ghs_first"))
        yield fake


@pytest.fixture
async def session() -> AsyncIterator[aiohttp.ClientSession]:
    async with aiohttp.ClientSession() as opened:
        yield opened


@pytest.fixture
def gate() -> OpenGate:
    return OpenGate()


@pytest.fixture
def counted() -> list[tuple[str, int | str]]:
    """What the hub told of its exchanges."""
    return []


def settings(url: str) -> Config:
    """A service's settings against this GitHub."""
    return Config(app_id=APP_ID, private_key=private_key(), webhook_secret="s", github_api_url=url)


@pytest.fixture
def hub(
    github: FakeGitHub, session: aiohttp.ClientSession, gate: OpenGate, counted: list[tuple[str, int | str]]
) -> Hub:
    return Hub(
        settings(github.url),
        session,
        gate,
        timeout_seconds=0.5,
        observe=lambda kind, status: counted.append((kind, status)),
    )


@pytest.fixture
def api(hub: Hub) -> Api:
    return hub.installation(5, INSTALLATION, "prog1")

"""GitHub's side of the webhook: signed requests to the real HTTP surface, on a real database."""

import hmac
import io
import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TypeAlias
from uuid import UUID, uuid4

import asyncpg
import pytest
from aiohttp.test_utils import TestClient, TestServer
from aiohttp.web import Application, Request, Response

from bot.web.health import Readiness, make_app
from bot.webhooks import inbox, receive
from bot.webhooks.inbox import Inbox
from bot.webhooks.receive import LARGEST_BODY, Intake

from .bodies import Body

Pool: TypeAlias = "asyncpg.Pool[asyncpg.Record]"
SECRET = "it's a secret"
APP_LOGIN = "pencils-down[bot]"


def signed(body: bytes, secret: str = SECRET) -> str:
    """The signature that GitHub sends."""
    return "sha256=" + hmac.new(secret.encode(), body, "sha256").hexdigest()


@dataclass
class GitHub:
    """Delivers to the webhook, and has what was stored understood."""

    client: "TestClient[Request, Application]"
    pool: Pool
    woken: list[bool] = field(default_factory=list)
    lost: list[bool] = field(default_factory=list)

    async def post(self, body: bytes, headers: Mapping[str, str]) -> int:
        """The status that a request with exactly these headers is answered with."""
        async with self.client.post("/webhook", data=io.BytesIO(body), headers=headers) as answer:
            return answer.status

    async def deliver_bytes(self, event: str, body: bytes, guid: UUID | None = None) -> int:
        """A delivery, genuine whatever it holds."""
        headers = {
            "X-GitHub-Event": event,
            "X-GitHub-Delivery": str(guid or uuid4()),
            "X-Hub-Signature-256": signed(body),
        }
        return await self.post(body, headers)

    async def deliver(self, event: str, body: Body, guid: UUID | None = None) -> int:
        """A delivery with a JSON body."""
        return await self.deliver_bytes(event, json.dumps(body).encode(), guid)

    async def understand(self) -> None:
        """Understand all that is due."""
        while await inbox.understand_next(Inbox(self.pool, APP_LOGIN)):
            pass

    async def tell(self, event: str, body: Body) -> None:
        """Deliver, and understand."""
        assert await self.deliver(event, body) == 202
        await self.understand()

    async def outcomes(self) -> list[tuple[str, str | None]]:
        """Event and outcome of each stored delivery, in the order of their arrival."""
        rows = await self.pool.fetch("SELECT event, outcome FROM deliveries ORDER BY received_at")
        return [(row["event"], row["outcome"]) for row in rows]


@asynccontextmanager
async def serving(pool: Pool) -> AsyncIterator[GitHub]:
    """GitHub, with the webhook of a process on `pool` before it."""
    woken: list[bool] = []
    lost: list[bool] = []
    intake = Intake(pool, SECRET, lambda: woken.append(True), lambda: lost.append(True))

    async def webhook(request: Request) -> Response:
        return await receive.receive(request, intake)

    async def ready() -> Readiness:
        return Readiness([], [])

    async with TestClient(TestServer(make_app(webhook, ready, LARGEST_BODY))) as client:
        yield GitHub(client, pool, woken, lost)


@pytest.fixture
async def github(pool: Pool) -> AsyncIterator[GitHub]:
    """GitHub, with the webhook of this database before it."""
    async with serving(pool) as opened:
        yield opened

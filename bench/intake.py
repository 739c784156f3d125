"""What it costs to write a push down before its webhook is answered."""

import hmac
import json
from collections.abc import AsyncIterator
from functools import partial
from uuid import uuid4

import aiohttp
from aiohttp import web
from aiohttp.test_utils import TestServer

from bench.ground import ACCOUNT, PUSHES, Ground, fill, ground
from bench.measure import Ratio, Timed, Watch, compare
from bot.webhooks.receive import Intake, receive

SECRET = "bench"
AT_ONCE = 50


async def measure(server: str, size: int, rounds: int) -> AsyncIterator[Ratio]:
    """Fifty pushes one after the other over HTTP, signed: stored, beside answered by a handler that does nothing."""
    async with ground(server) as on:
        await fill(on, size, PUSHES)
        intake = Intake(on.pool, SECRET, wake=lambda: None, lost=lambda: None)
        app = web.Application()
        app.router.add_post("/webhook", partial(_received, intake))
        app.router.add_post("/nothing", _nothing)
        async with TestServer(app) as serving, aiohttp.ClientSession() as session:
            stored = pushes(on, session, str(serving.make_url("/webhook")))
            answered = pushes(on, session, str(serving.make_url("/nothing")))
            base = "answered by a handler that reads the body alone"
            yield await compare(f"{AT_ONCE} pushes stored", stored, base, answered, rounds)


async def _received(intake: Intake, request: web.Request) -> web.Response:
    return await receive(request, intake)


async def _nothing(request: web.Request) -> web.Response:
    await request.read()
    return web.Response(status=202)


def pushes(on: Ground, session: aiohttp.ClientSession, url: str) -> Timed:
    """New pushes to one repository; what was stored of them is deleted again."""

    async def timed() -> float:
        bodies = [_push(number) for number in range(AT_ONCE)]
        with Watch() as watch:
            for body in bodies:
                async with session.post(url, data=body, headers=_headers(body)) as answer:
                    assert answer.status == 202, await answer.text()
        await on.pool.execute("DELETE FROM receipts USING deliveries d WHERE receipts.guid = d.guid")
        await on.pool.execute("DELETE FROM deliveries")
        return watch.seconds

    return timed


def _push(number: int) -> bytes:
    sha = uuid4().hex + f"{number:08x}"
    owner = {"id": ACCOUNT, "login": "prog1", "type": "Organization"}
    pusher = {"id": 9, "login": "amy", "type": "User"}
    return json.dumps(
        {
            "ref": "refs/heads/main",
            "before": "0" * 40,
            "after": sha,
            "created": False,
            "deleted": False,
            "forced": False,
            "commits": [{"id": sha, "distinct": True}],
            "head_commit": {"id": sha, "timestamp": "2026-11-30T22:00:00Z"},
            "repository": {"id": 1001, "name": "lab1-1", "full_name": "prog1/lab1-1", "owner": owner},
            "organization": owner,
            "installation": {"id": 1},
            "sender": pusher,
            "pusher": {"name": "amy"},
        }
    ).encode()


def _headers(body: bytes) -> dict[str, str]:
    return {
        "X-GitHub-Event": "push",
        "X-GitHub-Delivery": str(uuid4()),
        "X-Hub-Signature-256": "sha256=" + hmac.new(SECRET.encode(), body, "sha256").hexdigest(),
        "Content-Type": "application/json",
    }

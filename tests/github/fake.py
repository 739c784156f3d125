"""A server that answers what it is told to and remembers what it was asked. GitHub's behaviour is the sandbox's."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, Literal

from aiohttp import web

DATE = "Tue, 01 Dec 2026 22:59:00 GMT"


@dataclass(frozen=True)
class Reply:
    """One scripted answer: JSON unless `text` is given; `instead` closes the connection or never answers."""

    status: int = 200
    json: Any = None
    headers: Mapping[str, str] = field(default_factory=dict)
    text: str | None = None
    instead: Literal["", "drop", "silence"] = ""


@dataclass(frozen=True)
class Asked:
    """One request as it arrived."""

    method: str
    path: str
    query: Mapping[str, str]
    headers: Mapping[str, str]
    body: bytes


class FakeGitHub:
    """Replies by method and path, in order; the last one of a path stays."""

    def __init__(self) -> None:
        self.url = ""
        self.asked: list[Asked] = []
        self._script: dict[tuple[str, str], deque[Reply]] = {}
        self._end = asyncio.Event()

    def on(self, method: str, path: str, *replies: Reply) -> None:
        """Answer `method path` with `replies`, one after the other."""
        self._script[method, path] = deque(replies)

    def count(self, method: str, path: str) -> int:
        """How many times `method path` was asked for."""
        return sum((asked.method, asked.path) == (method, path) for asked in self.asked)

    def last(self, method: str, path: str) -> Asked:
        """The latest request for `method path`."""
        return next(asked for asked in reversed(self.asked) if (asked.method, asked.path) == (method, path))

    async def handle(self, request: web.Request) -> web.StreamResponse:
        """Remember the request and play the next reply."""
        body = await request.read()
        self.asked.append(Asked(request.method, request.raw_path.split("?")[0], request.query, request.headers, body))
        replies = self._script.get((request.method, request.raw_path.split("?")[0]), deque([Reply(501)]))
        reply = replies.popleft() if len(replies) > 1 else replies[0]
        if reply.instead == "silence":
            await self._end.wait()
        if reply.instead and request.transport is not None:
            request.transport.abort()
        headers = {"Date": DATE, **reply.headers}
        if reply.text is not None:
            return web.Response(status=reply.status, text=reply.text, headers=headers)
        if reply.json is None:
            return web.Response(status=reply.status, headers=headers)
        return web.json_response(reply.json, status=reply.status, headers=headers)

    @asynccontextmanager
    async def serving(self) -> AsyncIterator["FakeGitHub"]:
        """Listen on a free port of loopback."""
        app = web.Application()
        app.router.add_route("*", "/{path:.*}", self.handle)
        runner = web.AppRunner(app, access_log=None)
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        self.url = f"http://127.0.0.1:{runner.addresses[0][1]}"
        try:
            yield self
        finally:
            self._end.set()
            await runner.cleanup()

"""The sandbox as the demo's director reaches it: by the back door of another process."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import aiohttp

from sandbox.demo.ground import Broken
from sandbox.errors import PushRefused

CONFLICT = 409
PATIENCE = aiohttp.ClientTimeout(total=60)


class Remote:
    """The control routes of the sandbox at `url`."""

    def __init__(self, url: str, session: aiohttp.ClientSession) -> None:
        self.url = url
        self._session = session

    async def get(self, path: str, **query: str | int) -> Any:
        """Read something. Raises Broken with the sandbox's words if it cannot be."""
        return await self._ask("GET", path, params=query)

    async def post(self, path: str, **fields: Any) -> Any:
        """Do something. Raises PushRefused, or Broken with the sandbox's words."""
        return await self._ask("POST", path, json=fields)

    async def idle(self) -> None:
        """Wait until every webhook has been delivered, or could not be."""
        await self.get("/hook/idle")

    async def answers(self, url: str) -> bool:
        """Whether somebody answers at `url`, well."""
        try:
            async with self._session.get(url) as answer:
                return answer.ok
        except (TimeoutError, aiohttp.ClientError):
            return False

    async def _ask(self, method: str, path: str, **content: Any) -> Any:
        try:
            async with self._session.request(method, f"{self.url}/_sandbox{path}", **content) as answer:
                return await _content(answer)
        except (aiohttp.ClientError, TimeoutError) as error:
            raise Broken(f"The sandbox does not answer: {error!r}.") from error


@asynccontextmanager
async def reach(url: str) -> AsyncIterator[Remote]:
    """The sandbox at `url`, while the block runs."""
    async with aiohttp.ClientSession(timeout=PATIENCE) as session:
        yield Remote(url, session)


async def _content(answer: aiohttp.ClientResponse) -> Any:
    content = await answer.json()
    if answer.status == CONFLICT:
        raise PushRefused(content["refused"], content["violations"])
    if not answer.ok:
        raise Broken(f"The sandbox refuses {answer.method} {answer.url.path}: {content}")
    return content

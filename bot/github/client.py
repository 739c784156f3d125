"""One exchange with GitHub over gidgethub, and what that leaves to us: redirects, time limits, failures, headers."""

import asyncio
from collections.abc import Mapping
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from urllib.parse import urljoin

import aiohttp
import msgspec
from gidgethub import abc as gidgethub_abc
from yarl import URL

from bot.github.dates import GitHubClock, read_date
from bot.github.failures import NoAnswer, ServerBroken, StrayRedirect, classify

ACCEPT = "application/vnd.github+json"
REQUESTER = "pencils-down"
SUCCESSES = frozenset({200, 201, 202, 204})
REDIRECTS = frozenset({301, 302, 307, 308})
MAX_REDIRECTS = 5


@dataclass(frozen=True, slots=True)
class Answer:
    """A success: `date` is GitHub's `Date` of this very answer in UTC, `next_url` the page after this one.

    `moved`: GitHub sent the call on to another address first, since what it names is called otherwise now.
    """

    status: int
    data: Any
    date: datetime | None
    next_url: str | None = None
    moved: bool = False


@dataclass(frozen=True, slots=True)
class _Beside:
    """What comes with a success beside its body."""

    date: datetime | None
    moved: bool


# gidgethub hands on the body of a success without its headers. It awaits `_request` in the caller's own task, so
# what is set there is read after it, and never by another call.
_beside: ContextVar[_Beside] = ContextVar("beside")


@dataclass(frozen=True, slots=True)
class Server:
    """The GitHub that we talk to, and how long one exchange with it may take."""

    url: str
    api_version: str
    timeout_seconds: float


class GitHubClient(gidgethub_abc.GitHubAPI):
    """gidgethub for one installation, or for the App: its rate limit is one value per object."""

    def __init__(self, session: aiohttp.ClientSession, server: Server, clock: GitHubClock) -> None:
        super().__init__(REQUESTER, base_url=server.url)
        self._session = session
        self._server = server
        self._clock = clock

    async def ask(self, secret: str, method: str, url: str, body: object = None) -> Answer:
        """Send one request, once, as the bearer of `secret` (a JWT or an installation token: GitHub takes both so).

        `url` may be a path or an absolute address of the same origin. Raises a GitHubFailure.
        """
        data = b"" if body is None else body
        try:
            content, next_url, status = await self._make_request(method, url, {}, data, ACCEPT, jwt=secret)
        except (ValueError, LookupError):
            # A success whose body, charset or headers cannot be decoded. gidgethub lets the decoder's error out.
            raise ServerBroken("an answer that cannot be read", method=method, path=URL(url).path) from None
        beside = _beside.get()
        return Answer(status, content, beside.date, next_url, beside.moved)

    async def sleep(self, seconds: float) -> None:
        """Wait; gidgethub asks for it."""
        await asyncio.sleep(seconds)

    async def _request(
        self, method: str, url: str, headers: Mapping[str, str], body: bytes = b""
    ) -> tuple[int, Mapping[str, str], bytes]:
        """The transport under gidgethub. Failures are raised here, where headers and body are still at hand."""
        path = URL(url).path
        try:
            async with asyncio.timeout(self._server.timeout_seconds):
                response, content, moved = await self._follow(method, url, headers, body)
        except (aiohttp.ClientError, OSError) as error:
            # Without its cause: some of aiohttp's errors carry the request's headers, the token among them.
            sent = not isinstance(error, aiohttp.ClientConnectorError)
            raise NoAnswer(type(error).__name__, sent=sent, method=method, path=path) from None
        date = read_date(response.headers)
        self._clock.hear(date)
        if response.status not in SUCCESSES:
            raise classify(response.status, response.headers, read_message(content), method=method, path=path)
        _beside.set(_Beside(date, moved))
        return response.status, response.headers, content

    async def _follow(
        self, method: str, url: str, headers: Mapping[str, str], body: bytes
    ) -> tuple[aiohttp.ClientResponse, bytes, bool]:
        """Repeat a redirected request as it is. Left to itself, aiohttp turns a POST with 301 into a bodyless GET."""
        headers = {**headers, "X-GitHub-Api-Version": self._server.api_version}
        for hops in range(MAX_REDIRECTS + 1):
            if _origin(url) != _origin(self._server.url):
                raise StrayRedirect("sent to another host", method=method, path=URL(url).path)
            async with self._session.request(
                method, url, headers=headers, data=body, allow_redirects=False
            ) as response:
                content = await response.read()
            if response.status not in REDIRECTS:
                return response, content, hops > 0
            url = urljoin(url, response.headers.get("location", ""))
        raise StrayRedirect("redirected in circles", method=method, path=URL(url).path)


class _Problem(msgspec.Struct, frozen=True):
    message: str = ""
    errors: Any = None


def read_message(content: bytes) -> str:
    """What GitHub says of a failure, with the particulars of a 422; empty where the body is not GitHub's JSON."""
    try:
        problem = msgspec.json.decode(content, type=_Problem)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return ""
    return f"{problem.message}: {problem.errors}" if problem.errors else problem.message


def _origin(url: str) -> tuple[str, str | None, int | None]:
    address = URL(url)
    return address.scheme, address.host, address.port

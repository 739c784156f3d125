"""Where the rest of the project gets its `Api` from: one hub for each process."""

import asyncio
from datetime import datetime

import aiohttp
from cachetools import LRUCache

from bot.config import Config
from bot.github.api import Api
from bot.github.auth import (
    MOST_INSTALLATIONS,
    AppKey,
    Credential,
    InstallationKey,
    InstallationTokens,
    Token,
    read_token,
)
from bot.github.client import GitHubClient, Server
from bot.github.dates import GitHubClock
from bot.github.door import Door, Observe
from bot.github.failures import NoAnswer, NotFound, NotInstalled, Paused, ServerBroken
from bot.github.gate import Gate, Urgency

MINT_ATTEMPTS = 3
PATIENCE_SECONDS = 30.0
"""How long a call waits at the gate for budget before it is left for later."""

TOKENLESS_SECONDS = 30.0
"""How long a call is put off when GitHub gives no token for it."""

SHARE_OF_LEASE = 12
"""Three tries, three waits at the gate and three for a token stay inside a lease if each takes a twelfth at most."""


def unobserved(_kind: str, _status: int | str) -> None:
    """Where nobody counts the calls."""


def within_lease(seconds: float, lease_seconds: float) -> float:
    """`seconds`, or as many of them as a call under a lease of `lease_seconds` can afford for each of its steps."""
    return min(seconds, lease_seconds / SHARE_OF_LEASE)


class Hub:
    """The connection to GitHub: the App's key, all installations' tokens, and the gate that their calls pass."""

    def __init__(
        self,
        config: Config,
        session: aiohttp.ClientSession,
        gate: Gate,
        *,
        timeout_seconds: float = 30.0,
        patience_seconds: float = PATIENCE_SECONDS,
        observe: Observe = unobserved,
    ) -> None:
        timeout_seconds = within_lease(timeout_seconds, config.lease_seconds)
        self._server = Server(config.github_api_url, config.github_api_version, timeout_seconds)
        self._patience_seconds = within_lease(patience_seconds, config.lease_seconds)
        self._session = session
        self._observe = observe
        self._clock = GitHubClock()
        self._tokens = InstallationTokens(self._mint)
        self._gate = gate
        self._closing = asyncio.Event()
        self._app = Api(0, 0, "", config.app_id, self._door(AppKey(config.app_id, config.private_key), None))
        self._doors: LRUCache[int, Door] = LRUCache(MOST_INSTALLATIONS)

    @property
    def closing(self) -> bool:
        """Whether this process ends: no further call begins."""
        return self._closing.is_set()

    def close(self) -> None:
        """Let no further call begin; those that wait to begin are refused with Closing."""
        self._closing.set()

    def app(self) -> Api:
        """GitHub as the App itself, by JWT."""
        return self._app

    def installation(self, account_id: int, installation_id: int, login: str) -> Api:
        """GitHub as one installation. Cheap: its client and token are kept here."""
        door = self._doors.get(installation_id)
        if door is None:
            door = self._door(InstallationKey(self._tokens, installation_id), self._gate)
            self._doors[installation_id] = door
        return Api(account_id, installation_id, login, self._app.app_id, door)

    def forget_token(self, installation_id: int) -> None:
        """Mint a new token for the next call: what the installation may do has changed since the last one."""
        self._tokens.forget(installation_id)

    def github_date(self) -> datetime | None:
        """GitHub's present time in UTC, to compare our clocks with; None before its first answer."""
        return self._clock.now()

    def _door(self, credential: Credential, gate: Gate | None) -> Door:
        client = GitHubClient(self._session, self._server, self._clock)
        return Door(client, credential, gate, self._observe, self._patience_seconds, self._closing)

    async def _mint(self, installation_id: int) -> Token:
        """A new token. Asked for again where the answer is lost: a token nobody uses does no harm.

        What remains unknown about the token is certain about the call that it was for: that one was not sent.
        """
        path = f"/app/installations/{installation_id}/access_tokens"
        try:
            return read_token(await self._app.write("POST", path, {}, urgency=Urgency.DEADLINE, attempts=MINT_ATTEMPTS))
        except NotFound as failure:
            raise NotInstalled("the App is not installed there", status=404, method="POST", path=path) from failure
        except (ServerBroken, NoAnswer) as failure:
            raise Paused(f"no token: {failure}", after_seconds=TOKENLESS_SECONDS, method="POST", path=path) from failure

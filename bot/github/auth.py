"""Who we are to GitHub: the App by its JWT, an installation by its token. Kept in memory only, and never logged.

Their lifetimes are real time (docs/design.md section 3). A token may have any form: GitHub has changed it before.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol

import msgspec
from cachetools import TLRUCache, TTLCache
from gidgethub.apps import get_jwt

from bot.github.client import Answer
from bot.github.shapes import fit

JWT_SECONDS = 9 * 60
JWT_RENEWED_AFTER_SECONDS = 7 * 60
"""GitHub takes ten minutes at most, and gidgethub dates a JWT back by one."""

TOKEN_SECONDS = 60 * 60.0
"""How long GitHub's tokens live, for an answer that has no `Date` to measure it by."""

RENEWED_BEFORE_SECONDS = 5 * 60.0
MOST_INSTALLATIONS = 4096


class Credential(Protocol):
    """What is shown to GitHub with a call."""

    async def secret(self) -> str:
        """A JWT or token that should be accepted now."""
        ...

    def refused(self, secret: str) -> None:
        """GitHub answered 401 to `secret`: show another one from now on."""
        ...


class AppKey:
    """The App itself, by a JWT signed with its private key."""

    def __init__(self, app_id: int, private_key: str) -> None:
        self._app_id = str(app_id)
        self._private_key = private_key
        self._kept: TTLCache[str, str] = TTLCache(maxsize=1, ttl=JWT_RENEWED_AFTER_SECONDS)

    async def secret(self) -> str:
        """The App's JWT, signed anew every seven minutes."""
        kept = self._kept.get(self._app_id)
        if kept is None:
            kept = get_jwt(app_id=self._app_id, private_key=self._private_key, expiration=JWT_SECONDS)
            self._kept[self._app_id] = kept
        return kept

    def refused(self, secret: str) -> None:
        """Sign a new one next time."""
        self._kept.clear()


@dataclass(frozen=True, slots=True)
class Token:
    """An installation token that GitHub accepts for `lifetime_seconds` from now on."""

    secret: str = field(repr=False)
    lifetime_seconds: float


class _Minted(msgspec.Struct, frozen=True):
    token: str
    expires_at: datetime


def read_token(answer: Answer) -> Token:
    """The token of an answer, its lifetime measured between two times of GitHub's. Raises ServerBroken."""
    minted = fit(_Minted, answer.data)
    lifetime = TOKEN_SECONDS if answer.date is None else (minted.expires_at - answer.date).total_seconds()
    return Token(minted.token, lifetime)


class InstallationTokens:
    """The tokens of all installations, each minted once however many calls wait for it."""

    def __init__(
        self, mint: Callable[[int], Awaitable[Token]], *, monotonic: Callable[[], float] = time.monotonic
    ) -> None:
        self._mint = mint
        self._kept: TLRUCache[int, Token] = TLRUCache(MOST_INSTALLATIONS, ttu=_renewed_at, timer=monotonic)
        self._minting: dict[int, asyncio.Task[Token]] = {}

    async def get(self, installation_id: int) -> str:
        """A token good for five minutes at least. Raises what minting raises: Suspended, NotFound, …"""
        kept = self._kept.get(installation_id)
        if kept is not None:
            return kept.secret
        if installation_id not in self._minting:
            self._minting[installation_id] = asyncio.create_task(self._renew(installation_id))
        # Shielded: a caller who gives up must not take the token from the others who wait for it.
        return (await asyncio.shield(self._minting[installation_id])).secret

    def refused(self, installation_id: int, secret: str) -> None:
        """Forget `secret`, unless another call that was refused too has already had it replaced."""
        kept = self._kept.get(installation_id)
        if kept is not None and kept.secret == secret:
            del self._kept[installation_id]

    def forget(self, installation_id: int) -> None:
        """Mint another one next time: what the present one may do was settled when it was minted."""
        self._kept.pop(installation_id, None)

    async def _renew(self, installation_id: int) -> Token:
        try:
            token = await self._mint(installation_id)
            self._kept[installation_id] = token
            return token
        finally:
            del self._minting[installation_id]


def _renewed_at(_installation_id: int, token: Token, now: float) -> float:
    return now + token.lifetime_seconds - RENEWED_BEFORE_SECONDS


@dataclass(frozen=True, slots=True)
class InstallationKey:
    """One installation, by its token."""

    tokens: InstallationTokens
    installation_id: int

    async def secret(self) -> str:
        """The installation's token."""
        return await self.tokens.get(self.installation_id)

    def refused(self, secret: str) -> None:
        """Mint another one next time."""
        self.tokens.refused(self.installation_id, secret)

"""What every job is handed: the database, GitHub, who we are, and whom to tell of what changed or went wrong."""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from uuid import UUID

import asyncpg

from bot.errors import TryAgain
from bot.github.api import Api
from bot.github.hub import Hub
from bot.store import installations
from bot.store.deliveries import Arrival

UNREACHABLE_SECONDS = 60.0
"""Work of an account where the App is not installed now is looked at again this often."""


@dataclass(frozen=True, slots=True)
class Filing:
    """How the webhook stores what is delivered, for who recovers what never reached it.

    `events` are those that are taken; `understand` says what a body is filed under, by GUID, event and body, and raises
    GivenUp for one that cannot be stored.
    """

    events: Collection[str]
    understand: Callable[[str, str, bytes], Arrival]


@dataclass(frozen=True, slots=True)
class Desk:
    """One per process."""

    pool: "asyncpg.Pool[asyncpg.Record]"
    hub: Hub
    process_id: UUID
    app_id: int
    app_login: str
    lease_seconds: int
    wake: Callable[[], None]
    stumbled: Callable[[], None]
    filing: Filing

    async def api(self, account_id: int) -> Api:
        """GitHub as the account's installation. Raises TryAgain while there is none."""
        async with self.pool.acquire() as conn:
            installation = await installations.active(conn, account_id)
        if installation is None:
            raise TryAgain("the App is not installed there now", UNREACHABLE_SECONDS)
        return self.hub.installation(account_id, installation.installation_id, installation.login)

"""Installations of the App, as GitHub holds them now: the truth that an event only points at."""

from datetime import datetime

import msgspec

from bot.github.api import Api
from bot.github.failures import NotFound
from bot.github.hub import Hub
from bot.github.shapes import Account, fit


class InstallationState(msgspec.Struct, frozen=True):
    """One installation. `permissions` and `events` are what its owner has granted so far."""

    installation_id: int = msgspec.field(name="id")
    account: Account
    permissions: dict[str, str]
    events: tuple[str, ...]
    suspended_at: datetime | None = None

    @property
    def account_id(self) -> int:
        """The id of the organisation or user it is installed on."""
        return self.account.id

    @property
    def login(self) -> str:
        """The present name of that account."""
        return self.account.login

    @property
    def account_type(self) -> str:
        """`Organization` or `User`."""
        return self.account.type

    @property
    def suspended(self) -> bool:
        """Whether GitHub refuses its token and sends no events."""
        return self.suspended_at is not None


class _Plan(msgspec.Struct, frozen=True):
    name: str


class _Organisation(msgspec.Struct, frozen=True):
    plan: _Plan | None = None


async def read(hub: Hub, installation_id: int) -> InstallationState | None:
    """The installation as it is now; None where it has been removed."""
    try:
        return fit(InstallationState, await hub.app().read(f"/app/installations/{installation_id}"))
    except NotFound:
        return None


async def read_all(hub: Hub) -> list[InstallationState]:
    """Every installation of the App."""
    return fit(list[InstallationState], await hub.app().pages("/app/installations"))


async def plan(api: Api) -> str | None:
    """The organisation's plan (`free`, `team`, `enterprise`, …); None where GitHub does not let us see it."""
    organisation = fit(_Organisation, await api.read(f"/orgs/{api.login}"))
    return organisation.plan.name if organisation.plan else None

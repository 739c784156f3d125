"""Teams and owners: who may give which command, read at the moment it is given (docs/design.md section 11)."""

from urllib.parse import quote

import msgspec

from bot.github.api import Api
from bot.github.failures import NotFound
from bot.github.shapes import Numbered, Person, fit


class Team(msgspec.Struct, frozen=True):
    """A team. `privacy` is `closed` or `secret`; a secret one cannot bypass a ruleset."""

    id: int
    slug: str
    name: str
    privacy: str = "closed"


class _Membership(msgspec.Struct, frozen=True):
    """`state` is `active`, or `pending` while an invitation waits. Only the organisation's names the user."""

    state: str
    role: str
    user: Numbered | None = None

    @property
    def active(self) -> bool:
        return self.state == "active"


async def find(api: Api, slug: str) -> Team | None:
    """The organisation's team of that name; None where there is none."""
    try:
        return fit(Team, await api.read(f"/orgs/{api.login}/teams/{quote(slug, safe='')}"))
    except NotFound:
        return None


async def read(api: Api, team_id: int) -> Team | None:
    """The team of that number, whatever it is called now; None where it is gone."""
    try:
        return fit(Team, await api.read(f"/organizations/{api.account_id}/team/{team_id}"))
    except NotFound:
        return None


async def members(api: Api, team_id: int) -> list[Person]:
    """The members of a team and of the teams below it."""
    return fit(list[Person], await api.pages(f"/organizations/{api.account_id}/team/{team_id}/members"))


async def is_member(api: Api, team_id: int, user_id: int, login: str) -> bool:
    """Whether the user is an active member of the team: by number, since a name can be given up and taken again."""
    # GitHub's answer about a team names no user; the one about the organisation, which every member is in, does.
    if await _organisation_membership(api, user_id, login) is None:
        return False
    path = f"/organizations/{api.account_id}/team/{team_id}/memberships/{quote(login, safe='')}"
    membership = await _membership(api, path)
    return membership is not None and membership.active


async def owners(api: Api) -> list[Person]:
    """The owners of the organisation."""
    return fit(list[Person], await api.pages(f"/orgs/{api.login}/members?role=admin"))


async def is_owner(api: Api, user_id: int, login: str) -> bool:
    """Whether the user, by number, is an active owner of the organisation."""
    membership = await _organisation_membership(api, user_id, login)
    return membership is not None and membership.role == "admin"


async def _organisation_membership(api: Api, user_id: int, login: str) -> _Membership | None:
    """The active membership of `login`, if it is held by the user of that number."""
    membership = await _membership(api, f"/orgs/{api.login}/memberships/{quote(login, safe='')}")
    if membership is None or not membership.active or membership.user is None:
        return None
    return membership if membership.user.id == user_id else None


async def _membership(api: Api, path: str) -> _Membership | None:
    try:
        return fit(_Membership, await api.read(path))
    except NotFound:
        return None

"""A request that has passed the gate, and the answer to it."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from sandbox.errors import not_found
from sandbox.installation import Installation, Token
from sandbox.user import User

if TYPE_CHECKING:
    from sandbox.organisation import Organisation
    from sandbox.repository import Repository
    from sandbox.world import World


@dataclass
class Answer:
    """What is sent back; a body of None is no body."""

    status: int
    body: Any = None
    headers: dict[str, str] = field(default_factory=dict)


@dataclass
class Request:
    """One API call. `token` is None when the App itself calls with its JWT; `path` is the address by ids."""

    world: "World"
    method: str
    path: str
    params: dict[str, str]
    query: dict[str, str]
    body: dict[str, Any]
    token: Token | None = None
    found_repo: "Repository | None" = None
    found_org: "Organisation | None" = None

    @property
    def user(self) -> User:
        """Who acts: the App's bot."""
        return self.world.app.bot

    @property
    def repo(self) -> "Repository":
        """The repository in the address, found by the gate."""
        if self.found_repo is None:
            raise not_found()
        return self.found_repo

    @property
    def org(self) -> "Organisation":
        """The organisation in the address, found by the gate."""
        if self.found_org is None:
            raise not_found()
        return self.found_org

    @property
    def installation(self) -> Installation:
        """Whose token was used."""
        if self.token is None:
            raise not_found()
        return self.token.installation

    def number(self, name: str) -> int:
        """A numeric part of the address. Raises Refused (404) if it is none."""
        text = self.params[name]
        if not text.isdecimal():
            raise not_found()
        return int(text)

    def account(self, name: str = "login") -> User:
        """The user in the address. Raises Refused (404) if there is none."""
        found = self.world.users.get(self.params[name].lower())
        if found is None:
            raise not_found()
        return found


Handler = Callable[[Request], Answer]
Scope = Literal["app", "repo", "org", "none"]


@dataclass(frozen=True)
class Route:
    """One endpoint. `needs` is `permission:level`, empty where any token will do."""

    method: str
    path: str
    scope: Scope
    needs: str
    handler: Handler

    @property
    def template(self) -> str:
        """The address as GitHub documents it, without patterns."""
        return re.sub(r":[^}]*}", "}", self.path)

    @property
    def permission(self) -> tuple[str, str] | None:
        """The permission and its level."""
        name, _, level = self.needs.partition(":")
        return (name, level) if name else None


def on_repo(method: str, path: str, needs: str, handler: Handler) -> Route:
    """An endpoint of a repository, by name and by id."""
    return Route(method, f"/repos/{{owner}}/{{repo}}{path}", "repo", needs, handler)


def on_org(method: str, path: str, needs: str, handler: Handler) -> Route:
    """An endpoint of an organisation, by login and by id."""
    return Route(method, f"/orgs/{{org}}{path}", "org", needs, handler)


def on_app(method: str, path: str, handler: Handler) -> Route:
    """An endpoint for the App's JWT."""
    return Route(method, path, "app", "", handler)


def for_all(method: str, path: str, handler: Handler) -> Route:
    """An endpoint for any installation token."""
    return Route(method, path, "none", "", handler)

"""The App on an organisation, and the tokens it acts with."""

import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

import jwt

from sandbox import events

if TYPE_CHECKING:
    from sandbox.app import App
    from sandbox.organisation import Organisation
    from sandbox.repository import Repository

DEFAULT_LIFETIME = timedelta(hours=1)
LEVELS = ("none", "read", "write", "admin")
_TOKEN_KEY = secrets.token_hex(32)


@dataclass(frozen=True)
class Token:
    """An installation token, perhaps narrowed. It expires by real time."""

    text: str
    installation: "Installation"
    permissions: dict[str, str]
    repository_ids: frozenset[int] | None
    expires_at: datetime

    def covers(self, repo: "Repository") -> bool:
        """Whether the token may name the repository."""
        narrowed = self.repository_ids is not None and repo.id not in self.repository_ids
        return not narrowed and self.installation.covers(repo)

    def allows(self, permission: str, level: str) -> bool:
        """Whether the token carries at least this level of the permission."""
        return LEVELS.index(self.permissions.get(permission, "none")) >= LEVELS.index(level)


class Installation:
    """One installation. `selected` is None when it is on all repositories."""

    def __init__(
        self, org: "Organisation", app: "App", selected: "list[Repository] | None", permissions: dict[str, str] | None
    ) -> None:
        self.organisation = org
        self.world = org.world
        self.app = app
        self.id = org.world.ids.small()
        self.selected = None if selected is None else {repo.id for repo in selected}
        self.permissions = dict(app.permissions if permissions is None else permissions)
        self.created_at = org.world.clock.now()
        self.suspended_at: datetime | None = None

    @property
    def repositories(self) -> "list[Repository]":
        """The repositories it covers now."""
        return [repo for repo in self.organisation.repositories.values() if self.covers(repo)]

    def covers(self, repo: "Repository") -> bool:
        """Whether the repository is the organisation's and among those selected."""
        return repo.owner is self.organisation and (self.selected is None or repo.id in self.selected)

    def may(self, repo: "Repository", permission: str, level: str) -> bool:
        """Whether the App may do this in the repository through this installation."""
        granted = LEVELS.index(self.permissions.get(permission, "none")) >= LEVELS.index(level)
        return granted and self.suspended_at is None and self.covers(repo)

    def mint(self, repository_ids: list[int] | None = None, permissions: dict[str, str] | None = None) -> Token:
        """A new token of GitHub's stateless form, good for `world.token_lifetime` of real time."""
        expires_at = self.world.clock.real() + self.world.token_lifetime
        claims = {"iid": self.id, "jti": secrets.token_hex(16), "exp": int(expires_at.timestamp())}
        text = f"ghs_{self.app.id}_{jwt.encode(claims, _TOKEN_KEY, 'HS256')}"
        narrowed = None if repository_ids is None else frozenset(repository_ids)
        token = Token(text, self, dict(permissions or self.permissions), narrowed, expires_at)
        self.world.tokens[text] = token
        return token

    def revoke_tokens(self) -> None:
        """Every token handed out so far is refused from now on."""
        for token in [token for token in self.world.tokens.values() if token.installation is self]:
            del self.world.tokens[token.text]

    def add(self, *repos: "Repository") -> None:
        """Select further repositories."""
        self.selected = (self.selected or set()) | {repo.id for repo in repos}
        events.installation_repositories(self, added=repos)

    def remove(self, *repos: "Repository") -> None:
        """Deselect repositories; one that was on all becomes one on the rest."""
        covered = self.selected if self.selected is not None else set(self.organisation.repositories)
        self.selected = covered - {repo.id for repo in repos}
        events.installation_repositories(self, removed=repos)

    def suspend(self) -> None:
        """An owner suspends it: no access, and no event but this one."""
        self.suspended_at = self.world.clock.now()
        events.installation(self, "suspend", self.organisation.somebody)

    def unsuspend(self) -> None:
        """The owner lets it work again."""
        self.suspended_at = None
        events.installation(self, "unsuspend", self.organisation.somebody)

    def uninstall(self) -> None:
        """The owner removes it; its tokens die with it."""
        events.installation(self, "deleted", self.organisation.somebody)
        self.revoke_tokens()
        del self.world.installations[self.id]
        if self.organisation.installation is self:
            self.organisation.installation = None

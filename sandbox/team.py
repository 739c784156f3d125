"""Teams of an organisation."""

import re
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING

from sandbox.user import User

if TYPE_CHECKING:
    from sandbox.organisation import Organisation
    from sandbox.repository import Repository


@dataclass
class Membership:
    """How a user belongs to a team or an organisation: `role` and `state` (active or pending) in GitHub's words."""

    user: User
    role: str = "member"
    state: str = "active"

    @property
    def active(self) -> bool:
        """Whether the invitation has been accepted."""
        return self.state == "active"


@dataclass(eq=False)
class Team:
    """A team. A secret one is seen by its members and owners only and cannot bypass rulesets."""

    id: int
    organisation: "Organisation"
    name: str
    created_at: datetime
    secret: bool = False
    memberships: dict[int, Membership] = field(default_factory=dict)
    grants: dict[int, str] = field(default_factory=dict)

    @property
    def slug(self) -> str:
        """The name as GitHub writes it in addresses."""
        return re.sub(r"[^a-z0-9_]+", "-", self.name.lower()).strip("-")

    def add(self, user: User, role: str = "member", pending: bool = False) -> None:
        """Put a user in the team; an accepted one becomes a member of the organisation too."""
        self.memberships[user.id] = Membership(user, role, "pending" if pending else "active")
        if user.id not in self.organisation.memberships:
            self.organisation.member(user, pending=pending)

    def remove(self, user: User) -> None:
        """Take a user out of the team."""
        self.memberships.pop(user.id, None)

    def grant(self, repo: "Repository", role: str) -> None:
        """Give the team a role (read, triage, write, maintain, admin) on a repository."""
        self.grants[repo.id] = role

    def membership(self, user: User) -> Membership | None:
        """How the user belongs to the team. GitHub shows an owner who is in the team as its maintainer."""
        found = self.memberships.get(user.id)
        if found is not None and self.organisation.is_owner(user):
            return Membership(user, "maintainer", found.state)
        return found

    def has(self, user: User) -> bool:
        """Whether the user is an active member."""
        found = self.memberships.get(user.id)
        return found is not None and found.active

"""Organisations: their people, teams, repositories, rulesets and the App's installation."""

from datetime import datetime
from typing import TYPE_CHECKING, Literal

from sandbox import events
from sandbox.actions import Workflow
from sandbox.installation import Installation
from sandbox.repository import Collaborator, Repository
from sandbox.rulesets import Ruleset
from sandbox.team import Membership, Team
from sandbox.user import User

if TYPE_CHECKING:
    from sandbox.app import App
    from sandbox.world import World

Plan = Literal["free", "team", "enterprise"]


class Organisation:
    """An organisation account. `plan` may change at any time; `base_permission` is what members have everywhere."""

    def __init__(self, world: "World", login: str, plan: Plan, base_permission: str) -> None:
        self.world = world
        self.id = world.ids.small()
        self.login = login
        self.plan: Plan = plan
        self.base_permission = base_permission
        self.created_at: datetime = world.clock.now()
        self.memberships: dict[int, Membership] = {}
        self.teams: dict[str, Team] = {}
        self.repositories: dict[int, Repository] = {}
        self.rulesets: dict[int, Ruleset] = {}
        self.installation: Installation | None = None

    @property
    def has_rulesets(self) -> bool:
        """Organisation rulesets exist from the Team plan on, for repositories of any visibility."""
        return self.plan != "free"

    @property
    def organisation(self) -> "Organisation":
        """Itself: what a ruleset's source, an organisation or a repository, belongs to."""
        return self

    @property
    def source_name(self) -> str:
        """How a ruleset names its source."""
        return self.login

    @property
    def html_url(self) -> str:
        """Its page."""
        return f"{self.world.url}/{self.login}"

    @property
    def somebody(self) -> User:
        """Who did what nobody in particular did: the first owner."""
        return next((one.user for one in self.memberships.values() if one.role == "admin"), self.world.ghost)

    def owner(self, user: User) -> None:
        """Make the user an owner."""
        self.memberships[user.id] = Membership(user, "admin")

    def member(self, user: User, pending: bool = False) -> None:
        """Make the user a member, or invite them."""
        self.memberships[user.id] = Membership(user, "member", "pending" if pending else "active")

    def remove(self, user: User) -> None:
        """Take the user out of the organisation and its teams."""
        self.memberships.pop(user.id, None)
        for team in self.teams.values():
            team.remove(user)

    def is_owner(self, user: User) -> bool:
        """Whether the user owns the organisation."""
        found = self.memberships.get(user.id)
        return found is not None and found.active and found.role == "admin"

    def is_member(self, user: User) -> bool:
        """Whether the user belongs to it, owners included."""
        found = self.memberships.get(user.id)
        return found is not None and found.active

    def team(self, name: str, members: list[User] | None = None, secret: bool = False) -> Team:
        """A new team with these members."""
        team = Team(self.world.ids.small(), self, name, self.world.clock.now(), secret)
        self.teams[team.slug] = team
        for user in members or ():
            team.add(user)
        return team

    def repository(
        self,
        name: str,
        private: bool = True,
        default_branch: str = "main",
        collaborators: dict[str, str] | None = None,
        template: bool = False,
        workflows: dict[str, Workflow] | None = None,
    ) -> Repository:
        """A new repository with a first commit. Collaborators are login → role, workflows path → Workflow."""
        repo = Repository(self.world, self, name, private, default_branch)
        repo.template = template
        repo.workflows = dict(workflows or {})
        for login, role in (collaborators or {}).items():
            user = self.world.user(login)
            repo.collaborators[user.id] = Collaborator(user, role)
        self.world.register(repo)
        repo.begin(self.somebody)
        events.repository(repo, "created", self.somebody)
        return repo

    def install(
        self, app: "App", selected: list[Repository] | None = None, permissions: dict[str, str] | None = None
    ) -> Installation:
        """Install the App on all repositories, or on those selected, with all it asks for or just `permissions`."""
        self.installation = Installation(self, app, selected, permissions)
        self.world.installations[self.installation.id] = self.installation
        events.installation(self.installation, "created", self.somebody)
        return self.installation

"""The whole of a GitHub: everything there is, and what was asked of it."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from sandbox.app import App
from sandbox.calls import Call, normal_route
from sandbox.clock import Clock
from sandbox.faults import Faults
from sandbox.hooks import Hook
from sandbox.ids import Ids
from sandbox.installation import DEFAULT_LIFETIME, Installation, Token
from sandbox.limits import Limits
from sandbox.organisation import Organisation, Plan
from sandbox.user import User

if TYPE_CHECKING:
    from sandbox.repository import Repository
    from sandbox.request import Answer

ACTIONS_APP_ID = 15368


class World:
    """GitHub as state. Build it with the methods here and on what they return; read `calls` to see what was asked."""

    def __init__(self, clock: Clock | None = None, slug: str = "pencils-down") -> None:
        self.clock = clock or Clock()
        self.ids = Ids()
        self.url = "http://github.invalid"
        self.token_lifetime = DEFAULT_LIFETIME
        self.organisations: dict[str, Organisation] = {}
        self.repositories: dict[int, Repository] = {}
        self.names: dict[str, Repository] = {}
        self.old_names: dict[str, Repository] = {}
        self.users: dict[str, User] = {}
        self.installations: dict[int, Installation] = {}
        self.tokens: dict[str, Token] = {}
        self.calls: list[Call] = []
        self.unknown_routes: list[str] = []
        self.witness: Callable[[str, str, Answer], None] | None = None
        self.faults = Faults()
        self.limits = Limits()
        self.hook = Hook(self)
        self.app = App(self, slug)
        self.ghost = self._account(User(self.ids.small(), "ghost"))
        self.actions_bot = self._account(User(self.ids.small(), "github-actions[bot]", app_id=ACTIONS_APP_ID))
        self._account(self.app.bot)

    def organisation(self, login: str, plan: Plan = "team", base_permission: str = "none") -> Organisation:
        """The organisation of that login, made with this plan if there is none."""
        if login.lower() not in self.organisations:
            self.organisations[login.lower()] = Organisation(self, login, plan, base_permission)
        return self.organisations[login.lower()]

    def user(self, login: str, app_id: int | None = None) -> User:
        """The account of that login, made if there is none; with `app_id`, a bot."""
        found = self.users.get(login.lower())
        return found or self._account(User(self.ids.small(), login, app_id))

    def register(self, repo: "Repository") -> None:
        """Make a repository findable by its name and id. A new owner of an old name ends its redirect."""
        self.repositories[repo.id] = repo
        self.names[repo.key] = repo
        self.old_names.pop(repo.key, None)
        repo.owner.repositories[repo.id] = repo

    def unregister(self, repo: "Repository", redirect: bool) -> None:
        """Take a repository's present name away, leaving a redirect if it goes on under another."""
        del self.names[repo.key]
        del repo.owner.repositories[repo.id]
        if redirect:
            self.old_names[repo.key] = repo
        else:
            del self.repositories[repo.id]
            self.old_names = {key: other for key, other in self.old_names.items() if other is not repo}

    def count(self, method: str | None = None, route: str | None = None) -> int:
        """How many calls fitted. Routes are templates; by name or by id is the same."""
        return len(self.asked(method, route))

    def asked(self, method: str | None = None, route: str | None = None) -> list[Call]:
        """The calls that fit a method and a route template."""
        wanted = None if route is None else normal_route(route)
        return [
            call
            for call in self.calls
            if method in (None, call.method) and (wanted is None or normal_route(call.route) == wanted)
        ]

    def mutations(self) -> list[Call]:
        """The calls that asked for a change, with or without effect; token minting aside."""
        return [call for call in self.calls if call.mutating]

    def note(self, **call: Any) -> Call:
        """Write a call down."""
        self.calls.append(Call(number=len(self.calls) + 1, **call))
        return self.calls[-1]

    def _account(self, user: User) -> User:
        self.users[user.login.lower()] = user
        return user

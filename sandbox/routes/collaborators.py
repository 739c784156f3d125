"""Who has access to a repository."""

from collections.abc import Callable

from sandbox.access import permission_flags, role_of
from sandbox.errors import not_found
from sandbox.pages import paged
from sandbox.render import accounts
from sandbox.repository import Repository
from sandbox.request import Answer, Request, on_repo
from sandbox.user import User


def _anyhow(repo: Repository, user: User) -> bool:
    return role_of(repo, user) != "none"


def _directly(repo: Repository, user: User) -> bool:
    return user.id in repo.collaborators


def _from_outside(repo: Repository, user: User) -> bool:
    return _directly(repo, user) and not repo.owner.is_member(user)


AFFILIATIONS: dict[str, Callable[[Repository, User], bool]] = {
    "all": _anyhow,
    "direct": _directly,
    "outside": _from_outside,
}


def collaborators(request: Request) -> Answer:
    """GET /repos/{owner}/{repo}/collaborators"""
    repo = request.repo
    pick = AFFILIATIONS.get(request.query.get("affiliation", "all"), _anyhow)
    flag = request.query.get("permission")
    found = [user for user in _everybody(repo) if pick(repo, user)]
    fitting = [user for user in found if flag is None or permission_flags(role_of(repo, user)).get(flag)]
    return paged(request, fitting, lambda user: accounts.collaborator(repo, user))


def permission(request: Request) -> Answer:
    """GET /repos/{owner}/{repo}/collaborators/{login}/permission"""
    return Answer(200, accounts.permission(request.repo, request.account()))


def is_collaborator(request: Request) -> Answer:
    """GET /repos/{owner}/{repo}/collaborators/{login}"""
    if not _anyhow(request.repo, request.account()):
        raise not_found()
    return Answer(204)


def _everybody(repo: Repository) -> list[User]:
    """Members of the organisation (its teams are among them) and direct collaborators, each once."""
    members = {one.user.id: one.user for one in repo.owner.memberships.values() if one.active}
    direct = {one.user.id: one.user for one in repo.collaborators.values()}
    return list((members | direct).values())


ROUTES = [
    on_repo("GET", "/collaborators", "metadata:read", collaborators),
    on_repo("GET", "/collaborators/{login}", "metadata:read", is_collaborator),
    on_repo("GET", "/collaborators/{login}/permission", "metadata:read", permission),
]

"""Who may do what in a repository: the greatest of all grants, as GitHub computes it."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from sandbox.user import User

if TYPE_CHECKING:
    from sandbox.repository import Repository

ROLES = ("none", "read", "triage", "write", "maintain", "admin")
# The collaborator endpoints fold the two middle roles (docs: "maintain is mapped to write, triage to read").
LEGACY_PERMISSION = {
    "none": "none",
    "read": "read",
    "triage": "read",
    "write": "write",
    "maintain": "write",
    "admin": "admin",
}


def role_of(repo: "Repository", user: User) -> str:
    """The role that results from ownership, teams, the organisation's base permission and direct grants."""
    return max(_grants(repo, user), key=ROLES.index)


def at_least(role: str, wanted: str) -> bool:
    """Whether a role includes another."""
    return ROLES.index(role) >= ROLES.index(wanted)


def _grants(repo: "Repository", user: User) -> Iterator[str]:
    org = repo.owner
    yield "none" if repo.private else "read"
    if org.is_owner(user):
        yield "admin"
    if org.is_member(user):
        yield org.base_permission
    yield from (team.grants[repo.id] for team in org.teams.values() if repo.id in team.grants and team.has(user))
    if user.id in repo.collaborators:
        yield repo.collaborators[user.id].role


def permission_flags(role: str) -> dict[str, bool]:
    """The five booleans GitHub shows beside a repository or a collaborator."""
    flags = {"pull": "read", "triage": "triage", "push": "write", "maintain": "maintain", "admin": "admin"}
    return {flag: at_least(role, wanted) for flag, wanted in flags.items()}

"""Users, organisations and who belongs to them."""

from typing import TYPE_CHECKING, Any

from sandbox.access import LEGACY_PERMISSION, permission_flags, role_of
from sandbox.clock import stamp
from sandbox.ids import node_id
from sandbox.user import User

if TYPE_CHECKING:
    from sandbox.organisation import Organisation
    from sandbox.repository import Repository
    from sandbox.team import Membership
    from sandbox.world import World

ACCOUNT_URLS = {
    "followers_url": "followers",
    "following_url": "following{/other_user}",
    "gists_url": "gists{/gist_id}",
    "starred_url": "starred{/owner}{/repo}",
    "subscriptions_url": "subscriptions",
    "organizations_url": "orgs",
    "repos_url": "repos",
    "events_url": "events{/privacy}",
    "received_events_url": "received_events",
}


def user(world: "World", account: User) -> dict[str, Any]:
    """simple-user of a person or a bot."""
    page = f"apps/{account.login.removesuffix('[bot]')}" if account.type == "Bot" else account.login
    return _simple_user(world, account.id, account.login, account.type) | {"html_url": f"{world.url}/{page}"}


def owner(org: "Organisation") -> dict[str, Any]:
    """simple-user of an organisation, as in `repository.owner` and `installation.account`."""
    return _simple_user(org.world, org.id, org.login, "Organization")


def organisation(org: "Organisation") -> dict[str, Any]:
    """organization-simple."""
    url = f"{org.world.url}/orgs/{org.login}"
    return {
        "login": org.login,
        "id": org.id,
        "node_id": node_id("O", org.id),
        "url": url,
        "repos_url": f"{url}/repos",
        "events_url": f"{url}/events",
        "hooks_url": f"{url}/hooks",
        "issues_url": f"{url}/issues",
        "members_url": f"{url}/members{{/member}}",
        "public_members_url": f"{url}/public_members{{/member}}",
        "avatar_url": f"{org.world.url}/avatars/{org.id}",
        "description": "",
    }


def organisation_full(org: "Organisation", with_plan: bool) -> dict[str, Any]:
    """organization-full; the plan is shown to those who may see it."""
    private = sum(repo.private for repo in org.repositories.values())
    full = organisation(org) | {
        "name": org.login,
        "is_verified": False,
        "has_organization_projects": True,
        "has_repository_projects": True,
        "public_repos": len(org.repositories) - private,
        "public_gists": 0,
        "followers": 0,
        "following": 0,
        "html_url": org.html_url,
        "type": "Organization",
        "total_private_repos": private,
        "owned_private_repos": private,
        "default_repository_permission": org.base_permission,
        "created_at": stamp(org.created_at),
        "updated_at": stamp(org.created_at),
        "archived_at": None,
    }
    plan = {"name": org.plan, "space": 976562499, "private_repos": 999999, "filled_seats": 0, "seats": 0}
    return full | ({"plan": plan} if with_plan else {})


def organisation_membership(org: "Organisation", membership: "Membership") -> dict[str, Any]:
    """org-membership."""
    url = f"{org.world.url}/orgs/{org.login}"
    return {
        "url": f"{url}/memberships/{membership.user.login}",
        "state": membership.state,
        "role": membership.role,
        "direct_membership": True,
        "organization_url": url,
        "organization": organisation(org),
        "user": user(org.world, membership.user),
    }


def collaborator(repo: "Repository", account: User) -> dict[str, Any]:
    """collaborator."""
    role = role_of(repo, account)
    return user(repo.world, account) | {"permissions": permission_flags(role), "role_name": role}


def permission(repo: "Repository", account: User) -> dict[str, Any]:
    """repository-collaborator-permission."""
    role = role_of(repo, account)
    return {"permission": LEGACY_PERMISSION[role], "role_name": role, "user": collaborator(repo, account)}


def _simple_user(world: "World", number: int, login: str, kind: str) -> dict[str, Any]:
    url = f"{world.url}/users/{login}"
    return {
        "login": login,
        "id": number,
        "node_id": node_id("O" if kind == "Organization" else "U", number),
        "avatar_url": f"{world.url}/avatars/{number}",
        "gravatar_id": "",
        "url": url,
        "html_url": f"{world.url}/{login}",
        **{key: f"{url}/{path}" for key, path in ACCOUNT_URLS.items()},
        "type": kind,
        "site_admin": False,
    }

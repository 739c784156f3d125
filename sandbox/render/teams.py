"""Teams."""

from typing import TYPE_CHECKING, Any

from sandbox.clock import stamp
from sandbox.ids import node_id
from sandbox.render import accounts

if TYPE_CHECKING:
    from sandbox.team import Membership, Team


def team(one: "Team") -> dict[str, Any]:
    """team, as in lists."""
    org = one.organisation
    url = f"{org.world.url}/organizations/{org.id}/team/{one.id}"
    return {
        "id": one.id,
        "node_id": node_id("T", one.id),
        "name": one.name,
        "slug": one.slug,
        "description": None,
        "privacy": "secret" if one.secret else "closed",
        "notification_setting": "notifications_enabled",
        "permission": "pull",
        "url": url,
        "html_url": f"{org.world.url}/orgs/{org.login}/teams/{one.slug}",
        "members_url": f"{url}/members{{/member}}",
        "repositories_url": f"{url}/repos",
        "type": "organization",
        "organization_id": org.id,
        "parent": None,
    }


def team_full(one: "Team") -> dict[str, Any]:
    """team-full."""
    created = {"created_at": stamp(one.created_at), "updated_at": stamp(one.created_at)}
    counts = {"members_count": len(one.memberships), "repos_count": len(one.grants)}
    return (
        team(one) | created | counts | {"organization": accounts.organisation_full(one.organisation, with_plan=False)}
    )


def membership(one: "Team", of: "Membership") -> dict[str, Any]:
    """team-membership."""
    url = f"{one.organisation.world.url}/organizations/{one.organisation.id}/team/{one.id}"
    return {"url": f"{url}/memberships/{of.user.login}", "role": of.role, "state": of.state}

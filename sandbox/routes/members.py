"""Members of an organisation."""

from sandbox.errors import not_found
from sandbox.pages import paged
from sandbox.render import accounts
from sandbox.request import Answer, Request, on_org


def members(request: Request) -> Answer:
    """GET /orgs/{org}/members"""
    org, role = request.org, request.query.get("role", "all")
    active = [one for one in org.memberships.values() if one.active and role in ("all", one.role)]
    return paged(request, active, lambda one: accounts.user(org.world, one.user))


def membership(request: Request) -> Answer:
    """GET /orgs/{org}/memberships/{login}"""
    found = request.org.memberships.get(request.account().id)
    if found is None:
        raise not_found()
    return Answer(200, accounts.organisation_membership(request.org, found))


ROUTES = [
    on_org("GET", "/members", "members:read", members),
    on_org("GET", "/memberships/{login}", "members:read", membership),
]

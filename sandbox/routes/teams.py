"""Teams, by slug and by id."""

from sandbox.errors import not_found
from sandbox.pages import paged
from sandbox.render import accounts
from sandbox.render import teams as rendered
from sandbox.request import Answer, Request, on_org
from sandbox.team import Team


def teams(request: Request) -> Answer:
    """GET /orgs/{org}/teams"""
    return paged(request, list(request.org.teams.values()), rendered.team)


def team(request: Request) -> Answer:
    """GET /orgs/{org}/teams/{team_slug}"""
    return Answer(200, rendered.team_full(_named(request)))


def members(request: Request) -> Answer:
    """GET /orgs/{org}/teams/{team_slug}/members"""
    found, role = _named(request), request.query.get("role", "all")
    shown = [found.membership(one.user) or one for one in found.memberships.values() if one.active]
    request.path = f"/organizations/{request.org.id}/team/{found.id}/members"
    fitting = [one for one in shown if role in ("all", one.role)]
    return paged(request, fitting, lambda one: accounts.user(request.world, one.user))


def membership(request: Request) -> Answer:
    """GET /orgs/{org}/teams/{team_slug}/memberships/{login}"""
    team = _named(request)
    found = team.membership(request.account())
    if found is None:
        raise not_found()
    return Answer(200, rendered.membership(team, found))


def _named(request: Request) -> Team:
    every = request.org.teams
    if "team_id" in request.params:
        number = request.number("team_id")
        found = next((team for team in every.values() if team.id == number), None)
    else:
        found = every.get(request.params["team_slug"].lower())
    if found is None:
        raise not_found()
    return found


ROUTES = [
    on_org("GET", "/teams", "members:read", teams),
    on_org("GET", "/teams/{team_slug}", "members:read", team),
    on_org("GET", "/teams/{team_slug}/members", "members:read", members),
    on_org("GET", "/teams/{team_slug}/memberships/{login}", "members:read", membership),
]

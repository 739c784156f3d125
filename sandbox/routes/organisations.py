"""Organisations."""

from sandbox.pages import paged
from sandbox.render import accounts, repositories
from sandbox.request import Answer, Request, on_org


def show(request: Request) -> Answer:
    """GET /orgs/{org}; the plan only with its permission."""
    with_plan = request.token is not None and request.token.allows("organization_plan", "read")
    return Answer(200, accounts.organisation_full(request.org, with_plan))


def listed(request: Request) -> Answer:
    """GET /orgs/{org}/repos"""
    token = request.token
    covered = [repo for repo in request.org.repositories.values() if token is not None and token.covers(repo)]
    return paged(request, covered, repositories.repository)


ROUTES = [on_org("GET", "", "", show), on_org("GET", "/repos", "metadata:read", listed)]

"""What an installation's token can ask about itself."""

from sandbox.pages import paged
from sandbox.render import apps, repositories
from sandbox.request import Answer, Request, for_all


def listed(request: Request) -> Answer:
    """GET /installation/repositories"""
    token = request.token
    covered = [repo for repo in request.installation.repositories if token is not None and token.covers(repo)]
    answer = paged(request, covered, repositories.repository, key="repositories")
    answer.body["repository_selection"] = apps.selection(request.installation)
    return answer


def rate_limit(request: Request) -> Answer:
    """GET /rate_limit: costs nothing, so it only repeats what the headers say."""
    allowance = request.world.limits.of(request.installation, request.world.clock.real())
    core = {"limit": allowance.limit, "used": allowance.used, "remaining": allowance.limit - allowance.used}
    return Answer(
        200, {"resources": {"core": core | {"reset": int(request.world.clock.shown(allowance.until).timestamp())}}}
    )


ROUTES = [
    for_all("GET", "/installation/repositories", listed),
    for_all("GET", "/rate_limit", rate_limit),
]

"""The App by its JWT: itself, its installations, their tokens."""

from typing import Any

from sandbox.bodies import field
from sandbox.errors import Refused, invalid, not_found
from sandbox.gate import find_organisation, find_repository
from sandbox.installation import LEVELS, Installation
from sandbox.pages import paged
from sandbox.render import apps
from sandbox.request import Answer, Request, on_app

MOST_REPOSITORIES = 500
NO_REPOSITORY = "There is at least one repository that does not exist or is not accessible to the parent installation."
NOT_GRANTED = "The permissions requested are not granted to this installation."


def show(request: Request) -> Answer:
    """GET /app"""
    body = apps.app(request.world) | {"installations_count": len(request.world.installations)}
    return Answer(200, body)


def installations(request: Request) -> Answer:
    """GET /app/installations"""
    return paged(request, list(request.world.installations.values()), apps.installation)


def installation(request: Request) -> Answer:
    """GET /app/installations/{installation_id}"""
    return Answer(200, apps.installation(_named(request)))


def of_organisation(request: Request) -> Answer:
    """GET /orgs/{org}/installation"""
    return Answer(200, apps.installation(_existing(find_organisation(request).installation)))


def of_repository(request: Request) -> Answer:
    """GET /repos/{owner}/{repo}/installation"""
    repo = find_repository(request)
    found = _existing(repo.owner.installation)
    if not found.covers(repo):
        raise not_found()
    return Answer(200, apps.installation(found))


def mint(request: Request) -> Answer:
    """POST /app/installations/{installation_id}/access_tokens"""
    found = _named(request)
    if found.suspended_at is not None:
        raise Refused(403, "This installation has been suspended")
    permissions = field(request.body, "permissions", dict, None)
    if permissions is not None:
        _check_granted(found, permissions)
    return Answer(201, apps.token(found.mint(_repository_ids(request, found), permissions)))


def _repository_ids(request: Request, found: Installation) -> list[int] | None:
    ids = field(request.body, "repository_ids", list, None)
    names = field(request.body, "repositories", list, None)
    if ids is None and names is None:
        return None
    if len(ids or names or ()) > MOST_REPOSITORIES:
        raise invalid(f"No more than {MOST_REPOSITORIES} items are allowed.")
    covered = found.repositories
    by_id, by_name = {repo.id for repo in covered}, {repo.name: repo.id for repo in covered}
    wanted: list[Any] = [*(ids or ()), *(by_name.get(name) for name in names or ())]
    if not all(number in by_id for number in wanted):
        raise Refused(422, NO_REPOSITORY)
    return wanted


def _check_granted(found: Installation, permissions: dict[str, str]) -> None:
    for name, level in permissions.items():
        if level not in LEVELS or LEVELS.index(level) > LEVELS.index(found.permissions.get(name, "none")):
            raise Refused(422, NOT_GRANTED)


def _named(request: Request) -> Installation:
    return _existing(request.world.installations.get(request.number("installation_id")))


def _existing(found: Installation | None) -> Installation:
    if found is None:
        raise not_found()
    return found


ROUTES = [
    on_app("GET", "/app", show),
    on_app("GET", "/app/installations", installations),
    on_app("GET", "/app/installations/{installation_id}", installation),
    on_app("POST", "/app/installations/{installation_id}/access_tokens", mint),
    on_app("GET", "/orgs/{org}/installation", of_organisation),
    on_app("GET", "/repos/{owner}/{repo}/installation", of_repository),
]

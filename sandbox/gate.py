"""Everything GitHub asks before an endpoint does anything: credentials, target, permission, writability."""

from typing import TYPE_CHECKING
from urllib.parse import urlencode

from sandbox import auth
from sandbox.calls import SAFE_METHODS
from sandbox.errors import Refused, archived, not_accessible, not_found
from sandbox.request import Request, Route

if TYPE_CHECKING:
    from sandbox.organisation import Organisation
    from sandbox.repository import Repository

REPOSITORY = "/repos/{owner}/{repo}"
API_VERSIONS = frozenset({"2022-11-28", "2026-03-10"})


def check_version(version: str | None) -> None:
    """Raises Refused (410) for a version that is unknown or retired; none at all is taken."""
    if version is not None and version not in API_VERSIONS:
        raise Refused(410, f"API version {version} is not supported.")


def admit(route: Route, request: Request, authorization: str) -> None:
    """Complete the request with its token and target. Raises Refused as GitHub would."""
    credential = auth.bearer(authorization)
    if route.scope == "app":
        auth.check_jwt(request.world, credential)
        return
    request.token = auth.check_token(request.world, credential)
    if route.scope == "repo":
        _admit_to_repository(route, request)
    elif route.scope == "org":
        _admit_to_organisation(route, request)


def find_repository(request: Request) -> "Repository":
    """The repository an address names. Raises Refused: 404, or 301 to its id for a name it had before."""
    world = request.world
    if "repository_id" in request.params:
        found = world.repositories.get(request.number("repository_id"))
    else:
        key = f"{request.params['owner']}/{request.params['repo']}".lower()
        found = world.names.get(key)
        if found is None and key in world.old_names:
            raise _moved(request, world.old_names[key])
    if found is None:
        raise not_found()
    request.path = f"/repositories/{found.id}{_rest(request)}"
    return found


def find_organisation(request: Request) -> "Organisation":
    """The organisation an address names, by login or by id. Raises Refused (404)."""
    organisations = request.world.organisations
    if "organization_id" in request.params:
        number = request.number("organization_id")
        found = next((org for org in organisations.values() if org.id == number), None)
    else:
        found = organisations.get(request.params["org"].lower())
    if found is None:
        raise not_found()
    request.path = f"/organizations/{found.id}{_rest(request)}"
    return found


def _admit_to_repository(route: Route, request: Request) -> None:
    token = request.token
    repo = request.found_repo = find_repository(request)
    if token is None or not token.covers(repo):
        raise not_found()
    if route.permission is not None and not token.allows(*route.permission):
        raise not_accessible()
    unarchives = route.path == REPOSITORY and request.body.get("archived") is False
    if repo.archived and request.method not in SAFE_METHODS and not unarchives:
        raise archived()


def _admit_to_organisation(route: Route, request: Request) -> None:
    token = request.token
    org = request.found_org = find_organisation(request)
    if token is None or token.installation.organisation is not org:
        raise not_found()
    if route.permission is not None and not token.allows(*route.permission):
        # Organisation rulesets hide themselves from those who lack the permission, other endpoints say so.
        raise not_found() if route.permission[0] == "organization_administration" else not_accessible()


def _moved(request: Request, repo: "Repository") -> Refused:
    url = f"{request.world.url}/repositories/{repo.id}{_rest(request)}"
    query = urlencode(request.query)
    return Refused(301, "Moved Permanently", headers={"Location": f"{url}?{query}" if query else url})


def _rest(request: Request) -> str:
    """The address after the repository."""
    parts = request.path.split("/", 4 if "owner" in request.params else 3)
    skip = 4 if "owner" in request.params else 3
    return f"/{parts[skip]}" if len(parts) > skip else ""

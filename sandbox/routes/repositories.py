"""Repositories themselves."""

from sandbox.errors import Refused
from sandbox.render import repositories
from sandbox.request import Answer, Request, on_repo


def show(request: Request) -> Answer:
    """GET /repos/{owner}/{repo}"""
    return Answer(200, repositories.full(request.repo))


def change(request: Request) -> Answer:
    """PATCH /repos/{owner}/{repo}: archive, un-archive, rename."""
    repo, body = request.repo, request.body
    unknown = set(body) - {"archived", "name"}
    if unknown:
        raise Refused(501, f"The sandbox does not change {', '.join(sorted(unknown))} of a repository.")
    if body.get("archived") is not None:
        (repo.archive if body["archived"] else repo.unarchive)(request.user)
    if body.get("name") not in (None, repo.name):
        repo.rename(body["name"])
    return Answer(200, repositories.full(repo))


ROUTES = [
    on_repo("GET", "", "metadata:read", show),
    on_repo("PATCH", "", "administration:write", change),
]

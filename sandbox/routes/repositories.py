"""Repositories and their activity."""

from datetime import timedelta

from sandbox.errors import Refused
from sandbox.pages import by_cursor
from sandbox.pushes import Activity
from sandbox.render import repositories
from sandbox.request import Answer, Request, on_repo

PERIODS = {"day": 1, "week": 7, "month": 31, "quarter": 92, "year": 366}


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


def activity(request: Request) -> Answer:
    """GET /repos/{owner}/{repo}/activity"""
    entries = [entry for entry in request.repo.activity if _fits(request, entry)]
    if request.query.get("direction", "desc") == "desc":
        entries.reverse()
    return by_cursor(request, entries, lambda entry: repositories.activity(request.repo, entry))


def _fits(request: Request, entry: Activity) -> bool:
    query = request.query
    period = PERIODS.get(query.get("time_period", ""))
    oldest = request.world.clock.now() - timedelta(days=period) if period else None
    branch = entry.change.branch or ""
    return (
        query.get("ref") in (None, entry.change.ref, branch)
        and query.get("actor") in (None, entry.actor.login)
        and query.get("activity_type") in (None, entry.kind)
        and (oldest is None or entry.at >= oldest)
    )


ROUTES = [
    on_repo("GET", "", "metadata:read", show),
    on_repo("PATCH", "", "administration:write", change),
    on_repo("GET", "/activity", "contents:read", activity),
]

"""The activity of a repository: what GitHub itself recorded of each move of a branch."""

from datetime import timedelta

from sandbox.activity import Activity
from sandbox.errors import invalid
from sandbox.pages import by_cursor
from sandbox.render import repositories
from sandbox.request import Answer, Request, on_repo

PERIODS = {"day": 1, "week": 7, "month": 31, "quarter": 92, "year": 366}
CHOICES = {
    "direction": ("asc", "desc"),
    "time_period": tuple(PERIODS),
    "activity_type": ("push", "force_push", "branch_creation", "branch_deletion", "pr_merge", "merge_queue_merge"),
}


def activity(request: Request) -> Answer:
    """GET /repos/{owner}/{repo}/activity, newest first"""
    for name, choices in CHOICES.items():
        if request.query.get(name, choices[0]) not in choices:
            raise invalid(f"{name} is not one of {', '.join(choices)}.")
    repo, now = request.repo, request.world.clock.now()
    entries = repo.activity.arranged()
    if request.query.get("direction") == "asc":
        entries.reverse()
    return by_cursor(
        request,
        entries,
        lambda entry: repositories.activity(repo, entry),
        lambda entry: repo.activity.lists(entry, now) and _fits(request, entry),
        ("after", "before"),
    )


def _fits(request: Request, entry: Activity) -> bool:
    """The filters of the list; logins ignore case, and a branch may be named in short."""
    query = request.query
    period = PERIODS.get(query.get("time_period", ""))
    oldest = request.world.clock.now() - timedelta(days=period) if period else None
    actor = request.repo.activity.actor(entry)
    return (
        query.get("ref") in (None, entry.change.ref, entry.change.branch)
        and ("actor" not in query or (actor is not None and actor.login.lower() == query["actor"].lower()))
        and query.get("activity_type") in (None, entry.kind)
        and (oldest is None or entry.at >= oldest)
    )


ROUTES = [on_repo("GET", "/activity", "contents:read", activity)]

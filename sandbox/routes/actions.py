"""Workflow runs."""

from sandbox.actions import Run
from sandbox.clock import stamp
from sandbox.errors import not_found
from sandbox.pages import paged
from sandbox.render import actions as rendered
from sandbox.request import Answer, Request, on_repo


def runs(request: Request) -> Answer:
    """GET /repos/{owner}/{repo}/actions/runs, newest first"""
    fitting = [run for run in reversed(request.repo.runs) if _fits(request.query, run)]
    return paged(request, fitting, rendered.workflow_run, key="workflow_runs")


def run(request: Request) -> Answer:
    """GET /repos/{owner}/{repo}/actions/runs/{run_id}"""
    number = request.number("run_id")
    found = next((run for run in request.repo.runs if run.id == number), None)
    if found is None:
        raise not_found()
    return Answer(200, rendered.workflow_run(found))


def _fits(query: dict[str, str], run: Run) -> bool:
    """The filters of the list; `status` may name a conclusion."""
    exact = {
        "event": run.event,
        "branch": run.head_branch,
        "head_sha": run.head_sha,
        "actor": run.actor.login,
        "check_suite_id": str(run.suite.id),
    }
    return (
        all(query.get(name, value) == value for name, value in exact.items())
        and query.get("status") in (None, run.status, run.conclusion)
        and _in_range(query.get("created", "*..*"), stamp(run.created_at))
    )


def _in_range(text: str, value: str) -> bool:
    """GitHub's date syntax: `>=X`, `<=X` or `X..Y`, where a star is open."""
    if text[:2] in (">=", "<="):
        text = f"{text[2:]}..*" if text[0] == ">" else f"*..{text[2:]}"
    low, _, high = text.partition("..")
    return (low == "*" or value >= low) and (high == "*" or value <= high)


ROUTES = [
    on_repo("GET", "/actions/runs", "actions:read", runs),
    on_repo("GET", "/actions/runs/{run_id}", "actions:read", run),
]

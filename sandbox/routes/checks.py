"""Check runs and suites."""

from sandbox import check_edits
from sandbox.checks import CheckRun, CheckSuite
from sandbox.errors import Refused, not_found
from sandbox.git import Commit
from sandbox.pages import paged
from sandbox.render import checks as rendered
from sandbox.request import Answer, Request, on_repo


def create(request: Request) -> Answer:
    """POST /repos/{owner}/{repo}/check-runs"""
    return Answer(201, rendered.check_run(check_edits.create(request.repo, request.body, request.user)))


def change(request: Request) -> Answer:
    """PATCH /repos/{owner}/{repo}/check-runs/{check_run_id}: the App's own only"""
    run = _named(request)
    if run.suite.app_id != request.world.app.id:
        raise Refused(403, f"Invalid app_id `{run.suite.app_id}` - check run can only be modified by its own App.")
    check_edits.change(run, request.body, request.user)
    return Answer(200, rendered.check_run(run))


def show(request: Request) -> Answer:
    """GET /repos/{owner}/{repo}/check-runs/{check_run_id}"""
    return Answer(200, rendered.check_run(_named(request)))


def annotations(request: Request) -> Answer:
    """GET /repos/{owner}/{repo}/check-runs/{check_run_id}/annotations"""
    run = _named(request)
    return paged(request, run.annotations, lambda one: rendered.annotation(run, one))


def of_commit(request: Request) -> Answer:
    """GET /repos/{owner}/{repo}/commits/{ref}/check-runs"""
    suites = request.repo.checks.of(_commit(request).sha)
    app_id = request.query.get("app_id")
    return _list(request, [suite for suite in suites if app_id in (None, str(suite.app_id))])


def suites_of_commit(request: Request) -> Answer:
    """GET /repos/{owner}/{repo}/commits/{ref}/check-suites"""
    suites = request.repo.checks.of(_commit(request).sha)
    return paged(request, suites, rendered.check_suite, key="check_suites")


def suite(request: Request) -> Answer:
    """GET /repos/{owner}/{repo}/check-suites/{check_suite_id}"""
    return Answer(200, rendered.check_suite(_suite(request)))


def of_suite(request: Request) -> Answer:
    """GET /repos/{owner}/{repo}/check-suites/{check_suite_id}/check-runs"""
    return _list(request, [_suite(request)])


def _list(request: Request, suites: list[CheckSuite]) -> Answer:
    """The latest run of each name, or with `filter=all` every one, newest first."""
    name, status = request.query.get("check_name"), request.query.get("status")
    every = request.query.get("filter") == "all"
    runs = [run for suite in suites for run in (suite.runs if every else suite.latest)]
    fitting = [run for run in reversed(runs) if name in (None, run.name) and status in (None, run.status)]
    return paged(request, fitting, rendered.check_run, key="check_runs")


def _named(request: Request) -> CheckRun:
    found = request.repo.checks.runs.get(request.number("check_run_id"))
    if found is None:
        raise not_found()
    return found


def _suite(request: Request) -> CheckSuite:
    found = request.repo.checks.suites.get(request.number("check_suite_id"))
    if found is None:
        raise not_found()
    return found


def _commit(request: Request) -> Commit:
    found = request.repo.git.resolve(request.params["ref"])
    if found is None:
        raise Refused(422, f"No commit found for SHA: {request.params['ref']}")
    return found


ROUTES = [
    on_repo("POST", "/check-runs", "checks:write", create),
    on_repo("GET", "/check-runs/{check_run_id}", "checks:read", show),
    on_repo("PATCH", "/check-runs/{check_run_id}", "checks:write", change),
    on_repo("GET", "/check-runs/{check_run_id}/annotations", "checks:read", annotations),
    on_repo("GET", "/check-suites/{check_suite_id}", "checks:read", suite),
    on_repo("GET", "/check-suites/{check_suite_id}/check-runs", "checks:read", of_suite),
    on_repo("GET", "/commits/{ref}/check-runs", "checks:read", of_commit),
    on_repo("GET", "/commits/{ref}/check-suites", "checks:read", suites_of_commit),
]

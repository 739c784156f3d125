"""Check suites, check runs and annotations."""

from typing import TYPE_CHECKING, Any

from sandbox.clock import stamp, stamp_or_none
from sandbox.ids import node_id
from sandbox.render import apps, git, repositories
from sandbox.render.repositories import api_url

if TYPE_CHECKING:
    from sandbox.checks import CheckRun, CheckSuite


def check_run(run: "CheckRun") -> dict[str, Any]:
    """check-run."""
    repo = run.suite.repo
    url = f"{api_url(repo)}/check-runs/{run.id}"
    output = {
        "title": run.title,
        "summary": run.summary,
        "text": run.text,
        "annotations_count": len(run.annotations),
        "annotations_url": f"{url}/annotations",
    }
    return {
        "id": run.id,
        "node_id": node_id("CR", run.id),
        "name": run.name,
        "head_sha": run.suite.head_sha,
        "external_id": run.external_id,
        "url": url,
        "html_url": f"{repo.html_url}/runs/{run.id}",
        "details_url": run.details_url or f"{repo.html_url}/runs/{run.id}",
        "status": run.status,
        "conclusion": run.conclusion,
        "started_at": stamp(run.started_at),
        "completed_at": stamp_or_none(run.completed_at),
        "output": output,
        "check_suite": {"id": run.suite.id},
        "app": apps.app_of(repo.world, run.suite.app_id),
        "pull_requests": [],
    }


def check_suite(suite: "CheckSuite") -> dict[str, Any]:
    """check-suite."""
    return in_run(suite) | {
        "head_commit": git.simple_commit(suite.repo.git.commits[suite.head_sha]),
        "latest_check_runs_count": len(suite.latest),
        "check_runs_url": f"{api_url(suite.repo)}/check-suites/{suite.id}/check-runs",
    }


def in_run(suite: "CheckSuite") -> dict[str, Any]:
    """simple-check-suite: as the check run of an event carries it."""
    repo = suite.repo
    commit = repo.git.commits[suite.head_sha]
    return {
        "id": suite.id,
        "node_id": node_id("CS", suite.id),
        "head_branch": suite.head_branch,
        "head_sha": suite.head_sha,
        "status": suite.status,
        "conclusion": suite.conclusion,
        "url": f"{api_url(repo)}/check-suites/{suite.id}",
        "before": commit.parents[0] if commit.parents else None,
        "after": suite.head_sha,
        "pull_requests": [],
        "app": apps.app_of(repo.world, suite.app_id),
        "repository": repositories.minimal(repo),
        "created_at": stamp(suite.created_at),
        "updated_at": stamp(suite.created_at),
    }


def in_event(run: "CheckRun") -> dict[str, Any]:
    """The check run of an event, which carries its suite."""
    return check_run(run) | {"check_suite": in_run(run.suite)}


def annotation(run: "CheckRun", one: dict[str, Any]) -> dict[str, Any]:
    """check-annotation."""
    repo = run.suite.repo
    blob = f"{repo.html_url}/blob/{run.suite.head_sha}/{one['path']}"
    empty = {"start_column": None, "end_column": None, "title": None, "raw_details": None}
    return empty | one | {"blob_href": blob}

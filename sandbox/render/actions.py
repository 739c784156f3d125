"""Workflows and their runs."""

from typing import TYPE_CHECKING, Any

from sandbox.clock import stamp
from sandbox.ids import node_id
from sandbox.render import accounts, git, repositories
from sandbox.render.repositories import api_url

if TYPE_CHECKING:
    from sandbox.actions import Run

PARTS = {
    "jobs_url": "jobs",
    "logs_url": "logs",
    "artifacts_url": "artifacts",
    "cancel_url": "cancel",
    "rerun_url": "rerun",
}


def workflow(run: "Run") -> dict[str, Any]:
    """workflow."""
    repo = run.repo
    return {
        "id": run.workflow_id,
        "node_id": node_id("W", run.workflow_id),
        "name": run.workflow.name,
        "path": run.path,
        "state": "active",
        "created_at": stamp(repo.created_at),
        "updated_at": stamp(repo.created_at),
        "url": f"{api_url(repo)}/actions/workflows/{run.workflow_id}",
        "html_url": f"{repo.html_url}/blob/{repo.default_branch}/{run.path}",
        "badge_url": f"{repo.html_url}/workflows/{run.workflow.name}/badge.svg",
    }


def workflow_run(run: "Run") -> dict[str, Any]:
    """workflow-run: the attempt it is at."""
    repo, world = run.repo, run.repo.world
    url = f"{api_url(repo)}/actions/runs/{run.id}"
    return {
        "id": run.id,
        "name": run.workflow.name,
        "node_id": node_id("WFR", run.id),
        "check_suite_id": run.suite.id,
        "check_suite_node_id": node_id("CS", run.suite.id),
        "head_branch": run.head_branch,
        "head_sha": run.head_sha,
        "path": run.path,
        "run_number": run.number,
        "run_attempt": run.attempt,
        "referenced_workflows": [],
        "event": run.event,
        "display_title": run.display_title,
        "status": run.status,
        "conclusion": run.conclusion,
        "workflow_id": run.workflow_id,
        "url": url,
        "html_url": f"{repo.html_url}/actions/runs/{run.id}",
        "pull_requests": [],
        "created_at": stamp(run.created_at),
        "updated_at": stamp(run.updated_at),
        "run_started_at": stamp(run.started_at),
        "actor": accounts.user(world, run.actor),
        "triggering_actor": accounts.user(world, run.triggering_actor),
        **{key: f"{url}/{part}" for key, part in PARTS.items()},
        "previous_attempt_url": f"{url}/attempts/{run.attempt - 1}" if run.attempt > 1 else None,
        "check_suite_url": f"{api_url(repo)}/check-suites/{run.suite.id}",
        "workflow_url": f"{api_url(repo)}/actions/workflows/{run.workflow_id}",
        "head_commit": git.simple_commit(repo.git.commits[run.head_sha]),
        "repository": repositories.minimal(repo),
        "head_repository": repositories.minimal(run.head_repository),
    }


def in_event(run: "Run") -> dict[str, Any]:
    """The workflow run of an event. That it shows its title while it runs, GitHub does not promise."""
    shown = workflow_run(run)
    if run.status == "in_progress":
        del shown["display_title"]
    return shown

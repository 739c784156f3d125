"""Making and changing the App's check runs, with GitHub's limits."""

from datetime import datetime
from typing import TYPE_CHECKING, Any

from sandbox import events
from sandbox.bodies import field, one_of, within
from sandbox.checks import CheckRun
from sandbox.errors import Refused, invalid
from sandbox.user import User

if TYPE_CHECKING:
    from sandbox.repository import Repository

STATUSES = ("queued", "in_progress", "completed")
CONCLUSIONS = ("action_required", "cancelled", "failure", "neutral", "success", "skipped", "timed_out")
LONGEST_TEXT, LONGEST_TITLE = 65_535, 255
MOST_ANNOTATIONS, MOST_ACTIONS = 50, 3
ACTION_LIMITS = {"label": 20, "description": 40, "identifier": 20}


def create(repo: "Repository", body: dict[str, Any], user: User) -> CheckRun:
    """A check run of the App on a commit. Raises Refused."""
    name, sha = field(body, "name", str), field(body, "head_sha", str)
    if sha not in repo.git.commits:
        raise Refused(422, f"No commit found for SHA: {sha}")
    _check(body)
    run = repo.checks.new_run(repo.checks.suite(repo.world.app.id, sha), name)
    _assign(run, body)
    events.check_run(run, "created", user)
    return run


def change(run: CheckRun, body: dict[str, Any], user: User) -> None:
    """What the body names is replaced; annotations are added to. Raises Refused and then changes nothing."""
    _check(body)
    was = run.status
    _assign(run, body)
    if run.status == "completed" != was:
        events.check_run(run, "completed", user)


def _check(body: dict[str, Any]) -> None:
    one_of(body, "status", STATUSES, "queued")
    one_of(body, "conclusion", CONCLUSIONS, "success")
    if body.get("status") == "completed" and not body.get("conclusion"):
        raise invalid('"conclusion" wasn\'t supplied.')
    output = field(body, "output", dict, None)
    if output is not None:
        _check_output(output)
    actions = field(body, "actions", list, [])
    if len(actions) > MOST_ACTIONS:
        raise invalid(f"No more than {MOST_ACTIONS} items are allowed; {len(actions)} were supplied.")
    for action in actions:
        for name, longest in ACTION_LIMITS.items():
            field(action, name, str)
            within(action, name, longest)


def _check_output(output: dict[str, Any]) -> None:
    field(output, "title", str)
    field(output, "summary", str)
    within(output, "title", LONGEST_TITLE)
    within(output, "summary", LONGEST_TEXT)
    within(output, "text", LONGEST_TEXT)
    if len(field(output, "annotations", list, [])) > MOST_ANNOTATIONS:
        raise invalid(f"No more than {MOST_ANNOTATIONS} items are allowed.")


def _assign(run: CheckRun, body: dict[str, Any]) -> None:
    for name in ("name", "details_url", "external_id", "actions", "status"):
        if name in body:
            setattr(run, name, body[name])
    output = body.get("output", {})
    run.title, run.summary, run.text = (output.get(key, getattr(run, key)) for key in ("title", "summary", "text"))
    run.annotations += output.get("annotations", [])
    if "started_at" in body:
        run.started_at = datetime.fromisoformat(body["started_at"])
    if body.get("conclusion"):
        said = body.get("completed_at")
        run.complete(body["conclusion"], datetime.fromisoformat(said) if said else run.suite.repo.world.clock.now())
    elif run.status != "completed":
        run.conclusion = run.completed_at = None

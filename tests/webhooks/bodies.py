"""Bodies as GitHub sends them, with the fields that are read and some that are not."""

from typing import Any

from tests.store.rows import ACCOUNT, INSTALLATION

ZERO = "0" * 40
Body = dict[str, Any]

AMY = {"id": 11, "login": "amy", "type": "User"}


def envelope(repository_id: int | None = 9, name: str = "lab1-amy", **more: Any) -> Body:
    """What every body of an installation has."""
    owner = {"id": ACCOUNT, "login": "prog1", "type": "Organization"}
    body: Body = {"installation": {"id": INSTALLATION}, "organization": {"id": ACCOUNT, "login": "prog1"}}
    body["sender"] = AMY
    if repository_id is not None:
        body["repository"] = {"id": repository_id, "name": name, "owner": owner, "pushed_at": "2026-12-01T20:00:00Z"}
    return body | more


def push(sha: str = "a" * 40, repository_id: int = 9, pushed_at: int | None = None, **more: Any) -> Body:
    """A push to `main`; the dates in its commits are git's, which prove nothing."""
    body = envelope(repository_id, ref="refs/heads/main", before=ZERO, after=sha, forced=False, deleted=False)
    body["repository"]["pushed_at"] = pushed_at
    body["head_commit"] = {"id": sha, "timestamp": "1999-01-01T00:00:00Z"}
    return body | more


def workflow_run(action: str, repository_id: int = 9, attempt: int = 1, **more: Any) -> Body:
    """A run of the grading workflow, as it is `requested`, `in_progress` or `completed`."""
    status = "queued" if action == "requested" else action
    run = {
        "id": 500,
        "path": ".github/workflows/grading.yml@main",
        "event": "push",
        "head_branch": "main",
        "head_repository": {"id": repository_id, "name": "lab1-amy", "owner": {"id": ACCOUNT, "login": "prog1"}},
        "head_sha": "a" * 40,
        "display_title": "Solve it",
        "status": status,
        "conclusion": "success" if action == "completed" else None,
        "run_attempt": attempt,
        "check_suite_id": 600 + attempt,
        "created_at": "2026-12-01T20:00:00Z",
        "run_started_at": f"2026-12-01T20:0{attempt}:10Z",
        "updated_at": f"2026-12-01T20:0{attempt}:30Z",
        "actor": AMY,
    }
    return envelope(repository_id, action=action, workflow_run=run | more)


def comment(text: str = "/status", action: str = "created", author: Body | None = None, comment_id: int = 1) -> Body:
    """A comment in an issue."""
    said = {"id": comment_id, "user": author or AMY, "body": text, "created_at": "2026-12-01T20:00:00Z"}
    return envelope(action=action, issue={"number": 3}, comment=said)

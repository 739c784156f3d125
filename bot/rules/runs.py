"""A workflow run as GitHub describes it, in an event and in a list alike, and what of it is recorded."""

from dataclasses import dataclass
from datetime import datetime

import msgspec


class _Account(msgspec.Struct, frozen=True):
    id: int
    login: str = ""


class _Home(msgspec.Struct, frozen=True):
    """Where the commit of a run lies."""

    id: int
    owner: _Account | None = None


class WorkflowRun(msgspec.Struct, frozen=True):
    """The fields that the bot needs. `head_repository` is null where a fork is gone."""

    id: int
    path: str
    event: str
    head_sha: str
    status: str
    created_at: datetime
    updated_at: datetime
    check_suite_id: int
    run_attempt: int = 1
    head_branch: str | None = None
    head_repository: _Home | None = None
    conclusion: str | None = None
    display_title: str = ""
    run_started_at: datetime | None = None
    actor: _Account | None = None


@dataclass(frozen=True, slots=True)
class RunHeard:
    """An attempt of a run as GitHub told of it, in whatever order that comes."""

    account_id: int
    repository_id: int
    run_id: int
    attempt: int
    check_suite_id: int
    workflow: str
    event: str
    head_branch: str | None
    head_sha: str
    display_title: str
    actor_id: int | None
    status: str
    conclusion: str | None
    created_at: datetime
    started_at: datetime | None
    completed_at: datetime | None


def heard(account_id: int, repository_id: int, run: WorkflowRun) -> RunHeard:
    """What is recorded of a run in this repository."""
    return RunHeard(
        account_id=account_id,
        repository_id=repository_id,
        run_id=run.id,
        attempt=run.run_attempt,
        check_suite_id=run.check_suite_id,
        # For some events GitHub adds the ref that the workflow file was read from.
        workflow=run.path.partition("@")[0],
        event=run.event,
        head_branch=_branch(run, repository_id),
        head_sha=run.head_sha,
        display_title=run.display_title,
        actor_id=run.actor.id if run.actor else None,
        status=run.status,
        conclusion=run.conclusion,
        created_at=run.created_at,
        started_at=run.run_started_at,
        # A run has no time of completion of its own: it is the last time it was updated.
        completed_at=run.updated_at if run.status == "completed" else None,
    )


def _branch(run: WorkflowRun, repository_id: int) -> str | None:
    """The branch it ran on; a fork's is called `owner:branch`, as no branch of the repository itself can be.

    GitHub gives both the same name: whoever forks a repository could otherwise run its tests on a `main` that counts.
    """
    home = run.head_repository
    if run.head_branch is None or (home is not None and home.id == repository_id):
        return run.head_branch
    owner = home.owner.login if home is not None and home.owner is not None else ""
    return f"{owner}:{run.head_branch}"

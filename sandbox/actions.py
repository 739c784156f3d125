"""Workflows as far as they show from outside: runs that start, take a while, and leave points in an annotation."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any

from sandbox import events
from sandbox.checks import CheckRun, CheckSuite
from sandbox.user import User

if TYPE_CHECKING:
    from sandbox.repository import Repository

ACTIONS_APP_ID = 15368
JOB_NAME = "grade"


@dataclass(frozen=True)
class Workflow:
    """A workflow file. `points` is what its runs report (none if None).

    `delay` says when a run completes: 0 at once, seconds of real time after it began, or None, when a test says so.
    """

    name: str = "Grading"
    points: str | None = None
    on: tuple[str, ...] = ("push", "repository_dispatch")
    run_name_with_nonce: bool = True
    delay: float | None = 0.0
    conclusion: str = "success"

    def title_of_dispatch(self, event_type: str, payload: dict[str, Any]) -> str:
        """`display_title`: the `run-name` if the file has one, else the event's type."""
        nonce = payload.get("nonce")
        return f"{self.name} {nonce}" if self.run_name_with_nonce and nonce else event_type


@dataclass(frozen=True)
class Dispatch:
    """A repository_dispatch that was taken, whether or not a workflow listened."""

    at: datetime
    event_type: str
    client_payload: dict[str, Any]


@dataclass(frozen=True)
class Trigger:
    """What started a run: the event, who caused it, where it runs, and the run's title.

    `fork` is the repository of the branch and the commit, if that is another one.
    """

    event: str
    actor: User
    branch: str
    sha: str
    title: str
    fork: "Repository | None" = None


@dataclass(eq=False)
class Run:
    """A workflow run; a re-run is its next attempt."""

    id: int
    repo: "Repository"
    path: str
    workflow: Workflow
    trigger: Trigger
    number: int
    suite: CheckSuite
    created_at: datetime
    attempt: int = 1
    status: str = "queued"
    conclusion: str | None = None
    triggering_actor: User = field(init=False)
    started_at: datetime = field(init=False)
    updated_at: datetime = field(init=False)

    def __post_init__(self) -> None:
        self.triggering_actor = self.trigger.actor
        self.started_at = self.updated_at = self.created_at

    @property
    def event(self) -> str:
        """push, repository_dispatch or pull_request."""
        return self.trigger.event

    @property
    def actor(self) -> User:
        """Who started the first attempt."""
        return self.trigger.actor

    @property
    def head_sha(self) -> str:
        """The commit it ran on."""
        return self.trigger.sha

    @property
    def head_branch(self) -> str:
        """The branch it ran on."""
        return self.trigger.branch

    @property
    def head_repository(self) -> "Repository":
        """Where its commit was pushed to."""
        return self.trigger.fork or self.repo

    @property
    def display_title(self) -> str:
        """What GitHub lists it as."""
        return self.trigger.title

    @property
    def workflow_id(self) -> int:
        """The id of the workflow file, stable in the repository."""
        ids = self.repo.workflow_ids
        if self.path not in ids:
            ids[self.path] = self.repo.world.ids.small()
        return ids[self.path]

    def complete(
        self,
        conclusion: str | None = None,
        points: str | None = None,
        annotations: Sequence[dict[str, Any]] | None = None,
    ) -> None:
        """Finish the attempt with the workflow's own conclusion and points, unless others are given.

        `annotations` replaces the GRADE notice altogether. Raises RuntimeError if it is finished already: give the
        workflow `delay=None` to finish its runs by hand.
        """
        if self.status == "completed":
            raise RuntimeError(f"run {self.id} is completed; its workflow needs delay=None, or rerun() it")
        job = self.suite.runs[-1]
        job.annotations = list(_grade(points or self.workflow.points) if annotations is None else annotations)
        self.updated_at = self.repo.world.clock.now()
        self.status, self.conclusion = "completed", conclusion or self.workflow.conclusion
        job.complete(self.conclusion, self.updated_at)
        events.check_run(job, "completed", self.triggering_actor)
        events.workflow_run(self, "completed")

    def rerun(self, user: User) -> None:
        """Start the next attempt. GitHub sends no `requested` for it."""
        self.attempt += 1
        self.triggering_actor = user
        self.started_at = self.updated_at = self.repo.world.clock.now()
        self.conclusion = None
        self._begin()

    def request(self) -> None:
        """Announce the run and let it begin."""
        events.workflow_run(self, "requested")
        self._begin()

    def _begin(self) -> None:
        self.status = "in_progress"
        job: CheckRun = self.repo.checks.new_run(self.suite, JOB_NAME)
        job.status = "in_progress"
        events.check_run(job, "created", self.triggering_actor)
        events.workflow_run(self, "in_progress")
        if self.workflow.delay is not None:
            self._complete_after(self.workflow.delay)

    def _complete_after(self, seconds: float) -> None:
        if seconds == 0:
            self.complete()
        else:
            asyncio.get_running_loop().call_later(seconds, self.complete)


def start_for_push(repo: "Repository", branch: str, sha: str, user: User) -> None:
    """The runs a push starts."""
    title = repo.git.commits[sha].message.split("\n", 1)[0]
    for path, workflow in repo.workflows.items():
        if "push" in workflow.on:
            _start(repo, path, Trigger("push", user, branch, sha, title))


def start_for_dispatch(repo: "Repository", event_type: str, payload: dict[str, Any], user: User) -> None:
    """The runs a repository_dispatch starts: always on the default branch, by whoever dispatched."""
    branch = repo.default_branch
    for path, workflow in repo.workflows.items():
        if "repository_dispatch" in workflow.on:
            title = workflow.title_of_dispatch(event_type, payload)
            _start(repo, path, Trigger("repository_dispatch", user, branch, repo.head(), title))


def start_for_pull_request(repo: "Repository", fork: "Repository", branch: str, user: User) -> list[Run]:
    """The runs a pull request out of a fork starts: in `repo`, on the fork's commit, under the fork's branch."""
    sha = fork.head(branch)
    # GitHub keeps the commits of a pull request reachable where it was opened, by refs/pull/….
    repo.git.commits |= {commit.sha: commit for commit in fork.git.history(sha)}
    trigger = Trigger("pull_request", user, branch, sha, fork.git.commits[sha].message.split("\n", 1)[0], fork)
    return [_start(repo, path, trigger) for path, one in repo.workflows.items() if trigger.event in one.on]


def _start(repo: "Repository", path: str, trigger: Trigger) -> Run:
    world = repo.world
    suite = repo.checks.new_suite(ACTIONS_APP_ID, trigger.sha, trigger.branch)
    number = sum(run.path == path for run in repo.runs) + 1
    run = Run(world.ids.large(), repo, path, repo.workflows[path], trigger, number, suite, world.clock.now())
    repo.runs.append(run)
    run.request()
    return run


def _grade(points: str | None) -> list[dict[str, Any]]:
    """The notice the grading workflow leaves: exactly one, titled GRADE."""
    if points is None:
        return []
    return [annotation("GRADE", points)]


def annotation(title: str, message: str, level: str = "notice") -> dict[str, Any]:
    """An annotation of a run, as `complete(annotations=…)` takes them."""
    return {
        "path": ".github",
        "start_line": 1,
        "end_line": 1,
        "start_column": None,
        "end_column": None,
        "annotation_level": level,
        "title": title,
        "message": message,
        "raw_details": "",
    }

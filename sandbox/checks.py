"""Check suites and check runs."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sandbox.repository import Repository


@dataclass(eq=False)
class CheckSuite:
    """What one App says of one commit; GitHub Actions has one per workflow run."""

    id: int
    repo: "Repository"
    app_id: int
    head_sha: str
    head_branch: str | None
    created_at: datetime
    runs: "list[CheckRun]" = field(default_factory=list)

    @property
    def latest(self) -> "list[CheckRun]":
        """The newest check run of each name."""
        return list({run.name: run for run in self.runs}.values())

    @property
    def status(self) -> str:
        """Completed once all the latest runs are."""
        if not self.runs:
            return "queued"
        return "completed" if all(run.status == "completed" for run in self.latest) else "in_progress"

    @property
    def conclusion(self) -> str | None:
        """Failure if any of the latest runs failed."""
        if self.status != "completed":
            return None
        return "failure" if any(run.conclusion == "failure" for run in self.latest) else "success"


@dataclass(eq=False)
class CheckRun:
    """One check of a suite."""

    id: int
    suite: CheckSuite
    name: str
    started_at: datetime
    status: str = "queued"
    conclusion: str | None = None
    completed_at: datetime | None = None
    details_url: str | None = None
    external_id: str = ""
    title: str | None = None
    summary: str | None = None
    text: str | None = None
    annotations: list[dict[str, Any]] = field(default_factory=list)
    actions: list[dict[str, Any]] = field(default_factory=list)

    def complete(self, conclusion: str, at: datetime) -> None:
        """Finish it."""
        self.status, self.conclusion, self.completed_at = "completed", conclusion, at


class Checks:
    """The suites and runs of a repository, by id and by commit."""

    def __init__(self, repo: "Repository") -> None:
        self._repo = repo
        self.suites: dict[int, CheckSuite] = {}
        self.runs: dict[int, CheckRun] = {}
        self._by_sha: dict[str, list[CheckSuite]] = {}

    def new_suite(self, app_id: int, sha: str, branch: str | None = None) -> CheckSuite:
        """A suite of its own."""
        world = self._repo.world
        suite = CheckSuite(world.ids.large(), self._repo, app_id, sha, branch, world.clock.now())
        self.suites[suite.id] = suite
        self._by_sha.setdefault(sha, []).append(suite)
        return suite

    def suite(self, app_id: int, sha: str) -> CheckSuite:
        """The App's suite of a commit, made when it is first needed."""
        found = next((suite for suite in self._by_sha.get(sha, ()) if suite.app_id == app_id), None)
        return found or self.new_suite(app_id, sha)

    def of(self, sha: str) -> list[CheckSuite]:
        """All suites of a commit."""
        return self._by_sha.get(sha, [])

    def new_run(self, suite: CheckSuite, name: str) -> CheckRun:
        """A check run in a suite."""
        run = CheckRun(self._repo.world.ids.large(), suite, name, self._repo.world.clock.now())
        suite.runs.append(run)
        self.runs[run.id] = run
        return run

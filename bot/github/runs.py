"""Workflow runs, and what they reported: the annotations of their jobs."""

import msgspec

from bot.github.api import PER_PAGE, Api
from bot.github.shapes import fit
from bot.rules.runs import WorkflowRun


class Annotation(msgspec.Struct, frozen=True):
    """One annotation. `level` is `notice`, `warning` or `failure`; GitHub may leave any of them out."""

    title: str | None = None
    level: str | None = msgspec.field(name="annotation_level", default=None)
    message: str | None = None


class _Output(msgspec.Struct, frozen=True):
    annotations_count: int = 0


class _CheckRun(msgspec.Struct, frozen=True):
    id: int
    output: _Output


class _Runs(msgspec.Struct, frozen=True):
    workflow_runs: list[WorkflowRun]


async def latest_completed(api: Api, repository_id: int) -> list[WorkflowRun]:
    """The latest hundred runs of a repository that have completed, newest first, each as the attempt it is at."""
    path = f"/repositories/{repository_id}/actions/runs?status=completed&per_page={PER_PAGE}"
    return fit(_Runs, await api.read(path, repository_id=repository_id)).workflow_runs


async def annotations(api: Api, repository_id: int, check_suite_id: int) -> list[Annotation]:
    """Every annotation of the latest check runs of a suite, in GitHub's order. A workflow run is one suite."""
    suite = f"/repositories/{repository_id}/check-suites/{check_suite_id}/check-runs"
    runs = fit(list[_CheckRun], await api.pages(suite, key="check_runs", repository_id=repository_id))
    found: list[Annotation] = []
    for run in runs:
        if run.output.annotations_count:
            path = f"/repositories/{repository_id}/check-runs/{run.id}/annotations"
            found += fit(list[Annotation], await api.pages(path, repository_id=repository_id))
    return found

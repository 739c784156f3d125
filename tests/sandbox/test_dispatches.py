"""Dispatches start runs, and runs leave points."""

import asyncio
from datetime import UTC, datetime
from typing import Any

import pytest

from sandbox import Workflow, World
from sandbox.actions import annotation
from sandbox.organisation import Organisation
from sandbox.repository import Repository

from .caller import Caller, Received

GRADING = ".github/workflows/grading.yml"


def graded(org: Organisation, **workflow: Any) -> Repository:
    return org.repository("lab1-amy", collaborators={"amy": "write"}, workflows={GRADING: Workflow(**workflow)})


async def test_a_dispatch_starts_a_run_of_the_app_that_carries_the_nonce(
    github: Caller, world: World, org: Organisation
) -> None:
    repo = graded(org, points="4.5/6")
    world.clock.stand_at(datetime(2026, 12, 1, 23, tzinfo=UTC))
    body = {"event_type": "grade-final", "client_payload": {"nonce": "n-17", "sha": repo.head()}}
    answer = await github.call("POST", f"/repositories/{repo.id}/dispatches", body)
    assert (answer.status, answer.headers["Date"]) == (204, "Tue, 01 Dec 2026 23:00:00 GMT")
    runs = (await github.get(f"/repositories/{repo.id}/actions/runs?event=repository_dispatch")).body["workflow_runs"]
    assert [run["display_title"] for run in runs] == ["Grading n-17"]
    assert (runs[0]["actor"]["login"], runs[0]["actor"]["type"]) == ("pencils-down[bot]", "Bot")
    assert (runs[0]["head_branch"], runs[0]["run_attempt"], runs[0]["path"]) == ("main", 1, GRADING)
    assert runs[0]["created_at"] == "2026-12-01T23:00:00Z"


async def test_without_a_run_name_the_title_is_the_events_type(github: Caller, org: Organisation) -> None:
    repo = graded(org, run_name_with_nonce=False)
    body = {"event_type": "grade-final", "client_payload": {"nonce": "n"}}
    await github.call("POST", f"/repositories/{repo.id}/dispatches", body)
    assert repo.runs[-1].display_title == "grade-final"


async def test_the_app_hears_of_its_dispatch_and_of_the_run(
    github: Caller, world: World, org: Organisation, inbox: list[Received]
) -> None:
    repo = graded(org, points="4.5/6")
    body = {"event_type": "grade-final", "client_payload": {"nonce": "n"}}
    await github.call("POST", f"/repositories/{repo.id}/dispatches", body)
    await world.hook.idle()
    told = sorted((one.event, one.payload["action"]) for one in inbox if "check" not in one.event)
    assert told == [
        ("repository", "created"),
        ("repository_dispatch", "grade-final"),
        ("workflow_run", "completed"),
        ("workflow_run", "in_progress"),
        ("workflow_run", "requested"),
    ]


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"event_type": ""},
        {"event_type": "x" * 101},
        {"event_type": "x", "client_payload": {str(number): 1 for number in range(11)}},
        {"event_type": "x", "client_payload": {"big": "x" * 65_536}},
    ],
)
async def test_a_dispatch_that_does_not_fit_is_refused(github: Caller, org: Organisation, body: dict[str, Any]) -> None:
    repo = graded(org)
    assert (await github.call("POST", f"/repositories/{repo.id}/dispatches", body)).status == 422
    assert (repo.dispatches, repo.runs) == ([], [])


async def test_the_points_of_a_push_are_in_the_annotation_of_its_suite(
    github: Caller, world: World, org: Organisation
) -> None:
    repo = graded(org, points="4.5/6")
    sha = repo.push(world.user("amy"), message="my work")
    run = (await github.get(f"/repositories/{repo.id}/actions/runs/{repo.runs[0].id}")).body
    assert (run["head_sha"], run["display_title"], run["conclusion"]) == (sha, "my work", "success")
    checks = (await github.get(f"/repositories/{repo.id}/check-suites/{run['check_suite_id']}/check-runs")).body
    assert checks["check_runs"][0]["app"]["id"] == 15368
    path = f"/repositories/{repo.id}/check-runs/{checks['check_runs'][0]['id']}/annotations"
    notices = (await github.get(path)).body
    assert [(one["annotation_level"], one["title"], one["message"]) for one in notices] == [
        ("notice", "GRADE", "4.5/6")
    ]


def test_a_run_without_delay_waits_for_its_end(world: World, org: Organisation) -> None:
    repo = graded(org, delay=None)
    repo.push(world.user("amy"))
    run = repo.runs[-1]
    assert (run.status, run.conclusion) == ("in_progress", None)
    run.complete(conclusion="failure", annotations=[annotation("GRADE", "1/6"), annotation("GRADE", "6/6")])
    assert (run.status, run.conclusion, len(run.suite.runs[0].annotations)) == ("completed", "failure", 2)
    with pytest.raises(RuntimeError, match="delay=None"):
        run.complete()


async def test_a_run_takes_its_delay(world: World, org: Organisation) -> None:
    repo, later = graded(org, delay=0.01), asyncio.Event()
    repo.push(world.user("amy"))
    assert repo.runs[-1].status == "in_progress"
    asyncio.get_running_loop().call_later(0.02, later.set)
    await later.wait()
    assert (repo.runs[-1].status, repo.runs[-1].conclusion) == ("completed", "success")


async def test_a_rerun_is_another_attempt_by_whoever_asked_without_a_request(
    world: World, org: Organisation, inbox: list[Received]
) -> None:
    repo = graded(org, points="4.5/6")
    repo.push(world.user("amy"))
    repo.runs[-1].rerun(world.user("prof"))
    await world.hook.idle()
    payloads = [one.payload for one in inbox if one.event == "workflow_run"]
    second = [one["action"] for one in payloads if one["workflow_run"]["run_attempt"] == 2]
    assert sorted(second) == ["completed", "in_progress"]
    triggered = {one["workflow_run"]["triggering_actor"]["login"] for one in payloads}
    assert triggered == {"amy", "prof"}


async def test_a_workflow_hears_only_what_it_listens_to(github: Caller, world: World, org: Organisation) -> None:
    repo = graded(org, on=("push",))
    await github.call("POST", f"/repositories/{repo.id}/dispatches", {"event_type": "grade-final"})
    assert (len(repo.dispatches), repo.runs) == (1, [])

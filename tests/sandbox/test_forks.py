"""Runs that a fork's pull request starts: in the course's repository, on a commit that was never pushed there."""

import pytest

from sandbox import Workflow, World
from sandbox.organisation import Organisation
from sandbox.repository import Repository

from .caller import Caller, Received

GRADING = ".github/workflows/grading.yml"


@pytest.fixture
def fork(world: World, repo: Repository) -> Repository:
    """Amy's fork, where she may write; her own repository is graded by pull requests too."""
    repo.workflows = {GRADING: Workflow(points="6/6", on=("push", "pull_request"))}
    made = repo.fork(world.organisation("amys-own"))
    made.collaborator(world.user("amy"), "write")
    return made


async def test_the_run_names_the_fork_and_its_branch(
    world: World, repo: Repository, fork: Repository, inbox: list[Received]
) -> None:
    sha = fork.push(world.user("amy"), message="never pushed to the course")
    (run,) = repo.pull_request(world.user("amy"), fork)
    await world.hook.idle()
    payloads = [one.payload for one in inbox if one.event == "workflow_run"]
    assert sorted(one["action"] for one in payloads) == ["completed", "in_progress", "requested"]
    for payload in payloads:
        told = payload["workflow_run"]
        assert (told["id"], told["event"], told["head_branch"], told["head_sha"]) == (
            run.id,
            "pull_request",
            "main",
            sha,
        )
        assert (told["repository"]["id"], told["head_repository"]["id"]) == (repo.id, fork.id)
        assert (told["head_repository"]["fork"], told["head_repository"]["full_name"]) == (True, "amys-own/lab1-amy")
        assert payload["repository"]["id"] == repo.id
        assert told["head_commit"]["message"] == "never pushed to the course"
    assert "push" not in [one.event for one in inbox]


async def test_it_is_listed_beside_the_repositorys_own(
    github: Caller, world: World, repo: Repository, fork: Repository
) -> None:
    repo.push(world.user("amy"))
    sha = fork.push(world.user("amy"), "idea")
    repo.pull_request(world.user("amy"), fork, "idea")
    path = f"/repositories/{repo.id}/actions/runs"
    theirs, own = (await github.get(path)).body["workflow_runs"]
    assert [one["head_repository"]["id"] for one in (theirs, own)] == [fork.id, repo.id]
    assert (theirs["head_branch"], theirs["head_sha"], theirs["conclusion"]) == ("idea", sha, "success")
    only = (await github.get(f"{path}?event=pull_request")).body
    assert [one["id"] for one in only["workflow_runs"]] == [theirs["id"]]
    assert (await github.get(f"{path}/{theirs['id']}")).body == theirs


async def test_the_fork_and_the_repository_move_apart(world: World, repo: Repository, fork: Repository) -> None:
    assert fork.head() == repo.head()
    sha = fork.push(world.user("amy"))
    assert sha not in repo.git.commits
    assert fork.head() != repo.head()


def test_a_pull_request_that_starts_nothing_is_a_mistake_of_the_test(
    world: World, org: Organisation, repo: Repository
) -> None:
    repo.workflows = {GRADING: Workflow(on=("push",))}
    fork = repo.fork(org, "lab1-amy-again")
    with pytest.raises(ValueError, match="pull_request"):
        repo.pull_request(world.user("amy"), fork)

"""Two lists that evidence is read from: the commits between two, and the runs that are over."""

from typing import Any

from sandbox import Workflow, World
from sandbox.repository import Repository

from .caller import Caller

GRADING = ".github/workflows/grading.yml"


def shas(body: Any) -> list[str]:
    """The commits of a comparison."""
    return [one["sha"] for one in body["commits"]]


async def test_a_comparison_without_pages_lists_the_last_250(github: Caller, world: World, repo: Repository) -> None:
    first = repo.head()
    pushed = repo.push_several(world.user("amy"), 260)
    whole = await github.get(f"/repositories/{repo.id}/compare/{first}...main")
    assert (shas(whole.body), whole.link("next")) == (pushed[10:], "")
    assert (whole.body["total_commits"], whole.body["ahead_by"], whole.body["behind_by"]) == (260, 260, 0)


async def test_a_comparison_in_pages_begins_with_the_oldest(github: Caller, world: World, repo: Repository) -> None:
    first = repo.head()
    pushed = repo.push_several(world.user("amy"), 5)
    page = await github.get(f"/repos/prog1/lab1-amy/compare/{first}...main?per_page=2")
    second = await github.get(page.link("next"))
    last = await github.get(page.link("last"))
    assert second.link("next") == page.link("last")
    assert [shas(one.body) for one in (page, second, last)] == [pushed[:2], pushed[2:4], pushed[4:]]
    assert {one.body["total_commits"] for one in (page, second, last)} == {5}


async def test_a_comparison_counts_both_sides_from_where_they_part(
    github: Caller, world: World, repo: Repository
) -> None:
    amy, parted = world.user("amy"), repo.head()
    side = repo.push_several(amy, 3, "side/a")
    main = repo.push_several(amy, 2)
    body = (await github.get(f"/repositories/{repo.id}/compare/main...side/a?per_page=1")).body
    assert (body["status"], body["ahead_by"], body["behind_by"], shas(body)) == ("diverged", 3, 2, side[:1])
    assert body["merge_base_commit"]["sha"] == parted
    assert body["base_commit"]["sha"] == main[-1]
    by_name = (await github.get("/repos/prog1/lab1-amy/compare/main...side/a?per_page=1")).body
    assert by_name == body
    merged = repo.merge(amy, "side/a")
    body = (await github.get(f"/repositories/{repo.id}/compare/{main[-1]}...{merged}")).body
    assert (body["status"], body["ahead_by"], set(shas(body))) == ("ahead", 4, {*side, merged})


async def test_runs_are_listed_by_how_they_stand(github: Caller, world: World, repo: Repository) -> None:
    repo.workflows[GRADING] = Workflow(delay=None)
    for _ in range(4):
        repo.push(world.user("amy"))
    for run, conclusion in zip(repo.runs, ("success", "failure", "success"), strict=False):
        run.complete(conclusion)
    ids = [run.id for run in repo.runs]

    async def listed(status: str) -> list[int]:
        body = (await github.get(f"/repositories/{repo.id}/actions/runs?status={status}")).body
        assert body["total_count"] == len(body["workflow_runs"])
        return [one["id"] for one in body["workflow_runs"]]

    assert await listed("completed") == [ids[2], ids[1], ids[0]]
    assert await listed("success") == [ids[2], ids[0]]
    assert await listed("failure") == [ids[1]]
    assert await listed("in_progress") == [ids[3]]


async def test_completed_runs_come_in_pages_newest_first(github: Caller, world: World, repo: Repository) -> None:
    repo.workflows[GRADING] = Workflow()
    for _ in range(3):
        repo.push(world.user("amy"))
    first = await github.get("/repos/prog1/lab1-amy/actions/runs?status=completed&per_page=2")
    assert first.link("next") == f"{world.url}/repositories/{repo.id}/actions/runs?status=completed&per_page=2&page=2"
    second = await github.get(first.link("next"))
    seen = [one["id"] for page in (first, second) for one in page.body["workflow_runs"]]
    assert seen == [run.id for run in reversed(repo.runs)]
    assert (first.body["total_count"], second.body["total_count"], second.link("next")) == (3, 3, "")

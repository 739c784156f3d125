"""The rate limits that GitHub documents, each refused in all the forms in which GitHub refuses."""

from datetime import timedelta

import pytest

from sandbox import World
from sandbox.organisation import Organisation
from sandbox.repository import Repository
from sandbox.secondary_limits import CONTENTS_A_MINUTE, POINTS_A_MINUTE

from .caller import Caller

MINUTE = timedelta(minutes=1)


async def test_the_hours_calls_run_out_with_a_reset_in_both_forms(
    github: Caller, world: World, org: Organisation
) -> None:
    await github.get("/orgs/prog1")
    world.limits.of(org.installation, world.clock.real()).used = 5_000
    refused = [await github.get("/orgs/prog1") for _ in range(2)]
    assert [(one.status, one.headers["x-ratelimit-remaining"]) for one in refused] == [(403, "0"), (429, "0")]
    world.limits.elapse(timedelta(hours=1))
    assert (await github.get("/orgs/prog1")).status == 200
    assert world.limits.violations == {"primary": 2}


async def test_nothing_is_refused_until_the_limits_are_enforced(github: Caller, world: World) -> None:
    statuses = {(await github.get("/orgs/prog1")).status for _ in range(POINTS_A_MINUTE + 1)}
    assert statuses == {200}
    assert not world.limits.violations


async def test_a_minutes_points_run_out_and_come_back(github: Caller, world: World, repo: Repository) -> None:
    world.limits.enforce()
    for number in range(POINTS_A_MINUTE // 5 - 1):
        await github.call("POST", f"/repositories/{repo.id}/dispatches", {"event_type": f"e{number}"})
    reads = [(await github.get("/orgs/prog1")).status for _ in range(6)]
    assert reads == [200] * 5 + [403]
    world.limits.elapse(MINUTE)
    assert (await github.get("/orgs/prog1")).status == 200


async def test_a_refusal_comes_as_403_or_429_with_or_without_a_time(
    github: Caller, world: World, org: Organisation
) -> None:
    world.limits.enforce()
    assert org.installation is not None
    world.limits.spending[org.installation.id].points.append((world.clock.real(), POINTS_A_MINUTE))
    refused = [await github.get("/orgs/prog1") for _ in range(4)]
    assert [(one.status, one.headers.get("retry-after")) for one in refused] == [
        (403, "60"),
        (429, None),
        (403, None),
        (429, "60"),
    ]
    assert all("secondary rate limit" in one.message for one in refused)
    assert world.limits.violations == {"points": 4}


async def test_a_minutes_comments_run_out_and_other_writes_go_on(
    github: Caller, world: World, repo: Repository
) -> None:
    world.limits.enforce()
    issue = repo.open_issue(world.user("prof"), "Lab 1")
    path = f"/repositories/{repo.id}/issues/{issue.number}/comments"
    for _ in range(CONTENTS_A_MINUTE):
        assert (await github.call("POST", path, {"body": "x"})).status == 201
    refused = await github.call("POST", path, {"body": "x"})
    assert "temporarily blocked from content creation" in refused.message
    assert (await github.call("POST", f"/repositories/{repo.id}/dispatches", {"event_type": "e"})).status == 204


@pytest.mark.parametrize(("earlier", "status"), [(499, 201), (500, 403)])
async def test_an_hours_comments_run_out(
    github: Caller, world: World, repo: Repository, org: Organisation, earlier: int, status: int
) -> None:
    world.limits.enforce()
    assert org.installation is not None
    issue = repo.open_issue(world.user("prof"), "Lab 1")
    long_ago = world.clock.real() - timedelta(minutes=30)
    world.limits.spending[org.installation.id].contents.extend([long_ago] * earlier)
    path = f"/repositories/{repo.id}/issues/{issue.number}/comments"
    assert (await github.call("POST", path, {"body": "x"})).status == status


async def test_more_than_a_hundred_at_once_are_refused(github: Caller, world: World, org: Organisation) -> None:
    world.limits.enforce()
    assert org.installation is not None
    world.limits.spending[org.installation.id].at_once = 100
    assert (await github.get("/orgs/prog1")).status == 403
    world.limits.spending[org.installation.id].at_once = 99
    assert (await github.get("/orgs/prog1")).status == 200

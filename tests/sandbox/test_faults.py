"""Faults strike where they were arranged, and the record knows what GitHub really did."""

import asyncio

import aiohttp
import pytest

from sandbox import Fault, World
from sandbox.repository import Repository

from .caller import Caller

DISPATCH = {"event_type": "grade-final", "client_payload": {"nonce": "n1"}}


@pytest.mark.parametrize("after_effect", [False, True])
async def test_a_status_is_answered_without_or_after_the_effect(
    github: Caller, world: World, repo: Repository, after_effect: bool
) -> None:
    world.faults.add(Fault("POST", "/repositories/{id}/dispatches", status=502, after_effect=after_effect))
    path = f"/repositories/{repo.id}/dispatches"
    assert (await github.call("POST", path, DISPATCH)).status == 502
    assert len(repo.dispatches) == int(after_effect)
    assert [(call.status, call.effect) for call in world.mutations()] == [(502, after_effect)]
    assert (await github.call("POST", path, DISPATCH)).status == 204


@pytest.mark.parametrize(("side", "done"), [("before", 0), ("after", 1)])
async def test_a_connection_is_dropped_before_or_after_the_effect(
    github: Caller, world: World, repo: Repository, side: str, done: int
) -> None:
    world.faults.add(Fault(method="POST", drop="before" if side == "before" else "after"))
    with pytest.raises(aiohttp.ClientConnectionError):
        await github.call("POST", f"/repositories/{repo.id}/dispatches", DISPATCH)
    assert len(repo.dispatches) == done
    assert [(call.status, call.effect) for call in world.mutations()] == [(0, bool(done))]


async def test_a_fault_fits_its_route_however_that_is_spelt_and_strikes_as_often_as_told(
    github: Caller, world: World, repo: Repository
) -> None:
    fault = Fault(route="/repos/{owner}/{repo}", status=403, times=2, skip=1, headers={"retry-after": "7"})
    world.faults.add(fault)
    assert (await github.get(f"/repositories/{repo.id}/issues")).status == 200
    answers = [await github.get(f"/repositories/{repo.id}") for _ in range(4)]
    assert [answer.status for answer in answers] == [200, 403, 403, 200]
    assert answers[1].headers["retry-after"] == "7"
    assert world.faults.pending == []


@pytest.mark.parametrize(("side", "done"), [("before", 0), ("after", 1)])
async def test_a_call_can_be_held_at_either_side_of_its_effect(
    github: Caller, world: World, repo: Repository, side: str, done: int
) -> None:
    fault = world.faults.add(Fault(method="POST", hold="before" if side == "before" else "after"))
    call = asyncio.create_task(github.call("POST", f"/repositories/{repo.id}/dispatches", DISPATCH))
    await fault.reached.wait()
    assert len(repo.dispatches) == done
    fault.release()
    assert (await call).status == 204
    assert len(repo.dispatches) == 1


async def test_an_answer_can_be_late(github: Caller, world: World) -> None:
    world.faults.add(Fault(delay=0.01))
    assert (await github.get("/orgs/prog1")).status == 200

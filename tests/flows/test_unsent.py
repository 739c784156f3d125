"""A review that certainly never left the process is asked for later, once; what may have left it never is."""

import asyncio
from typing import Any

import asyncpg
import pytest
import structlog

from bot.github.gate import Admission, Call
from bot.jobs import dispatches as job
from bot.jobs.gate import SharedGate
from bot.store import dispatches
from bot.store.dispatches import Entry
from sandbox.repository import Repository
from tests.flows.course import Course
from tests.flows.midway import DEADLINE, DISPATCH, GRACE_OVER, PATIENCE_SECONDS

OUTCOMES = "SELECT outcome FROM dispatches ORDER BY id"


async def frozen(course: Course) -> Repository:
    """A course at its freeze; the repository of which a review is due."""
    amy, repository = course.student("amy")
    await course.open_project()
    repository.push(amy)
    await course.settle()
    await course.at(DEADLINE)
    await course.settle()
    await course.at(GRACE_OVER)
    return repository


async def outcomes(course: Course) -> list[str | None]:
    """What became of each claim."""
    return [row["outcome"] for row in await course.rows(OUTCOMES)]


async def asked_once_later(course: Course, repository: Repository) -> None:
    """An hour on, the one review was asked for, and nothing is left for a person."""
    await course.an_hour_passes()
    await course.settle()
    await course.an_hour_passes()
    await course.settle()
    assert len(course.reviews(repository)) == 1
    assert await outcomes(course) == ["given back", "accepted"]
    assert "not confirmed" not in await course.write(course.teacher, "/status")


async def test_a_claim_whose_call_the_gates_database_kept_back_is_given_back(
    course: Course, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository = await frozen(course)
    broken = Breaking()
    monkeypatch.setattr(SharedGate, "_ask", broken.ask(SharedGate._ask))

    with structlog.testing.capture_logs():
        await course.settle()

    assert await outcomes(course) == ["given back"]
    assert course.world.count(*DISPATCH) == 0
    await asked_once_later(course, repository)


async def test_it_is_given_back_also_where_the_database_is_away_for_longer(
    course: Course, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository = await frozen(course)
    monkeypatch.setattr(job, "AGAIN_SECONDS", 0.01)
    broken, again = Breaking(), Breaking()
    monkeypatch.setattr(SharedGate, "_ask", broken.ask(SharedGate._ask))
    monkeypatch.setattr(dispatches, "give_back_unsent", again.once(dispatches.give_back_unsent))

    with structlog.testing.capture_logs():
        await course.settle()

    assert again.broke
    await asked_once_later(course, repository)


async def test_a_claim_whose_commit_was_not_answered_is_given_back(
    course: Course, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository = await frozen(course)
    enter, broken = job._enter, Breaking()

    async def unanswered(*what: Any) -> Entry | None:
        entry = await enter(*what)
        broken.now()
        return entry

    monkeypatch.setattr(job, "_enter", unanswered)
    with structlog.testing.capture_logs():
        await course.settle()

    await asked_once_later(course, repository)


async def test_a_claim_whose_job_is_cut_short_at_the_gate_is_given_back(
    pair: Course, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository = await frozen(pair)
    stopped, waits = pair.services.pop(0), asyncio.Event()
    ask = SharedGate._ask

    async def hang(gate: SharedGate, call: Call) -> Admission:
        if call.path.endswith("/dispatches"):
            waits.set()
            await asyncio.Event().wait()
        return await ask(gate, call)

    monkeypatch.setattr("bot.service.STOP_SECONDS", 0.1)
    with monkeypatch.context() as patch:
        patch.setattr(SharedGate, "_ask", hang)
        async with asyncio.timeout(PATIENCE_SECONDS):
            while not waits.is_set():
                while await stopped.read_mail():
                    pass
                await stopped.tick()
                await asyncio.wait({asyncio.create_task(waits.wait())}, timeout=0.05)
        with structlog.testing.capture_logs():
            await stopped.end()

    assert await outcomes(pair) == ["given back"]
    await pair.settle()
    await asked_once_later(pair, repository)


async def test_a_claim_that_was_answered_is_never_given_back_whatever_fails_afterwards(
    course: Course, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository = await frozen(course)
    broken = Breaking()
    monkeypatch.setattr(dispatches, "answered", broken.once(dispatches.answered))

    with structlog.testing.capture_logs():
        await course.settle()
    await course.an_hour_passes()
    await course.settle()

    assert len(course.reviews(repository)) == 1
    assert await outcomes(course) == [None]
    assert "1 review not confirmed" in await course.write(course.teacher, "/status")


class Breaking:
    """Loses the connection once."""

    def __init__(self) -> None:
        self.broke = False

    def now(self) -> None:
        """Lose it, if it was not lost before."""
        if not self.broke:
            self.broke = True
            raise asyncpg.InterfaceError("connection lost")

    def once(self, step: Any) -> Any:
        """The same step, which fails the first time."""

        async def broken(*what: Any) -> Any:
            self.now()
            return await step(*what)

        return broken

    def ask(self, step: Any) -> Any:
        """The same, of the gate's question about a review."""

        async def broken(gate: SharedGate, call: Call) -> Admission:
            if call.path.endswith("/dispatches"):
                self.now()
            admission: Admission = await step(gate, call)
            return admission

        return broken

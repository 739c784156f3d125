"""A process is told to stop: it begins no further call, finishes those in hand, and leaves the rest to others."""

import asyncio

import pytest

from bot.github.gate import Admission, Call
from bot.jobs.frame import AT_ONCE
from bot.jobs.gate import SharedGate
from bot.service import Service
from sandbox.repository import Repository
from tests.flows.course import Course
from tests.flows.midway import COMMENT, DEADLINE, DISPATCH, GRACE_OVER, PATIENCE_SECONDS, fault, until_held

LEDGER = "SELECT coalesce(outcome, 'none') AS outcome, count(*) FROM dispatches GROUP BY 1 ORDER BY 1"
STUDENTS = 12


async def frozen(course: Course, students: int) -> list[Repository]:
    """A course at its freeze, of which no review was asked for."""
    people = [course.student(f"s{number:02}") for number in range(students)]
    await course.open_project()
    for user, repository in people:
        repository.push(user)
    await course.settle()
    await course.at(DEADLINE)
    await course.settle()
    await course.at(GRACE_OVER)
    return [repository for _user, repository in people]


async def ledger(course: Course) -> dict[str, int]:
    """How many reviews ended how."""
    return {row["outcome"]: row["count"] for row in await course.rows(LEDGER)}


async def test_a_stop_in_the_middle_of_reviews_finishes_those_in_hand_and_leaves_the_rest_to_the_next_process(
    pair: Course,
) -> None:
    repositories = await frozen(pair, STUDENTS)
    in_hand = [fault(pair, DISPATCH, hold="before") for _ in range(AT_ONCE)]
    stopped = pair.services.pop(0)
    for held in in_hand:
        await until_held(stopped, held)

    ending = asyncio.create_task(stopped.end())
    for held in in_hand:
        await pair.rows("SELECT pg_sleep(0.05)")
        held.release()
    async with asyncio.timeout(PATIENCE_SECONDS):
        await ending

    assert pair.world.count(*DISPATCH) == AT_ONCE
    assert await ledger(pair) == {"accepted": AT_ONCE}
    (row,) = await pair.rows("SELECT dispatch_job_at, dispatch_job_by FROM projects")
    assert tuple(row) == (None, None)

    await pair.settle()

    assert [len(pair.reviews(repository)) for repository in repositories] == [1] * STUDENTS
    assert await ledger(pair) == {"accepted": STUDENTS}


async def test_a_review_that_waits_for_budget_when_the_process_stops_is_given_back_and_asked_for_by_the_next(
    pair: Course, monkeypatch: pytest.MonkeyPatch
) -> None:
    (repository,) = await frozen(pair, 1)
    waits = asyncio.Event()
    ask = SharedGate.admit

    async def spent(gate: SharedGate, call: Call) -> Admission:
        if call.path.endswith("/dispatches"):
            waits.set()
            return Admission("wait", PATIENCE_SECONDS)
        return await ask(gate, call)

    stopped = impatient(pair)
    with monkeypatch.context() as patch:
        patch.setattr(SharedGate, "admit", spent)
        await step_until(stopped, waits)
        async with asyncio.timeout(PATIENCE_SECONDS / 2):
            await stopped.end()

    assert await ledger(pair) == {"given back": 1}
    await pair.settle()
    assert len(pair.reviews(repository)) == 1
    assert await ledger(pair) == {"accepted": 1, "given back": 1}


async def test_an_answer_that_was_not_posted_before_the_stop_is_posted_once_by_the_next_process(pair: Course) -> None:
    await pair.begin()
    stopped = pair.services.pop(0)
    before = len(pair.issue.comments)
    pair.issue.comment(pair.teacher, "/help")
    pair.issue.comment(pair.teacher, "/help")
    await pair.world.hook.idle()
    held = fault(pair, COMMENT, hold="before")
    await until_held(stopped, held)

    ending = asyncio.create_task(stopped.end())
    held.release()
    async with asyncio.timeout(PATIENCE_SECONDS):
        await ending
    await pair.settle()

    assert len(pair.issue.comments) == before + 4


def impatient(pair: Course) -> Service:
    """The first service, taken out of the story; its calls wait for budget, as in production."""
    service = pair.services.pop(0)
    service.hub._patience_seconds = 2 * PATIENCE_SECONDS
    service.hub._doors.clear()
    return service


async def step_until(service: Service, event: asyncio.Event) -> None:
    """Step a service until its jobs have got somewhere."""
    async with asyncio.timeout(PATIENCE_SECONDS):
        while not event.is_set():
            while await service.read_mail():
                pass
            await service.tick()
            await asyncio.wait({asyncio.create_task(event.wait())}, timeout=0.05)

"""To stop in the middle: calls held, services stepped alone, processes that die, rows that somebody waits for."""

import asyncio
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from typing import Any
from uuid import UUID

import asyncpg

from bot.service import Service
from sandbox.faults import Fault
from tests.flows.course import Course

CREATE = ("POST", "/orgs/{org}/rulesets")
REPLACE = ("PUT", "/orgs/{org}/rulesets/{id}")
DISPATCH = ("POST", "/repos/{owner}/{repo}/dispatches")
COMMENT = ("POST", "/repos/{owner}/{repo}/issues/{issue_number}/comments")
CHECK = ("POST", "/repos/{owner}/{repo}/check-runs")
UPDATE = ("PATCH", "/repos/{owner}/{repo}/check-runs/{check_run_id}")
ANNOTATIONS = ("GET", "/repos/{owner}/{repo}/check-runs/{check_run_id}/annotations")
MEMBERSHIP = ("GET", "/orgs/{org}/memberships/{username}")

DEADLINE = "2026-12-01 23:59:00"
GRACE_OVER = "2026-12-02 00:29:00"
PATIENCE_SECONDS = 10


def fault(course: Course, call: tuple[str, str], **how: Any) -> Fault:
    """Have calls of this kind go wrong."""
    return course.world.faults.add(Fault(method=call[0], route=call[1], **how))


async def until_held(service: Service, held: Fault) -> None:
    """Step the service until one of its calls is held; what must be done before that call is done first."""
    async with asyncio.timeout(PATIENCE_SECONDS):
        while not held.reached.is_set():
            await service.tick()
            await read_mail(service)
            await _first(held.reached.wait(), service.finish_work())


async def _first(*waiting: Coroutine[Any, Any, object]) -> None:
    """Until one of them is over; the others are given up."""
    tasks = [asyncio.create_task(one) for one in waiting]
    await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


async def read_mail(service: Service) -> None:
    """Have the service understand all that was delivered."""
    while await service.read_mail():
        pass


@contextmanager
def alone(course: Course, service: Service) -> Iterator[None]:
    """Only this service is stepped: another one is in the middle of a call."""
    everyone, course.services = course.services, [service]
    try:
        yield
    finally:
        course.services = everyone


async def die(course: Course, service: Service, held: Fault) -> None:
    """The process is killed in the middle of its jobs, of which nobody else has any, and a minute passes."""
    course.services.remove(service)
    jobs = [task for task in asyncio.all_tasks() if ":" in task.get_name()]
    for job in jobs:
        job.cancel()
    await asyncio.wait(jobs)
    held.release()
    await silence(course, service.process_id)


async def silence(course: Course, process_id: UUID) -> None:
    """A minute without a heartbeat: what the process holds is free."""
    await course.rows("UPDATE processes SET beat_at = beat_at - interval '1 minute' WHERE id = $1", process_id)


async def somebody_waits(conn: "asyncpg.Connection[asyncpg.Record]") -> None:
    """Return once another session waits for a row that this one holds."""
    async with asyncio.timeout(PATIENCE_SECONDS):
        while not await conn.fetchval("SELECT EXISTS (SELECT FROM pg_locks WHERE NOT granted)"):
            pass

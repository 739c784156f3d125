"""The hands of a process: what it can take on, and how it ends (docs/design.md section 13)."""

import asyncio
from dataclasses import replace

import pytest
import structlog

from bot.jobs import crew as crews
from bot.jobs.crew import Crew
from bot.jobs.desk import Desk
from bot.jobs.frame import Held
from bot.jobs.registry import AT_ONCE, JOBS
from bot.store import leases
from bot.store.leases import KINDS

from .conftest import taken

PATIENCE_SECONDS = 10.0


class Doing:
    """A job that lasts until it is told to end."""

    def __init__(self) -> None:
        self.begun, self.end = asyncio.Event(), asyncio.Event()

    async def run(self, _desk: Desk, _held: Held) -> None:
        """Begin, and wait."""
        self.begun.set()
        await self.end.wait()


@pytest.fixture
def doing(monkeypatch: pytest.MonkeyPatch) -> Doing:
    """What a letter's job is here."""
    job = Doing()
    monkeypatch.setattr(crews, "JOBS", {**JOBS, "outbox": job.run})
    return job


def test_every_kind_of_lease_has_its_job_and_its_number_of_hands() -> None:
    assert set(JOBS) == set(AT_ONCE) == set(KINDS)


async def test_a_new_crew_has_all_its_hands_free(desk: Desk) -> None:
    assert Crew(desk).free() == AT_ONCE


async def test_hands_are_busy_until_their_job_ends_and_a_kind_without_a_free_one_is_not_asked_for(
    desk: Desk, doing: Doing
) -> None:
    crew = Crew(desk)
    lease = await taken(desk, "outbox")

    for number in range(AT_ONCE["outbox"]):
        crew.submit(replace(lease, key=lease.key + number))
    assert "outbox" not in crew.free()
    assert crew.free()["locks"] == AT_ONCE["locks"]

    doing.end.set()
    async with asyncio.timeout(PATIENCE_SECONDS):
        await crew.idle()
    assert crew.free() == AT_ONCE


async def test_closing_lets_what_is_under_way_finish_and_takes_nothing_more(desk: Desk, doing: Doing) -> None:
    crew = Crew(desk)
    crew.submit(await taken(desk, "outbox"))
    await doing.begun.wait()

    closing = asyncio.create_task(crew.close(PATIENCE_SECONDS))
    doing.end.set()
    await closing

    assert crew.free() == {}
    assert await desk.pool.fetchval("SELECT leased_at IS NULL FROM outbox")


async def test_what_takes_longer_than_the_patience_is_cut_short_and_keeps_its_lease(desk: Desk, doing: Doing) -> None:
    crew = Crew(desk)
    lease = await taken(desk, "outbox")
    crew.submit(lease)
    await doing.begun.wait()

    with structlog.testing.capture_logs() as lines:
        await crew.close(0)
        await crew.idle()

    assert [line["action"] for line in lines] == ["job.cut_short"]
    async with desk.pool.acquire() as conn:
        assert await leases.held(conn, lease)


async def test_closing_an_idle_crew_ends_at_once(desk: Desk) -> None:
    crew = Crew(desk)

    await crew.close(PATIENCE_SECONDS)

    assert crew.free() == {}

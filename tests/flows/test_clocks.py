"""A clock that is wrong is seen by those who watch the service: in its metrics by themselves, and as a warning."""

import re
from datetime import timedelta

import aiohttp
import pytest

from bot import metrics
from bot.sweeper import heart
from tests.flows.course import Course

WRONG = timedelta(seconds=80)


@pytest.fixture(autouse=True)
def _nothing_measured() -> None:
    """What other stories measured is forgotten."""
    metrics.clock_skew_seconds.clear()


async def beat(course: Course) -> None:
    """One heartbeat of the service."""
    async with course.pool.acquire() as conn:
        await heart.beat(conn, course.service.process_id, "all", course.service.clocks)


def be_wrong(course: Course, monkeypatch: pytest.MonkeyPatch) -> None:
    """The process's clock is slow from now on."""
    process_now = metrics.process_now
    monkeypatch.setattr(metrics, "process_now", lambda: process_now() - WRONG)


async def shown(course: Course) -> dict[str, float]:
    """The skews in the text that Prometheus reads, of each clock."""
    address = str(course.world.app.webhook_url).replace("/webhook", "/metrics")
    async with aiohttp.ClientSession() as session, session.get(address) as answer:
        text = await answer.text()
    found = re.findall(r'^pencils_down_clock_skew_seconds\{clock="(\w+)"\} (\S+)$', text, re.MULTILINE)
    return {clock: float(skew) for clock, skew in found}


async def test_each_heartbeat_tells_the_metrics_how_far_the_clocks_lie_apart(
    course: Course, monkeypatch: pytest.MonkeyPatch
) -> None:
    await beat(course)
    assert await shown(course) == {"process": pytest.approx(0, abs=2), "github": pytest.approx(0, abs=2)}

    be_wrong(course, monkeypatch)
    await beat(course)

    assert await shown(course) == {"process": pytest.approx(-80, abs=2), "github": pytest.approx(0, abs=2)}


async def test_a_clock_that_was_not_measured_is_not_shown(course: Course) -> None:
    async with course.pool.acquire() as conn:
        await heart.beat(conn, course.service.process_id, "all", lambda: (metrics.process_now(), None))

    assert set(await shown(course)) == {"process"}


async def test_a_ready_process_warns_of_a_wrong_clock_and_of_none_that_is_right(
    course: Course, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = await course.service.readiness()
    assert (found.problems, found.warnings) == ([], [])

    be_wrong(course, monkeypatch)
    found = await course.service.readiness()

    assert found.problems == []
    (warning,) = found.warnings
    assert re.fullmatch(r"the clock of process lies -(79|80|81) s from the database's", warning)

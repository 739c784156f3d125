"""A short demo: eight students, the same three processes, no waiting but for the deadlines themselves."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from io import StringIO

import asyncpg
from rich.console import Console

from app import demo_ground
from bot.store import embedded
from sandbox.demo import Ground, Outcome, Pace, Playing, play
from sandbox.demo.playing import Beat

STUDENTS = 8
BRISK = Pace(before=2.0, wave=0.0, last=0.5, checks=60.0)


@asynccontextmanager
async def lent_ground() -> AsyncIterator[Ground]:
    """What `app.py demo` lends, in a folder that is gone afterwards."""
    with embedded.temporary_folder() as folder:
        async with demo_ground(folder) as ground:
            yield ground
        await asyncio.to_thread(embedded.wait_until_stopped, ground.folder)


async def perform(ground: Ground, beat: Beat | None = None) -> tuple[Outcome, str]:
    """Play it; what was proven and what was on the screen."""
    screen = StringIO()
    listeners = {"beat": beat} if beat else {}
    outcome = await play(ground, STUDENTS, Console(file=screen, width=200), BRISK, **listeners)
    return outcome, screen.getvalue()


async def kill(ground: Ground, playing: Playing) -> None:
    """`kill -9` of the service, and the thirty seconds of silence after which its leases are free, written down."""
    process = playing.service.process
    assert process is not None
    os.kill(process.pid, signal.SIGKILL)
    await process.wait()
    conn = await asyncpg.connect(ground.dsn)
    await conn.execute("UPDATE processes SET beat_at = beat_at - interval '30 seconds'")
    await conn.close()


def broken(outcome: Outcome) -> list[str]:
    """The promises that do not hold, with what was found."""
    return [f"{promise.claim}: {promise.found}" for promise in outcome.promises if not promise.held]

"""The real service as a process of its own, beside a course of the stories: `app.py serve`."""

import asyncio
import re
import signal
import sys
from asyncio.subprocess import DEVNULL, PIPE
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from tests.flows.course import SECRET, Course

ROOT = Path(__file__).parents[2]
ADDRESS = re.compile(r"webhooks go to (\S+)")
PATIENCE_SECONDS = 30


class Process:
    """A started service. `webhook` is where it takes deliveries in, by its own words; "" until it has said so."""

    def __init__(self, inner: asyncio.subprocess.Process) -> None:
        self.webhook = ""
        self._inner = inner
        self._said: list[str] = []
        self._listens = asyncio.Event()
        self._reading = asyncio.create_task(self._read())

    @property
    def log(self) -> str:
        """All that it has said."""
        return "".join(self._said)

    async def listens(self) -> bool:
        """Whether it has come to take deliveries in; False if it ended before."""
        async with asyncio.timeout(PATIENCE_SECONDS):
            await self._listens.wait()
        return bool(self.webhook)

    async def ended(self) -> int:
        """Its exit status, negative for a signal, once it has ended."""
        async with asyncio.timeout(PATIENCE_SECONDS):
            status = await self._inner.wait()
            await asyncio.shield(self._reading)
        return status

    async def stop(self) -> int:
        """Ask it to stop, and wait until it has."""
        self._inner.send_signal(signal.SIGTERM)
        return await self.ended()

    async def kill(self) -> None:
        """End it if it still runs."""
        if self._inner.returncode is None:
            self._inner.kill()
        await self.ended()

    async def _read(self) -> None:
        assert self._inner.stderr is not None
        async for line in self._inner.stderr:
            self._said.append(line.decode())
            if found := ADDRESS.search(self._said[-1]):
                self.webhook = found[1]
                self._listens.set()
        self._listens.set()


@asynccontextmanager
async def process(course: Course, failpoint: str = "") -> AsyncIterator[Process]:
    """The service on the course's database and GitHub, killed at the end if it still runs."""
    world = course.world
    settings = {
        "APP_ID": str(world.app.id),
        "PRIVATE_KEY": world.app.private_key,
        "WEBHOOK_SECRET": SECRET,
        "GITHUB_API_URL": world.url,
        "DATABASE_URL": course.dsn,
        "HOST": "127.0.0.1",
        "PORT": "0",
        "FAILPOINT": failpoint,
    }
    command = (sys.executable, str(ROOT / "app.py"), "serve")
    inner = await asyncio.create_subprocess_exec(*command, cwd=ROOT, env=settings, stderr=PIPE, stdin=DEVNULL)
    started = Process(inner)
    try:
        yield started
    finally:
        await started.kill()

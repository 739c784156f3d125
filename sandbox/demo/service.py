"""The real service as a process of its own. Whoever kills it sees it come back."""

import asyncio
import signal
import socket
from asyncio.subprocess import Process
from collections.abc import Callable

from sandbox.demo.ground import Broken, Ground
from sandbox.demo.processes import spawn, stop
from sandbox.demo.remote import Remote

HOST = "127.0.0.1"
LOOK_SECONDS = 0.1
FAILED_STARTS = 5
REDELIVERIES = 5
LAST_LINES = 5


class Service:
    """`keep` runs it until cancelled, starting it again after each death; `settled` waits for it to be there."""

    def __init__(self, ground: Ground, remote: Remote, say: Callable[[str], None]) -> None:
        self.deaths = 0
        self.process: Process | None = None
        self.log = ground.folder / "service.log"
        self._ground = ground
        self._remote = remote
        self._say = say
        self._up = asyncio.Event()

    async def settled(self) -> None:
        """Wait until it runs and has been told everything there is to tell."""
        while True:
            await self._up.wait()
            await self._remote.idle()
            if self._up.is_set():
                return

    async def keep(self) -> None:
        """Run it, and run it again when it dies. Raises Broken if it cannot be started."""
        try:
            while True:
                self.process = await self._start()
                if self.deaths:
                    await self._redeliver()
                self._up.set()
                await self._bury(self.process)
        finally:
            if self.process is not None:
                await stop(self.process)

    async def _start(self) -> Process:
        """A process that answers, and to which GitHub sends its webhooks."""
        for _ in range(FAILED_STARTS):
            port = _free_port()
            address = f"http://{HOST}:{port}"
            self.process = process = await spawn(self._ground.serve, self.log, await self._environment(port))
            if await self._answers(process, f"{address}/healthz"):
                await self._remote.post("/app", webhook_url=f"{address}/webhook")
                self._say(f"The service runs at {address}, process {process.pid} [dim](try: kill -9 {process.pid})[/]")
                return process
            await self._bury(process)
        raise Broken(f"The service does not start; see {self.log}, which ends with:\n{self._last_words()}")

    async def _bury(self, process: Process) -> None:
        """Wait for its end and tell of it."""
        status = await process.wait()
        self._up.clear()
        self.deaths += 1
        how = f"was killed ({signal.Signals(-status).name})" if status < 0 else f"ended with status {status}"
        self._say(f"[bold red]The service {how}.[/] It is started again; GitHub, and the clock, go on.")

    async def _answers(self, process: Process, url: str) -> bool:
        while process.returncode is None:
            if await self._remote.answers(url):
                return True
            await asyncio.sleep(LOOK_SECONDS)
        return False

    async def _environment(self, port: int) -> dict[str, str]:
        app = await self._remote.get("/app")
        return dict(self._ground.environment) | {
            "APP_ID": str(app["id"]),
            "PRIVATE_KEY": app["private_key"],
            "WEBHOOK_SECRET": app["webhook_secret"],
            "GITHUB_API_URL": self._remote.url,
            "DATABASE_URL": "",
            "DATA_DIR": str(self._ground.folder),
            "HOST": HOST,
            "PORT": str(port),
            "ROLE": "all",
            "LEASE_SECONDS": "30",
            "LOG_LEVEL": "info",
            "LOG_FORMAT": "text",
        }

    def _last_words(self) -> str:
        return "\n".join(self.log.read_text(errors="replace").splitlines()[-LAST_LINES:])

    async def _redeliver(self) -> None:
        """What met no service is sent again under its old number, as one does on the App's page: GitHub never does."""
        total = 0
        for _ in range(REDELIVERIES):
            await self._remote.idle()
            again: int = (await self._remote.post("/hook", redeliver_failed=True))["redelivered"]
            if not again:
                break
            total += again
        if total:
            self._say(f"{total} webhooks that met no service are delivered again.")


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        port: int = probe.getsockname()[1]
        return port

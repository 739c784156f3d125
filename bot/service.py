"""The whole service, put together: who is handed what, which loops run, and what each role does.

`app.py serve` runs it; the tests drive the same object step by step.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from uuid import uuid4

import aiohttp
import asyncpg
from aiohttp import web

from bot import failpoints, log, metrics
from bot.config import Config, ConfigError
from bot.github import app as github_app
from bot.github.failures import GitHubFailure
from bot.github.hub import PATIENCE_SECONDS, Hub
from bot.jobs import installations
from bot.jobs.crew import Crew
from bot.jobs.desk import Desk, Filing
from bot.jobs.gate import SharedGate
from bot.rules.skew import TOLERATED
from bot.store import clock, delivery_logs, processes
from bot.sweeper import ears, heart
from bot.sweeper.ticker import TICK_SECONDS, Ticker
from bot.web.health import Readiness, make_app
from bot.webhooks import envelope, inbox, receive
from bot.webhooks.events import HANDLERS
from bot.webhooks.inbox import Inbox
from bot.webhooks.receive import LARGEST_BODY, Intake

STOP_SECONDS = 25.0
"""How long a stopping process lets its calls in hand finish: less than an orchestrator waits before it kills."""

READERS = 4
"""Deliveries understood at a time in one process."""

KNOCK_SECONDS = 5.0


@dataclass(frozen=True, slots=True)
class Ground:
    """What a process stands on: its database and the way to GitHub."""

    dsn: str
    pool: "asyncpg.Pool[asyncpg.Record]"
    session: aiohttp.ClientSession


class Service:
    """One process: `begin` it, then either `run` its loops or take single steps, and `end` it."""

    def __init__(self, config: Config, ground: Ground, *, patience_seconds: float = PATIENCE_SECONDS) -> None:
        """`patience_seconds` is how long a call waits for budget before its work is put off."""
        self.config = config
        self.process_id = uuid4()
        self.ticker = Ticker(ground.pool, self.process_id, config.lease_seconds)
        self.hub = Hub(
            config,
            ground.session,
            SharedGate(ground.pool),
            patience_seconds=patience_seconds,
            observe=metrics.count_request,
        )
        self._ground = ground
        self._mail = asyncio.Event()
        self._work = asyncio.Event()
        self._crew: Crew | None = None
        self._inbox: Inbox | None = None

    @property
    def works(self) -> bool:
        """Whether this process runs handlers and jobs; the others take webhooks in and tick."""
        return self.config.role in {"all", "worker"}

    def make_app(self) -> web.Application:
        """The HTTP side: the webhook, and how this process is."""
        intake = Intake(self._ground.pool, self.config.webhook_secret, self._mail.set, self.ticker.lost.set)

        async def webhook(request: web.Request) -> web.Response:
            return await receive.receive(request, intake)

        return make_app(webhook, self.readiness, LARGEST_BODY)

    async def begin(self) -> None:
        """Say that this process lives. Raises ConfigError where course time was moved and GitHub is the real one."""
        try:
            failpoints.arm(self.config.failpoint)
        except ValueError as problem:
            raise ConfigError(f"FAILPOINT cannot be used: {problem}") from None
        async with self._ground.pool.acquire() as conn:
            if await clock.is_moved(conn) and not self.config.api_is_loopback:
                raise ConfigError(
                    "The clock of this database was shifted for a demonstration: use another database with GitHub."
                )
            await processes.begin(conn, self.process_id, self.config.role)
            # Before the first tick: what was delivered while nobody was there is asked for before anything is frozen.
            await delivery_logs.due(conn)

    async def meet_github(self) -> None:
        """Learn who we are and where the App is installed; from then on this process can work."""
        login = await github_app.bot_login(self.hub)
        desk = Desk(
            pool=self._ground.pool,
            hub=self.hub,
            process_id=self.process_id,
            app_id=self.config.app_id,
            app_login=login,
            lease_seconds=self.config.lease_seconds,
            wake=self._work.set,
            stumbled=self.ticker.stumbled.set,
            filing=Filing(HANDLERS, envelope.understand),
        )
        await installations.hear_of_all(desk)
        self._crew = Crew(desk)
        self._inbox = Inbox(self._ground.pool, login)

    async def tick(self) -> bool:
        """Claim what is due and hand it to the crew; whether there was any work."""
        if self.ticker.stumbled.is_set() and self._crew is not None:
            # Forgotten before it is seen to: a job that stumbles meanwhile says so again.
            self.ticker.stumbled.clear()
            try:
                await self._crew.release_strays()
            except Exception:
                self.ticker.stumbled.set()
                raise
        leases = await self.ticker.tick(self._crew.free() if self._crew else {})
        for lease in leases:
            assert self._crew is not None, "only a crew is free to work"
            self._crew.submit(lease)
        return bool(leases)

    async def read_mail(self) -> bool:
        """Understand one stored delivery; whether there was one."""
        if self._inbox is None or not await inbox.understand_next(self._inbox):
            return False
        self._work.set()
        return True

    async def finish_work(self) -> None:
        """Wait until every job under way has ended."""
        if self._crew is not None:
            await self._crew.idle()

    async def run(self) -> None:
        """Every loop of this process's role, until cancelled."""
        async with asyncio.TaskGroup() as group:
            group.create_task(heart.beat_for_ever(self._ground.dsn, self.process_id, self.config.role, self.clocks))
            group.create_task(_for_ever("tick", self._tick_in_time))
            if self.works:
                group.create_task(ears.listen_for_ever(self._ground.dsn, self._mail.set))
                await self._knock()
                for _ in range(READERS):
                    group.create_task(_for_ever("mail", self._read_mail_in_time))

    async def end(self) -> None:
        """Finish the calls in hand, then free what this process held."""
        if self._crew is not None:
            await self._crew.close(STOP_SECONDS)
        with suppress(asyncpg.PostgresError, asyncpg.InterfaceError, OSError):
            async with self._ground.pool.acquire() as conn:
                await processes.stop(conn, self.process_id)

    def clocks(self) -> tuple[datetime, datetime | None]:
        """What this process's clock shows, and GitHub's once it has answered."""
        return metrics.process_now(), self.hub.github_date()

    async def readiness(self) -> Readiness:
        """Whether the database answers, and how far the clocks of process, database and GitHub lie apart."""
        try:
            async with self._ground.pool.acquire() as conn:
                real, course = await clock.real_now(conn), await clock.now(conn)
                moved = await clock.is_moved(conn)
        except (asyncpg.PostgresError, asyncpg.InterfaceError, OSError, TimeoutError) as error:
            return Readiness([f"the database cannot be reached: {type(error).__name__}"], [])
        process, github = self.clocks()
        skews = {"process": process - real}
        if github is not None:
            # A sandbox's clock is shifted with the course's.
            skews["github"] = github - (course if moved else real)
        warnings = []
        for name, skew in skews.items():
            if abs(skew) > TOLERATED:
                warnings.append(f"the clock of {name} lies {skew.total_seconds():.0f} s from the database's")
        problems = ["GitHub has not answered yet"] if self.works and self._crew is None else []
        return Readiness(problems, warnings)

    async def _knock(self) -> None:
        """GitHub may be away when we start: webhooks are stored and the clock goes on meanwhile."""
        while True:
            try:
                return await self.meet_github()
            except GitHubFailure as failure:
                log.get().warning("GitHub cannot be reached", action="service.knocking", error=str(failure))
            except (asyncpg.PostgresError, asyncpg.InterfaceError, OSError):
                log.get().exception("the database is away", action="service.knocking")
            await asyncio.sleep(KNOCK_SECONDS)

    async def _tick_in_time(self) -> None:
        self._work.clear()
        if not await self.tick():
            await _wait(self._work, await self.ticker.seconds_to_next())

    async def _read_mail_in_time(self) -> None:
        self._mail.clear()
        if not await self.read_mail():
            await _wait(self._mail, TICK_SECONDS)


async def _wait(event: asyncio.Event, seconds: float) -> None:
    # Not wait_for: before Python 3.12 it loses a cancellation that comes with the event, and the loop never ends.
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await event.wait()


async def _for_ever(name: str, step: Callable[[], Awaitable[None]]) -> None:
    """Take steps until cancelled; a step that fails (the database is away) is taken again a second later."""
    while True:
        try:
            await step()
        except Exception:
            log.get().exception("loop stumbled", action=f"{name}.stumbled")
            await asyncio.sleep(TICK_SECONDS)


@asynccontextmanager
async def serving(service: Service) -> AsyncIterator[str]:
    """Answer HTTP on the configured host and port; the address it is reached at."""
    runner = web.AppRunner(service.make_app(), access_log=None)
    await runner.setup()
    try:
        site = web.TCPSite(runner, service.config.host, service.config.port)
        await site.start()
        host, port = runner.addresses[0][:2]
        yield f"http://{host}:{port}"
    finally:
        await runner.cleanup()

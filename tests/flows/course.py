"""A course as a value: the real service in front, a sandboxed GitHub behind, course time under control.

A story is told through the front door: somebody pushes or comments in the sandbox, the webhooks come in over HTTP,
the service is stepped until there is nothing left to do, and the sandbox is asked what became of it.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import aiohttp
import asyncpg
from aiohttp.test_utils import TestServer

from bot.config import Config
from bot.service import Ground, Service
from bot.store import clock
from sandbox.actions import Dispatch, Workflow
from sandbox.issues import Issue
from sandbox.organisation import Organisation
from sandbox.repository import Repository
from sandbox.server import serving
from sandbox.user import User
from sandbox.world import World
from tests.githubkit.witness import Witness

ZONE = "Europe/Zurich"
WORKFLOW = ".github/workflows/grading.yml"
SECRET = "a secret of the tests"
BEGIN = "2026-11-30 14:00:00"
BEAT_SECONDS = 3.0

REAL_TIMES = {
    "installations": ("lock_job_at", "read_due_at", "leased_at", "paused_until"),
    "enrolments": ("review_due_at", "deadline_commit_due_at"),
    "projects": ("deadline_job_at", "dispatch_job_at"),
    "repositories": ("read_due_at", "leased_at"),
    "deliveries": ("due_at",),
    "activities": ("due_at", "leased_at"),
    "delivery_logs": ("due_at", "leased_at"),
    "commands": ("due_at", "leased_at"),
    "confirmations": ("asked_at",),
    "runs": ("read_due_at", "leased_at"),
    "reconciliations": ("due_at", "leased_at"),
    "checks": ("due_at", "tried_at", "leased_at"),
    "outbox": ("due_at", "tried_at", "leased_at"),
    "boards": ("due_at", "leased_at"),
}


class Course:
    """One organisation with a teacher, an assistant and students, and a service that looks after it."""

    def __init__(self, world: World, pool: "asyncpg.Pool[asyncpg.Record]", dsn: str) -> None:
        self.world = world
        self.pool = pool
        self.dsn = dsn
        self.services: list[Service] = []
        self._beaten = 0.0
        self.silent: list[str] = []
        self.owner, self.teacher, self.assistant = (world.user(login) for login in ("olga", "tim", "ada"))
        self.org: Organisation = world.organisation("prog1", plan="team")
        self.org.owner(self.owner)
        for user in (self.teacher, self.assistant):
            self.org.member(user)
        self.org.team("teachers", members=[self.teacher])
        self.org.team("tas", members=[self.assistant])
        self.staff: Repository = self.org.repository("staff")
        self.issue: Issue = self.staff.open_issue(self.teacher, "Lab 1")

    @property
    def service(self) -> Service:
        """The first service; the others share its database."""
        return self.services[0]

    def student(self, login: str) -> tuple[User, Repository]:
        """A student with a repository of their own, graded by a workflow."""
        user = self.world.user(login)
        workflows = {WORKFLOW: Workflow(points="4.5/6")}
        repo = self.org.repository(f"lab1-{login}", collaborators={login: "write"}, workflows=workflows)
        return user, repo

    async def at(self, wall: str) -> datetime:
        """Course time and GitHub's stand at this wall time of the course zone, or at an instant that says its own."""
        read = datetime.fromisoformat(wall)
        instant = (read if read.tzinfo else read.replace(tzinfo=ZoneInfo(ZONE))).astimezone(UTC)
        self.world.clock.stand_at(instant)
        async with self.pool.acquire() as conn:
            await clock.stand(conn, instant)
        return instant

    async def settle(self) -> None:
        """Step every service until GitHub has nothing to deliver and nobody finds anything to do."""
        busy = True
        while busy:
            now = asyncio.get_running_loop().time()
            if now - self._beaten > BEAT_SECONDS:
                self._beaten = now
                await self.beat()
            await self.world.hook.idle()
            busy = False
            for service in self.services:
                while await service.read_mail():
                    busy = True
                busy = await service.tick() or busy
                await service.finish_work()

    async def outage(self, role: str = "all", **length: float) -> None:
        """Nobody did what processes of this role do for so long (up to a second less), and now one beats."""
        parts = {"web": "{intake}", "worker": "{work}"}.get(role, "{intake,work}")
        silent = timedelta(**length).total_seconds() - 1
        async with self.pool.acquire() as conn:
            # In one go: the silence is measured in real time.
            await conn.execute(
                f"UPDATE pulses SET beat_at = now() - make_interval(secs => {silent}) WHERE part = ANY ('{parts}');"
                f"SELECT beat_pulse('{role}')"
            )

    async def beat(self) -> None:
        """Services that are stepped have no heart of their own; one, or a part, that a story made silent stays so."""
        await self.rows("UPDATE pulses SET beat_at = now() WHERE part <> ALL ($1)", self.silent)
        living = [service.process_id for service in self.services]
        late = "beat_at BETWEEN now() - interval '50 seconds' AND now() - interval '5 seconds'"
        await self.rows(f"UPDATE processes SET beat_at = now() WHERE id = ANY ($1) AND {late}", living)

    async def write(self, user: User, text: str, issue: Issue | None = None) -> str:
        """Comment as this user, and return what the bot answered ("" for nothing)."""
        target = issue or self.issue
        target.comment(user, text)
        before = len(target.comments)
        await self.settle()
        return "\n".join(comment.body for comment in target.comments[before:])

    async def begin(self) -> None:
        """Register the course."""
        text = await self.write(
            self.owner, f"/course init --timezone {ZONE} --staff @prog1/teachers --assistants @prog1/tas"
        )
        assert "now runs a course" in text, text

    async def open_project(self, deadline: str = "2026-12-01 23:59", options: str = "") -> None:
        """A course with an open project over every `lab1-*`."""
        await self.begin()
        created = await self.write(self.teacher, f"/project create lab1 --deadline {deadline} --repos lab1-* {options}")
        assert "is drafted" in created, created
        published = await self.write(self.teacher, "/publish")
        assert "is open" in published, published

    async def rows(self, query: str, *values: object) -> list[asyncpg.Record]:
        """What the database holds, where a story must look behind the scenes."""
        async with self.pool.acquire() as conn:
            return await conn.fetch(query, *values)

    async def an_hour_passes(self) -> None:
        """Real time: leases, retries, pauses and the budget lie an hour back; course time stands where it stood."""
        await self._pass("budget_at = budget_at - 3600", timedelta(hours=1))

    async def a_minute_passes(self) -> None:
        """The same for a minute and the seconds that the gate adds: of the budget only the hour's comments remain."""
        # What was written a minute earlier stands one slot before; into the newest one came what is too old by now.
        turned = "content_by_minute[2:62] || content_by_minute[1]"
        forgotten = "points_by_second = DEFAULT, content_by_second = DEFAULT"
        await self._pass(f"{forgotten}, content_by_minute = {turned}", timedelta(seconds=65))
        await self.rows("UPDATE installations SET content_by_minute[budget_at / 60 % 62 + 1] = 0")

    async def _pass(self, budget: str, by: timedelta) -> None:
        async with self.pool.acquire() as conn:
            for table, columns in REAL_TIMES.items():
                moved = ", ".join(f"{column} = {column} - $1::interval" for column in columns)
                await conn.execute(f"UPDATE {table} SET {moved}", by)
            await conn.execute(f"UPDATE installations SET {budget}")
        self.world.limits.elapse(by)

    def check(self, repo: Repository, sha: str) -> str:
        """Title and summary of the check `Deadline` that GitHub shows on a commit ("" if there is none)."""
        shown = [run for suite in repo.checks.of(sha) for run in suite.runs if run.name == "Deadline"]
        assert len(shown) <= 1, "a commit has one check"
        return f"{shown[0].title}\n{shown[0].summary}" if shown else ""

    def rulesets(self) -> list[set[int]]:
        """The ids that each active ruleset of the organisation names."""
        active = [ruleset for ruleset in self.org.rulesets.values() if ruleset.enforcement == "active"]
        return [set(ruleset.conditions["repository_id"]["repository_ids"]) for ruleset in active]

    def locking_calls(self) -> int:
        """How many calls changed rulesets."""
        return sum(call.mutating and "rulesets" in call.route for call in self.world.calls)

    def is_closed(self, repo: Repository, user: User) -> bool:
        """Whether GitHub would refuse this user's push now."""
        return repo.refusal(user) is not None

    def reviews(self, repo: Repository) -> list[Dispatch]:
        """The final reviews that were asked for in this repository."""
        return [asked for asked in repo.dispatches if asked.event_type == "grade-final"]


@asynccontextmanager
async def course(pool: "asyncpg.Pool[asyncpg.Record]", dsn: str, services: int = 1) -> AsyncIterator[Course]:
    """A course whose sandbox and services answer on loopback ports of their own."""
    async with AsyncExitStack() as stack:
        world = World()
        witness = Witness(world)
        url = await stack.enter_async_context(serving(world))
        world.app.webhook_secret = SECRET
        found = Course(world, pool, dsn)
        await found.at(BEGIN)
        session = await stack.enter_async_context(aiohttp.ClientSession())
        for _ in range(services):
            # Nobody waits for budget here: its work is put off at once, and a story lets time pass.
            service = Service(settings(world, url), Ground(dsn, pool, session), patience_seconds=0)
            await service.begin()
            found.services.append(service)
        server = await stack.enter_async_context(TestServer(found.service.make_app()))
        world.app.webhook_url = str(server.make_url("/webhook"))
        found.org.install(world.app)
        for service in found.services:
            await service.meet_github()
        await found.settle()
        yield found
        for service in found.services:
            await service.end()
        assert world.unknown_routes == []
        witness.is_content()


def settings(world: World, url: str) -> Config:
    """The service's settings against this sandbox."""
    return Config(
        app_id=world.app.id,
        private_key=world.app.private_key,
        webhook_secret=SECRET,
        github_api_url=url,
        host="127.0.0.1",
    )

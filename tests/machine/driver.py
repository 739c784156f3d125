"""Whatever happens is dealt with before the clock moves on: also what was put off for a minute, also after a crash."""

import asyncio
import re

from bot.service import Ground, Service
from sandbox.faults import Fault
from sandbox.user import User
from tests.flows.course import Course, settings

ASKED_FIRST = re.compile(r"/confirm (\w+)")
EXPIRED = "E-CODE-EXPIRED"
PATIENCE = 6
WAITING = """
SELECT EXISTS (SELECT FROM commands WHERE done_at IS NULL)
    OR EXISTS (SELECT FROM runs WHERE read_due_at IS NOT NULL)
    OR EXISTS (SELECT FROM deliveries WHERE handled_at IS NULL)
    OR EXISTS (SELECT FROM installations WHERE paused_until > now())
"""

SILENT = "UPDATE processes SET beat_at = beat_at - interval '1 minute' WHERE id = $1"


class Driver:
    """Steps the services of a course; one that is held in the middle of a call by a crash is killed and replaced."""

    def __init__(self, course: Course, ground: Ground) -> None:
        self.course = course
        self._ground = ground
        self.crash: Fault | None = None

    async def settle(self) -> None:
        """Until nobody finds anything to do, nothing is unread, no command unanswered, and nothing paused."""
        for _ in range(PATIENCE):
            await self._step_all()
            (row,) = await self.course.rows(WAITING)
            if not row[0]:
                return
            await self.course.an_hour_passes()
        raise AssertionError("something is never dealt with")

    async def command(self, user: User, text: str) -> str:
        """Give a command, confirm it where that is asked for, and return the last answer.

        Where the question itself was held up for an hour, its code is good no more, and all is said again.
        """
        said = await self._say(user, text)
        if code := ASKED_FIRST.search(said):
            said = await self._say(user, f"/confirm {code[1]}")
        return await self.command(user, text) if EXPIRED in said else said

    async def begin_another(self) -> None:
        """One more process on the same database."""
        service = Service(settings(self.course.world, self.course.world.url), self._ground)
        await service.begin()
        await service.meet_github()
        self.course.services.append(service)

    async def _say(self, user: User, text: str) -> str:
        issue = self.course.issue
        before = len(issue.comments)
        issue.comment(user, text)
        for _ in range(PATIENCE):
            await self.settle()
            said = [one.body for one in issue.comments[before:] if one.user is self.course.world.app.bot]
            if said:
                return "\n".join(said)
            await self.course.an_hour_passes()
        raise AssertionError(f"no answer to {text}")

    async def _step_all(self) -> None:
        busy = True
        while busy:
            await self.course.beat()
            await self.course.world.hook.idle()
            busy = False
            for service in list(self.course.services):
                while await service.read_mail():
                    busy = True
                busy = await service.tick() or busy
                busy = await self._finish(service) or busy

    async def _finish(self, service: Service) -> bool:
        """Let its jobs end; True if it died in the middle of one of them instead."""
        work = asyncio.create_task(service.finish_work())
        death = asyncio.create_task(self._crash_reached())
        await asyncio.wait((work, death), return_when=asyncio.FIRST_COMPLETED)
        died = not work.done()
        for task in (work, death):
            task.cancel()
        if died:
            await self._die(service)
        return died

    async def _crash_reached(self) -> None:
        """Wait for the call in the middle of which a process is to die; for ever, if none is."""
        await (self.crash.reached if self.crash else asyncio.Event()).wait()

    async def _die(self, service: Service) -> None:
        """Its tasks end where they are, half a minute passes without its heartbeat, and another process begins."""
        jobs = [task for task in asyncio.all_tasks() if ":" in task.get_name()]
        for job in jobs:
            job.cancel()
        await asyncio.wait(jobs)
        assert self.crash is not None
        self.crash.release()
        self.crash = None
        self.course.services.remove(service)
        await self.course.rows(SILENT, service.process_id)
        await self.begin_another()

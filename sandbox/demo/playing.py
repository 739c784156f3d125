"""What every act of the story has at hand, and the three things it does with it: push, write, wait."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

from rich.markup import escape

from sandbox.demo.cast import STAFF, Cast, Student
from sandbox.demo.clockwork import Clockwork
from sandbox.demo.ground import Broken
from sandbox.demo.ledger import Ledger
from sandbox.demo.remote import Remote
from sandbox.demo.screen import Screen
from sandbox.demo.service import Service
from sandbox.errors import PushRefused

LOOK_SECONDS = 0.2
PATIENCE_SECONDS = 150.0
AT_ONCE = 4
SHOWN_LINES = 2
SHOWN_WIDTH = 150


@dataclass(frozen=True, slots=True)
class Pace:
    """How long things take in real time, in seconds.

    `before`: how long before an instant at which something is due the clock stops jumping; `wave`: a part of the
    afternoon; `last`: the pushes just before the deadline, which must fit into `before`; `checks`: how long the end
    waits for checks that wait for GitHub's limits.
    """

    before: float = 9.0
    wave: float = 2.0
    last: float = 6.0
    checks: float = 25.0


@dataclass(slots=True)
class Playing:
    """One performance. It counts what only the director can know."""

    cast: Cast
    remote: Remote
    clock: Clockwork
    service: Service
    screen: Screen
    ledger: Ledger
    pace: Pace
    beat: "Beat"
    issue: int
    commands: int = 0
    late_tries: int = 0

    async def moment(self, name: str) -> None:
        """Tell whoever listens that this moment of the story has come."""
        await self.beat(name, self)

    async def jump(self, to: datetime) -> None:
        """Move the course's time, once everything so far has been told to the service."""
        await self.service.settled()
        await self.clock.jump(to)

    async def crowd(self, students: Sequence[Student], seconds: float) -> None:
        """One push of each, four at a time, spread over so many seconds of real time."""
        queue = list(reversed(students))
        pause = seconds * AT_ONCE / max(1, len(queue))

        async def some() -> None:
            while queue:
                await self.push(queue.pop())
                await asyncio.sleep(pause)

        await asyncio.gather(*(some() for _ in range(AT_ONCE)))

    async def push(self, student: Student, author_date: datetime | None = None) -> None:
        """One commit; `author_date` is what git claims. On a slow machine it may turn out to be late."""
        try:
            await self._push(student, author_date)
        except PushRefused:
            self.late_tries += 1

    async def try_late(self, student: Student, author_date: datetime | None = None) -> str:
        """A push that should be refused; git's words, or nothing if it was taken."""
        self.late_tries += 1
        try:
            await self._push(student, author_date)
        except PushRefused as refused:
            return str(refused)
        return ""

    async def _push(self, student: Student, author_date: datetime | None) -> None:
        forged = {"author_date": author_date.isoformat()} if author_date else {}
        await self.remote.post("/pushes", repository=student.repository, login=student.login, **forged)

    async def write(self, login: str, text: str, expected: str) -> None:
        """Comment on the assignment's issue and read the answer. Raises Broken if it is not the one expected."""
        self.commands += 1
        self.screen.say(f"[bold]{login}[/] writes [yellow]{escape(text)}[/]")
        comment = await self.remote.post("/comments", repository=STAFF, issue=self.issue, login=login, body=text)
        mark = f"<!-- pencils-down:reply:{comment['id']} -->"
        answers: list[str] = []

        async def answered() -> bool:
            bodies = [one["body"] for one in await self.remote.get("/comments", repository=STAFF, issue=self.issue)]
            answers[:] = [body.removeprefix(mark).strip() for body in bodies if body.startswith(mark)]
            return bool(answers)

        await self.until(f"an answer to {text}", answered)
        for line in answers[0].splitlines()[:SHOWN_LINES]:
            self.screen.say(f"  [green]│[/] {escape(line[:SHOWN_WIDTH])}")
        if expected not in answers[0]:
            raise Broken(f"{text} was answered with: {answers[0]}")

    async def until(
        self, what: str, done: Callable[[], Awaitable[bool]], patience_seconds: float = PATIENCE_SECONDS
    ) -> None:
        """Look until it is so. Raises Broken after a long while."""
        try:
            async with asyncio.timeout(patience_seconds):
                while True:
                    if await done():
                        return
                    await asyncio.sleep(LOOK_SECONDS)
        except TimeoutError:
            raise Broken(f"Waited {patience_seconds:.0f} s for {what}; see {self.service.log}.") from None


Beat = Callable[[str, Playing], Awaitable[None]]
"""Told of each moment of the story by its name; the story waits for what it does meanwhile."""

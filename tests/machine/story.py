"""What can happen to a course, each told to GitHub and to the model alike; the machine strings them together."""

from datetime import UTC, datetime, timedelta
from typing import Literal
from zoneinfo import ZoneInfo

from sandbox.delivery import Delivery
from sandbox.errors import PushRefused
from sandbox.faults import Fault
from tests.flows.course import BEGIN, ZONE
from tests.machine.driver import Driver
from tests.machine.ground import DEADLINE, Students
from tests.machine.model import GRACE, SECOND, Model, Push

By = Literal["student", "owner", "actions", "app"]
Mishap = Literal["none", "reversed", "push lost", "run lost"]
LONGEST_NAME = 20
LOG_PERIOD = timedelta(minutes=5)
DISPATCHES = "/repos/{owner}/{repo}/dispatches"


def instant_of(wall: str) -> datetime:
    """A wall time of the course zone as an instant."""
    return datetime.fromisoformat(wall).replace(tzinfo=ZoneInfo(ZONE)).astimezone(UTC)


class Story:
    """A course and its model side by side. What a method does is dealt with by all when it returns."""

    def __init__(self, driver: Driver, students: Students) -> None:
        self.driver = driver
        self.course = driver.course
        self.students = students
        self.model = Model(instant_of(BEGIN), instant_of(DEADLINE), list(students))
        self.lost: list[Delivery] = []
        self.disturbed = False
        self.unsure_of_reviews = False

    async def at(self, instant: datetime) -> None:
        """The clock goes on to there."""
        await self._set_clock(instant)
        await self._settle()

    async def night(self, over: bool) -> None:
        """The next deadline comes, or the end of its grace."""
        deadlines = [self.model.effective(part) for part in self.model.parts.values()]
        ahead = [
            at + GRACE if over else at for at in deadlines if at + (GRACE if over else timedelta()) > self.model.now
        ]
        await self.at(min(ahead, default=self.model.now))

    async def publish(self) -> None:
        """The draft opens, unless its deadline has passed."""
        said = await self.driver.command(self.course.teacher, "/publish")
        assert ("is open" in said) == self.model.publish(), said

    async def move(self, by: timedelta) -> None:
        """The project's deadline is set to that far from now."""
        to = self.model.now + by
        if await self._do(f"/deadline {to:%Y-%m-%dT%H:%M:%SZ}", refused=self._refuses(to)):
            self.model.move(to)

    async def extend(self, names: list[str], by: timedelta | None) -> None:
        """An own deadline that far from now, or none again."""
        to = None if by is None else self.model.now + by
        line = f"/extend {self._who(names)} {'none' if to is None else f'{to:%Y-%m-%dT%H:%M:%SZ}'}"
        if await self._do(line, refused=self._away(names) or (to is not None and self._refuses(to))):
            self.model.extend(names, to)

    async def lay_hand(self, names: list[str], lock: bool, by: timedelta | None) -> None:
        """`/lock`, or `/unlock` for good or until that far from now."""
        until = None if by is None or lock else self.model.now + by
        ends = "" if until is None else f" --until {until:%Y-%m-%dT%H:%M:%SZ}"
        if self.model.state == "draft":
            assert "E-STATE" in await self.driver.command(self.course.assistant, f"/lock {self._who(names)}")
            return
        line = f"/{'lock' if lock else 'unlock'} {self._who(names)}{ends}"
        if await self._do(line, refused=self._away(names)):
            self.model.lay_hand(names, lock, until)

    async def withdraw(self, names: list[str]) -> None:
        """`/withdraw`."""
        if await self._do(f"/withdraw {self._who(names)}", refused=self._away(names)):
            self.model.withdraw(names)

    async def take_back(self, name: str) -> None:
        """`/enrol` of one that was withdrawn, or takes part all the while."""
        if await self._do(f"/enrol {self._who([name])}", refused=not self.model.parts[name].withdrawn):
            self.model.take_back(name)

    async def rename(self, name: str) -> None:
        """The repository has another name on GitHub from now on."""
        repo = self.students[name][1]
        repo.rename(f"{repo.name}-x" if len(repo.name) < LONGEST_NAME else name)
        await self._settle()

    async def intrude(self, name: str) -> None:
        """A student gives commands."""
        said = await self.driver.command(self.students[name][0], "/unlock all\n/deadline +1d")
        assert said.count("Not done") == 2, said

    async def look(self) -> None:
        """`/status` says where the project stands."""
        assert f"state: {self.model.state}" in await self.driver.command(self.course.assistant, "/status")

    async def push(self, name: str, by: By, branch: str, mishap: Mishap, forged: datetime | None) -> None:
        """Somebody pushes in the next second, and GitHub takes it or not; its news goes one of several ways."""
        await self._set_clock(self.model.now + SECOND)
        student, repo = self.students[name]
        world = self.course.world
        users = {"student": student, "owner": self.course.owner, "actions": world.actions_bot, "app": world.app.bot}
        world.hook.hold()
        try:
            sha = repo.push(users[by], branch=branch, author_date=forged)
        except PushRefused:
            world.hook.release()
        else:
            counts = by == "student" and branch == repo.default_branch
            part = self.model.parts[name]
            push = Push(sha, self.model.now, counts, early=self.model.state == "draft" or part.withdrawn)
            part.pushes.append(push)
            self._tell(push, mishap)
        await self._settle()

    def _tell(self, push: Push, mishap: Mishap) -> None:
        hook = self.course.world.hook
        lost = [one for one in hook.held if mishap == "push lost" or (mishap == "run lost" and one.event != "push")]
        push.lost = mishap == "push lost"
        self.lost += lost
        told = [one for one in hook.held if one not in lost]
        hook.release(lambda _: told[::-1] if mishap == "reversed" else told)

    async def recover(self) -> None:
        """What was lost is delivered again from the App's page."""
        for delivery in self.lost:
            self.course.world.hook.redeliver(delivery.guid)
        self.lost.clear()
        await self._settle()

    async def repeat(self, number: int) -> None:
        """Something that arrived is delivered once more."""
        arrived = [delivery for delivery in self.course.world.hook.log if delivery.arrived]
        self.course.world.hook.redeliver(arrived[number % len(arrived)].guid)
        await self._settle()

    async def rerun(self, name: str, number: int) -> None:
        """An old run is run again, in the next second."""
        student, repo = self.students[name]
        if not repo.runs:
            return
        await self._set_clock(self.model.now + SECOND)
        repo.runs[number % len(repo.runs)].rerun(student)
        await self._settle()

    async def disturb(self, fault: Fault) -> None:
        """A call will go wrong."""
        self.disturbed = True
        self.unsure_of_reviews |= fault.route == DISPATCHES
        self.course.world.faults.add(fault)

    async def crash_at(self, fault: Fault) -> None:
        """A process will die in the middle of a call, unless one is about to already."""
        if self.driver.crash is not None:
            return
        self.disturbed = self.unsure_of_reviews = True
        self.driver.crash = self.course.world.faults.add(fault)

    async def hour(self) -> None:
        """An hour of real time passes."""
        await self.course.an_hour_passes()
        await self.driver.settle()

    async def rest(self) -> None:
        """Nothing goes wrong any more, the log of deliveries is read once more, and all that was put off is done."""
        self.course.world.faults.clear()
        self.driver.crash = None
        await self.at(self.model.now + LOG_PERIOD)
        for _ in range(2):
            await self.hour()

    def _who(self, names: list[str]) -> str:
        """The repositories by the names that they have now."""
        return " ".join(self.students[name][1].name for name in names)

    def _away(self, names: list[str]) -> bool:
        """Whether one of them was withdrawn, so that the project does not know it."""
        return any(self.model.parts[name].withdrawn for name in names)

    def _refuses(self, to: datetime) -> bool:
        """A draft closes in the future or not at all."""
        return self.model.state == "draft" and to <= self.model.now

    async def _do(self, line: str, refused: bool) -> bool:
        """Give a command that must be done, or refused; whether it was done."""
        said = await self.driver.command(self.course.teacher, line)
        assert ("Not done" in said) == refused, said
        return not refused

    async def _set_clock(self, instant: datetime) -> None:
        self.model.now = instant
        await self.course.at(instant.astimezone(ZoneInfo(ZONE)).replace(tzinfo=None).isoformat(" "))

    async def _settle(self) -> None:
        await self.driver.settle()
        self.model.settle()

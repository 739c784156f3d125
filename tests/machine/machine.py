"""Everything that can happen to a course, in any order, for Hypothesis to string together."""

import asyncio
from collections.abc import Coroutine
from contextlib import AsyncExitStack, suppress
from datetime import UTC, datetime, timedelta
from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from sandbox.faults import Fault
from tests.machine import faults, ground, promises
from tests.machine.driver import Driver
from tests.machine.story import Story

WHO = st.sampled_from([["lab1-amy"], ["lab1-bo"], ["lab1-amy", "lab1-bo"]])
NAMES = st.sampled_from(["lab1-amy", "lab1-bo"])
BACK = st.sampled_from([timedelta(hours=-3), timedelta(minutes=-29), timedelta(seconds=0)])
AHEAD = st.sampled_from([timedelta(seconds=1), timedelta(minutes=29), timedelta(hours=3), timedelta(days=2)])
BY = st.sampled_from(["student", "student", "student", "owner", "actions", "app"])
BRANCH = st.sampled_from(["main", "main", "main", "feature"])
MISHAP = st.sampled_from(["none", "none", "reversed", "push lost", "run lost"])
FORGED = st.sampled_from([None, datetime(1970, 1, 1, tzinfo=UTC), datetime(2099, 1, 1, tzinfo=UTC)])
ANY = st.integers(0, 50)


class CourseMachine(RuleBasedStateMachine):
    """One run: a course from its draft on. `server` is where its database is made, `runner` the loop it lives in.

    Preconditions look at the model alone: which call a crash hits depends on the timing of the moment, and a rule that
    were open in one run of an example and shut in the next would confuse Hypothesis.
    """

    server: str
    runner: asyncio.Runner

    def __init__(self) -> None:
        super().__init__()
        self.broken = False
        self.stack = AsyncExitStack()
        self.story: Story

    def run(self, happening: Coroutine[Any, Any, None]) -> None:
        """Let something happen; what fails here is what the run is about, not what is at rest after it."""
        try:
            self.runner.run(happening)
        except BaseException:
            self.broken = True
            raise

    @initialize(services=st.sampled_from([1, 1, 2]), published=st.sampled_from([True, True, True, False]))
    def begin(self, services: int, published: bool) -> None:
        self.run(self._begin(services, published))

    async def _begin(self, services: int, published: bool) -> None:
        course, stands_on, students = await self.stack.enter_async_context(ground.drafted(self.server, services))
        self.story = Story(Driver(course, stands_on), students)
        if published:
            await self.story.publish()

    @precondition(lambda self: self.story.model.state == "draft")
    @rule()
    def publish(self) -> None:
        self.run(self.story.publish())

    @rule(by=AHEAD | BACK)
    def move_deadline(self, by: timedelta) -> None:
        self.run(self.story.move(by))

    @rule(who=WHO, by=st.none() | AHEAD | BACK)
    def extend(self, who: list[str], by: timedelta | None) -> None:
        self.run(self.story.extend(who, by))

    @rule(who=WHO, lock=st.booleans(), by=st.none() | AHEAD)
    def lay_hand(self, who: list[str], lock: bool, by: timedelta | None) -> None:
        self.run(self.story.lay_hand(who, lock, by))

    @rule(who=WHO)
    def withdraw(self, who: list[str]) -> None:
        self.run(self.story.withdraw(who))

    @rule(name=NAMES)
    def take_back(self, name: str) -> None:
        self.run(self.story.take_back(name))

    @precondition(lambda self: self.story.model.instants())
    @rule(number=st.integers(0, 4))
    def wait(self, number: int) -> None:
        ahead = self.story.model.instants()
        self.run(self.story.at(ahead[min(number, len(ahead) - 1)]))

    @precondition(lambda self: self.story.model.state != "draft")
    @rule(over=st.booleans())
    def night(self, over: bool) -> None:
        self.run(self.story.night(over))

    @rule(name=NAMES)
    def work(self, name: str) -> None:
        self.run(self.story.push(name, "student", "main", "none", None))

    @rule(name=NAMES, by=BY, branch=BRANCH, mishap=MISHAP, forged=FORGED)
    def push(self, name: str, by: Any, branch: str, mishap: Any, forged: datetime | None) -> None:
        self.run(self.story.push(name, by, branch, mishap, forged))

    @rule()
    def recover(self) -> None:
        self.run(self.story.recover())

    @rule(what=st.sampled_from(["intrude", "look", "repeat", "rerun", "rename", "hour"]), name=NAMES, number=ANY)
    def aside(self, what: str, name: str, number: int) -> None:
        happenings = {
            "intrude": lambda: self.story.intrude(name),
            "look": self.story.look,
            "repeat": lambda: self.story.repeat(number),
            "rerun": lambda: self.story.rerun(name, number),
            "rename": lambda: self.story.rename(name),
            "hour": self.story.hour,
        }
        self.run(happenings[what]())

    @rule(fault=faults.FAULTS)
    def disturb(self, fault: Fault) -> None:
        self.run(self.story.disturb(fault))

    @rule(fault=faults.CRASHES)
    def crash(self, fault: Fault) -> None:
        self.run(self.story.crash_at(fault))

    @invariant()
    def locks_are_right_at_once_where_nothing_goes_wrong(self) -> None:
        if not self.story.disturbed:
            promises.closed_iff_wanted(self.story)

    def teardown(self) -> None:
        """All comes to rest, and every promise is looked at."""
        if self.broken:
            with suppress(Exception):
                self.runner.run(self.stack.aclose())
            return
        self.runner.run(self._end())

    async def _end(self) -> None:
        async with self.stack:
            await self.story.rest()
            await promises.hold(self.story)

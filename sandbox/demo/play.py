"""One performance, from the first process to the proof."""

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass

from rich.console import Console

from sandbox.demo import by_hand, evidence, ledger, processes, remote, seeing, stage, story
from sandbox.demo.cast import Cast, assemble
from sandbox.demo.clockwork import Clockwork
from sandbox.demo.evidence import Evidence, Told
from sandbox.demo.ground import Broken, Ground
from sandbox.demo.playing import Beat, Pace, Playing
from sandbox.demo.proof import Promise, prove
from sandbox.demo.screen import Screen
from sandbox.demo.service import Service

STUDENTS = 100
WATCH_SECONDS = 0.5
AT_LEISURE = Pace()
WIDTH_WITHOUT_TERMINAL = 110


@dataclass(frozen=True, slots=True)
class Outcome:
    """What was proven, from what."""

    promises: list[Promise]
    evidence: Evidence

    @property
    def held(self) -> bool:
        """Whether every promise holds."""
        return all(promise.held for promise in self.promises)


async def _no_beat(_moment: str, _playing: Playing) -> None:
    """Nobody listens to the story's moments."""


async def play(
    ground: Ground,
    students: int = STUDENTS,
    console: Console | None = None,
    pace: Pace = AT_LEISURE,
    beat: Beat = _no_beat,
) -> Outcome:
    """Play a course and prove what it promises. Raises Broken where it cannot go on."""
    screen = Screen(console or _console())
    try:
        return await _play(ground, assemble(students), screen, pace, beat)
    except* Broken as broken:
        raise _first(broken) from None


async def _play(ground: Ground, cast: Cast, screen: Screen, pace: Pace, beat: Beat) -> Outcome:
    """The story, its proof, and with a terminal the time after it, in which the service goes on."""
    async with _performance(ground, cast, screen, pace, beat) as playing, asyncio.TaskGroup() as group:
        keeper = group.create_task(playing.service.keep())
        with screen.live():
            watcher = group.create_task(_watch(playing))
            found = await _story(playing)
            watcher.cancel()
        outcome = Outcome(prove(found), found)
        screen.summary(outcome.promises, found.calls)
        if screen.console.is_terminal:
            await by_hand.go_on(playing)
        keeper.cancel()
    return outcome


async def _story(playing: Playing) -> Evidence:
    await playing.service.settled()
    await stage.install(playing.remote)
    await story.tell(playing)
    told = Told(playing.cast, story.deadlines(playing), playing.commands, playing.late_tries, playing.service.deaths)
    return await evidence.collect(playing.remote, playing.ledger, told)


@asynccontextmanager
async def _performance(ground: Ground, cast: Cast, screen: Screen, pace: Pace, beat: Beat) -> AsyncIterator[Playing]:
    """The sandbox with an organisation in it, at the beginning of the story; no service yet."""
    screen.act(f"A course of {len(cast.students)} students, on this machine alone")
    async with AsyncExitStack() as stack:
        url = await stack.enter_async_context(processes.sandbox(ground.folder))
        github = await stack.enter_async_context(remote.reach(url))
        books = await stack.enter_async_context(ledger.opened(ground.dsn))
        screen.say(f"A sandbox of GitHub runs at {url}")
        clock = Clockwork(github, ground.set_clock)
        await clock.jump(story.BEGIN)
        issue = await stage.build(github, cast)
        screen.clock = clock.now
        service = Service(ground, github, screen.say)
        yield Playing(cast, github, clock, service, screen, books, pace, beat, issue)


async def _watch(playing: Playing) -> None:
    """Keep the bars true."""
    count = len(playing.cast.students)
    while True:
        with suppress(Broken):
            repositories = await seeing.repositories(playing)
            pushed = sum(repo["runs"] > 0 for repo in repositories)
            playing.screen.show("have pushed", pushed, count)
            playing.screen.show("closed on GitHub", sum(not repo["open"] for repo in repositories), count)
            playing.screen.show("reviews asked for", sum(repo["dispatches"] > 0 for repo in repositories), pushed)
        await asyncio.sleep(WATCH_SECONDS)


def _console() -> Console:
    """Standard output; a file is as wide as the summary likes."""
    return Console() if sys.stdout.isatty() else Console(width=WIDTH_WITHOUT_TERMINAL)


def _first(broken: "ExceptionGroup[Broken]") -> Broken:
    """The failure that ended the performance."""
    first = broken.exceptions[0]
    return first if isinstance(first, Broken) else _first(first)

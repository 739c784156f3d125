"""The story: an assignment from its first comment to its last review, one act after the other."""

from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from rich.markup import escape

from sandbox.demo import seeing
from sandbox.demo.cast import ASSISTANT, ORGANISATION, OWNER, TEACHER, ZONE
from sandbox.demo.evidence import Deadlines
from sandbox.demo.ground import Broken
from sandbox.demo.playing import Playing

DAY = "2026-12-01"
WAVES = ("15:10", "18:30", "21:00", "23:10")
GRACE = timedelta(minutes=30)
EXTENSION = timedelta(hours=2)


def wall(clock: str) -> datetime:
    """A time of the day of the deadline, in UTC."""
    return datetime.fromisoformat(f"{DAY} {clock}").replace(tzinfo=ZoneInfo(ZONE)).astimezone(UTC)


BEGIN = wall("14:00")
DEADLINE = wall("23:59")
OWN_DEADLINE = DEADLINE + EXTENSION


def deadlines(play: Playing) -> Deadlines:
    """What the teachers decide in this story."""
    return Deadlines(DEADLINE, OWN_DEADLINE, play.cast.extended.repository)


async def tell(play: Playing) -> None:
    """All acts. Raises Broken where the story cannot go on."""
    for act in (open_course, afternoon, deadline, freeze, extension, last_words):
        await act(play)


async def open_course(play: Playing) -> None:
    """Three comments make a course with an open assignment, a fourth gives one student more time."""
    play.screen.act("The teachers open the assignment")
    await play.write(
        OWNER,
        f"/course init --timezone {ZONE} --staff @{ORGANISATION}/teachers --assistants @{ORGANISATION}/tas",
        "now runs a course",
    )
    create = f'/project create lab1 --deadline "{DAY} 23:59" --repos lab1-* --grace 30m'
    await play.write(TEACHER, create, "is drafted")
    await play.moment("drafted")
    await play.write(TEACHER, "/publish", "is open")
    await play.write(ASSISTANT, f"/extend @{play.cast.extended.login} +2h --reason illness", "now closes")
    await play.moment("open")


async def afternoon(play: Playing) -> None:
    """Students push; some let git lie about the time, which changes nothing."""
    play.screen.act("The students work")
    for number, hour in enumerate(WAVES):
        await play.jump(wall(hour))
        pushing = play.cast.wave(number, len(WAVES))
        forgers = [student for student in pushing if student.forger]
        await play.crowd([student for student in pushing if not student.forger], play.pace.wave)
        for student in forgers:
            await play.push(student, author_date=DEADLINE + timedelta(days=1))
        lies = f", {len(forgers)} of them with a date of tomorrow in the commit" if forgers else ""
        play.screen.say(f"{len(pushing)} students push{lies}")
        await play.moment("worked")


async def deadline(play: Playing) -> None:
    """The last seconds, the deadline in real time, and the pushes that come too late."""
    play.screen.act(f"The deadline: {DAY} 23:59:00 {ZONE}")
    await play.jump(DEADLINE - timedelta(seconds=play.pace.before))
    await play.moment("deadline near")
    hurried = [student for student in play.cast.students if student.last_second]
    await play.crowd(hurried, play.pace.last)
    play.screen.say(f"{len(hurried)} students push in the last seconds")
    await play.clock.reach(DEADLINE)
    play.screen.say("[bold]Pencils down.[/]")
    others = len(play.cast.students) - 1
    await _see(play, "closing", seeing.closed, 1)
    await _see(play, "closed", seeing.closed, others)
    await _see(play, "locks recorded", seeing.recorded_locks, others)
    play.screen.say(f"{others} repositories are closed on GitHub, the extended one is open")
    await _push_late(play)


async def _push_late(play: Playing) -> None:
    """Late students meet the lock, whatever date their commit claims; the extended one does not."""
    words = [
        await play.try_late(student, author_date=DEADLINE - timedelta(hours=3) if student.absent else None)
        for student in play.cast.students
        if student.late
    ]
    play.screen.say(f"{len(words)} students push too late, some with a forged date. GitHub answers:")
    for line in next(filter(None, words), "nothing: the push was taken").splitlines():
        play.screen.say(f"  [red]│[/] {escape(line)}")
    await play.push(play.cast.extended)
    play.screen.say(f"{play.cast.extended.login}, who was ill, pushes: taken")
    await play.moment("pushed late")


async def freeze(play: Playing) -> None:
    """The grace for running workflows is over: what counts is frozen, and its review is asked for."""
    play.screen.act("The grace is over: what counts is frozen and reviewed")
    await play.jump(DEADLINE + GRACE - timedelta(seconds=play.pace.before / 3))
    await play.moment("grace ending")
    await play.clock.reach(DEADLINE + GRACE)
    await _see(play, "reviewing", seeing.reviews, 1)
    play.screen.say("The first review is asked for")


async def extension(play: Playing) -> None:
    """The extended repository lives on until its own time, which comes like the first."""
    play.screen.act("The extended one has its own deadline: 01:59:00")
    student = play.cast.extended
    await play.jump(OWN_DEADLINE - timedelta(seconds=play.pace.before / 2))
    await play.push(student)
    play.screen.say(f"{student.login} pushes just before it: taken")
    await play.clock.reach(OWN_DEADLINE)
    await _see(play, "all closed", seeing.closed, len(play.cast.students))
    await _see(play, "all locks recorded", seeing.recorded_locks, len(play.cast.students))
    refused = await play.try_late(student)
    play.screen.say(f"It is closed. Another push: {'refused' if refused else 'taken'}")
    await play.jump(OWN_DEADLINE + GRACE - timedelta(seconds=play.pace.before / 3))
    await play.clock.reach(OWN_DEADLINE + GRACE)
    await play.until("every repository to be frozen", lambda: seeing.all_frozen(play))
    play.screen.say("Everything is frozen. Reviews go out as fast as GitHub's limit of 900 points a minute allows")
    await play.until("every review to be asked for", lambda: seeing.all_reviews_asked(play))
    play.screen.say("Every review is asked for")
    await play.moment("reviewed")


async def last_words(play: Playing) -> None:
    """What students read on their commits comes last in GitHub's budget: wait for it a while."""
    play.screen.act("The last checks are shown to the students")
    waiting = await play.ledger.checks_waiting()
    play.screen.say(
        f"{waiting} updates wait for GitHub's limits; the demo waits for them {play.pace.checks:.0f} s at most"
    )

    async def none_waits() -> bool:
        left = await play.ledger.checks_waiting()
        play.screen.show("checks", waiting - left if left <= waiting else 0, waiting)
        return left == 0

    try:
        await play.until("the checks", none_waits, play.pace.checks)
    except Broken:
        play.screen.say(f"{await play.ledger.checks_waiting()} updates still wait; the service would go on with them")
    await play.service.settled()


async def _see(play: Playing, moment: str, count: Callable[[Playing], Awaitable[int]], wanted: int) -> None:
    """Wait until there are so many, then tell of the moment."""

    async def seen() -> bool:
        return await count(play) >= wanted

    await play.until(moment, seen)
    await play.moment(moment)

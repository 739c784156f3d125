"""A real process is killed at each named point in turn; what comes after it ends in the same state, nothing twice."""

import signal
from uuid import UUID

import pytest

from bot.failpoints import NAMES
from tests.crashes.night import ARCHIVE, MARKED, UNTIL_NOON, Night
from tests.crashes.process import Process, process
from tests.flows.course import Course

UNCONFIRMED = {"dispatch.claimed", "dispatch.answered"}
ONCE = ("repository.applied", "repository.frozen", "repository.locked")


SOME = list(NAMES)[::10]
"""Each night takes seconds: tests/soak/ tells both of them at every point, here they take turns."""


@pytest.mark.parametrize("point", SOME)
async def test_a_process_killed_at_a_point_and_started_again_ends_right(course: Course, point: str) -> None:
    await started_again(course, point)


async def started_again(course: Course, point: str) -> None:
    """The only process is killed at this point, and another one begins an hour later."""
    night = Night(course, point)
    await night.evening()
    front_door = str(course.world.app.webhook_url)
    await night.falls()
    async with process(course, point) as first:
        await night.wakes(first)
        await killed(first)

    await bury_all_but(course, course.service.process_id)
    await course.an_hour_passes()
    async with process(course) as second:
        assert await second.listens(), second.log
        await night.goes_on(second.webhook)
        await night.is_over()
        await night.noon()
        await night.is_closed_at_noon()
        assert await second.stop() == 0, second.log

    await night.goes_on(front_door)
    await ends_right(night, point)


@pytest.mark.parametrize("point", list(NAMES)[1::4])
async def test_a_second_process_goes_on_where_the_first_is_killed(course: Course, point: str) -> None:
    await taken_over(course, point)


async def taken_over(course: Course, point: str) -> None:
    """One of two processes is killed at this point, and the other goes on."""
    night = Night(course, point)
    await night.evening()
    front_door = str(course.world.app.webhook_url)
    await night.falls()
    async with process(course, point) as first:
        await night.wakes(first)
        await killed(first)

    await night.goes_on(front_door)
    await course.settle()
    await bury_all_but(course, course.service.process_id)
    await course.settle()
    await course.an_hour_passes()
    await course.settle()
    await night.noon()

    await ends_right(night, point)


async def killed(first: Process) -> None:
    """It has come to the point, and died there."""
    try:
        status = await first.ended()
    except TimeoutError:
        raise AssertionError(f"the story does not come to the point:\n{first.log}") from None
    assert status == -signal.SIGKILL, first.log


async def bury_all_but(course: Course, alive: UUID) -> None:
    """Half a minute without a heartbeat has passed for every other process."""
    await course.rows("UPDATE processes SET beat_at = beat_at - interval '1 minute' WHERE id <> $1", alive)


async def ends_right(night: Night, point: str) -> None:
    """All is closed or marked once, each review asked for once, each commit has its check, the command its answer."""
    course = night.course
    await course.settle()
    await course.an_hour_passes()
    await course.settle()
    assert night.closed() == [True, True, True]
    assert {branch: night.marks(branch) for branch in MARKED} == {
        branch: [(parent,)] for branch, parent in night.before_mark.items()
    }
    assert night.answers() == 1
    command = next(comment for comment in course.issue.comments if comment.body == UNTIL_NOON)
    assert sorted(reaction.content for reaction in command.reactions) == ["eyes", "rocket"]
    await the_audit_is_complete(course)
    said = await course.write(course.teacher, "/status")
    if point == ARCHIVE:
        return
    assert course.check(night.amys, night.on_time).startswith("On time")
    assert course.check(night.amys, night.late).startswith("Late by")
    assert course.check(night.bos, night.extended).startswith("On time")
    assert night.reviewed(night.bos) == [night.extended]
    assert night.reviewed(night.cys) == []
    # Whatever a process died of, it may have been asking for this review beside it.
    sent = night.reviewed(night.amys)
    assert sent == [night.on_time] or (sent == [] and "Not confirmed: the review of `lab1-amy`" in said)
    if point in UNCONFIRMED:
        assert len(sent) == (point == "dispatch.answered")
        assert "Not confirmed: the review of `lab1-amy`" in said


async def the_audit_is_complete(course: Course) -> None:
    """Each change of state has its row, once."""
    rows = await course.rows("SELECT action, repository_id, count(*) AS times FROM audit_log GROUP BY 1, 2")
    times = {(row["action"], row["repository_id"]): row["times"] for row in rows}
    for repo in course.org.repositories.values():
        if repo.name.startswith("lab1-"):
            assert [times.get((action, repo.id)) for action in ONCE] == [1, 1, 1], repo.name
        if repo.name.startswith("lab2-"):
            assert [times.get((action, repo.id)) for action in ONCE] == [1, 1, None], repo.name
            assert times["repository.deadline_committed", repo.id] == len(MARKED)
    assert times["project.closed", None] == 2

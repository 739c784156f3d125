"""What a killed process held is taken over after half a minute of silence, never before (docs/design.md section 5)."""

from tests.crashes.night import Night
from tests.crashes.process import process
from tests.crashes.test_failpoints import killed
from tests.flows.course import Course

SILENT_FOR = "UPDATE processes SET beat_at = now() - make_interval(secs => $2) WHERE id <> $1"


async def test_the_lock_of_a_killed_process_is_left_to_it_for_half_a_minute_and_then_taken_over(course: Course) -> None:
    night = Night(course, "lock.trying")
    await night.evening()
    await night.falls()
    async with process(course, "lock.trying") as first:
        await night.wakes(first)
        await killed(first)
    survivor = course.service.process_id

    await course.rows(SILENT_FOR, survivor, 20.0)
    await course.settle()
    assert night.closed() == [False, False, False]

    await course.rows(SILENT_FOR, survivor, 31.0)
    await course.settle()
    assert night.closed() == [True, False, True]

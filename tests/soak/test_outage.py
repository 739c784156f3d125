"""What takes too long for every run of the tests."""

from tests.flows.course import Course
from tests.flows.outage import missed_by_the_hundred


async def test_five_hundred_pushes_of_an_outage_are_judged_as_if_nothing_had_been_down(course: Course) -> None:
    await missed_by_the_hundred(course, students=50)

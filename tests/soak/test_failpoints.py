"""At each point at which a process may be killed it is started again, or another one goes on."""

import pytest

from bot.failpoints import NAMES
from tests.crashes.test_failpoints import started_again, taken_over
from tests.flows.course import Course


@pytest.mark.parametrize("point", NAMES)
async def test_a_process_killed_at_any_point_and_started_again_ends_right(course: Course, point: str) -> None:
    await started_again(course, point)


@pytest.mark.parametrize("point", NAMES)
async def test_a_second_process_goes_on_at_any_point_where_the_first_is_killed(course: Course, point: str) -> None:
    await taken_over(course, point)

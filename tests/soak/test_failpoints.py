"""At each point at which a process may be killed it is started again."""

import pytest

from bot.failpoints import NAMES
from tests.crashes.test_failpoints import started_again
from tests.flows.course import Course


@pytest.mark.parametrize("point", NAMES)
async def test_a_process_killed_at_any_point_and_started_again_ends_right(course: Course, point: str) -> None:
    await started_again(course, point)

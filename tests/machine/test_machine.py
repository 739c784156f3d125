"""A course does what it must, whatever happens in whatever order: examples that Hypothesis makes up."""

import asyncio

import stamina
from hypothesis import settings
from hypothesis.stateful import run_state_machine_as_test

from tests.conftest import Servers
from tests.machine import ground
from tests.machine.machine import CourseMachine


def test_a_course_ends_right_whatever_happens(servers: Servers, server_version: int) -> None:
    server = servers.address(server_version)
    profile = "soak" if settings.get_current_profile_name() == "soak" else "course"
    # Retries happen as often as in production, and at once.
    with asyncio.Runner() as runner, stamina.set_testing(True, attempts=100, cap=True):
        runner.run(ground.draft(server))

        class Here(CourseMachine):
            pass

        Here.server, Here.runner = server, runner
        run_state_machine_as_test(Here, settings=settings.get_profile(profile))

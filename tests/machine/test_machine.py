"""A course does what it must, whatever happens in whatever order: examples that Hypothesis makes up."""

import asyncio

import pytest
import stamina
from hypothesis import seed, settings
from hypothesis.stateful import run_state_machine_as_test

from tests.conftest import Servers
from tests.machine import ground
from tests.machine.conftest import SHARDS, profile_in_use
from tests.machine.machine import CourseMachine


@pytest.mark.parametrize("shard", range(SHARDS[profile_in_use()]))
def test_a_course_ends_right_whatever_happens(servers: Servers, server_version: int, shard: int) -> None:
    server = servers.address(server_version)
    profile = profile_in_use()
    # Retries happen as often as in production, and at once.
    with asyncio.Runner() as runner, stamina.set_testing(True, attempts=100, cap=True):
        runner.run(ground.draft(server))

        class Here(CourseMachine):
            pass

        Here.server, Here.runner = server, runner
        run_state_machine_as_test(
            Here if profile == "soak" else seed(shard)(Here), settings=settings.get_profile(profile)
        )

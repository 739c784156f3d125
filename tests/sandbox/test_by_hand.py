"""The demo goes on by hand until somebody stops it."""

import os
import signal
from typing import Any, cast
from unittest.mock import Mock

import pytest

from sandbox.demo import by_hand
from sandbox.demo.playing import Playing


@pytest.mark.parametrize("number", by_hand.SIGNALS)
async def test_it_says_where_to_look_and_ends_when_it_is_told_to(number: signal.Signals) -> None:
    said: list[str] = []

    def say(text: str) -> None:
        said.append(text)
        if "stops it" in text:
            os.kill(os.getpid(), number)

    playing: Any = Mock(issue=1)
    playing.remote.url, playing.screen.say = "http://127.0.0.1:1", say
    await by_hand.go_on(cast(Playing, playing))

    assert "http://127.0.0.1:1/prog1/staff/issues/1" in said[0]
    assert "http://127.0.0.1:1/prog1:" in said[1]

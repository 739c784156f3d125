"""After the story the course goes on by hand, on the sandbox's pages, until the person at the terminal stops it."""

import asyncio
import signal
from collections.abc import Iterator
from contextlib import contextmanager

from sandbox.demo.cast import ORGANISATION, STAFF
from sandbox.demo.playing import Playing

SIGNALS = (signal.SIGINT, signal.SIGTERM)


async def go_on(playing: Playing) -> None:
    """Say where to look and what to try, and wait for Ctrl-C or SIGTERM. The service must be kept running meanwhile."""
    url, say = playing.remote.url, playing.screen.say
    with _stopping() as stop:
        playing.screen.act("Now it is yours")
        say(f"Teachers comment at {url}/{STAFF}/issues/{playing.issue}: try /status, or /help")
        say(f"Students push at {url}/{ORGANISATION}: open a repository")
        say(f"What the service asks of GitHub: {url}/-/calls. What GitHub tells it: {url}/-/deliveries")
        say("[bold]Ctrl-C stops it.[/]")
        await stop.wait()


@contextmanager
def _stopping() -> Iterator[asyncio.Event]:
    """The event that is set when the person has had enough; outside the block a signal does what it did before."""
    stop, loop = asyncio.Event(), asyncio.get_running_loop()
    for number in SIGNALS:
        loop.add_signal_handler(number, stop.set)
    try:
        yield stop
    finally:
        for number in SIGNALS:
            loop.remove_signal_handler(number)

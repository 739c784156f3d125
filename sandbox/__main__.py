"""`python -m sandbox`: a GitHub of one's own on a loopback port."""

import argparse
import asyncio
import signal
import sys

from sandbox.server import serving
from sandbox.world import World


def main() -> None:
    """Serve an empty world until a signal, or with `--with-parent` until standard input ends."""
    parser = argparse.ArgumentParser(prog="python -m sandbox", description=__doc__)
    parser.add_argument("--port", type=int, default=8080, help="0 for a free one")
    parser.add_argument("--with-parent", action="store_true", help="stop when standard input is closed")
    arguments = parser.parse_args()
    asyncio.run(_serve(arguments.port, arguments.with_parent))


async def _serve(port: int, with_parent: bool) -> None:
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop.set)
    if with_parent:
        await loop.connect_read_pipe(lambda: _UntilEnd(stop), sys.stdin)
    async with serving(World(), port) as url:
        sys.stdout.write(f"sandbox ready on {url}\n")
        sys.stdout.flush()
        await stop.wait()


class _UntilEnd(asyncio.Protocol):
    """Watches standard input for its end: the parent is gone."""

    def __init__(self, stop: asyncio.Event) -> None:
        self._stop = stop

    def eof_received(self) -> None:
        """The other side was closed."""
        self._stop.set()

    def connection_lost(self, _: Exception | None) -> None:
        """The pipe broke."""
        self._stop.set()


if __name__ == "__main__":
    main()

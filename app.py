"""The command line: `python app.py serve|demo|migrate`. Thin on purpose; see bot/service.py and sandbox/demo."""

import argparse
import asyncio
import shutil
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import aiohttp

from bot import config, log
from bot.config import Config, ConfigError
from bot.service import Ground, Service, serving
from bot.store import clock, embedded, embedded_folder, migrations, pool

if TYPE_CHECKING:
    from sandbox import demo as demonstration

SERVE = (sys.executable, str(Path(__file__).resolve()), "serve")


def main() -> int:
    """Run one command; the exit status is 2 where the settings cannot be used."""
    parser = argparse.ArgumentParser(prog="app.py", description="Deadlines for programming courses on GitHub.")
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("serve", help="run the service (settings: see .env.example)")
    commands.add_parser("demo", help="play a course of a hundred students against a sandbox of GitHub")
    commands.add_parser("migrate", help="bring the database up to this version, and stop")
    chosen = parser.parse_args().command
    try:
        asyncio.run({"serve": serve, "demo": demo, "migrate": migrate}[chosen]())
    except ConfigError as error:
        say(str(error))
        return 2
    except KeyboardInterrupt:
        return 130
    return 0


def say(line: str) -> None:
    """One line for the person at the terminal."""
    sys.stderr.write(f"{line}\n")


async def serve() -> None:
    """Run the service until it is told to stop; then finish the calls in hand."""
    settings = config.load_config(config.read_environment())
    log.configure(settings.log_level, settings.log_format)
    async with pool.address(settings, say) as dsn:
        await migrations.migrate(dsn)
        async with pool.open_pool(dsn) as connections, aiohttp.ClientSession() as session:
            await _run(settings, Service(settings, Ground(dsn, connections, session)))


async def _run(settings: Config, service: Service) -> None:
    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    await service.begin()
    async with serving(service) as address:
        say(f"Pencils Down ({settings.role}) listens at {address}; webhooks go to {address}/webhook")
        loops = asyncio.create_task(service.run())
        stopping = asyncio.create_task(stop.wait())
        await asyncio.wait({loops, stopping}, return_when=asyncio.FIRST_COMPLETED)
        stopping.cancel()
        loops.cancel()
        with suppress(asyncio.CancelledError):
            await loops
        await service.end()


async def migrate() -> None:
    """Run the migrations that have not been run."""
    settings = config.load_database(config.read_environment())
    async with pool.address(settings, say) as dsn:
        names = await migrations.migrate(dsn)
    say(f"Ran {', '.join(names)}." if names else "The database is up to date.")


async def demo() -> None:
    """Play a course of a hundred students, end to end; the exit status is 1 if a promise does not hold."""
    from sandbox.demo import Broken, play

    try:
        async with demo_ground(config.load_database(config.read_environment()).data_dir) as ground:
            outcome = await play(ground)
    except Broken as broken:
        raise SystemExit(f"The demo broke off. {broken}") from None
    if not outcome.held:
        raise SystemExit(1)


@asynccontextmanager
async def demo_ground(data_dir: str) -> AsyncIterator["demonstration.Ground"]:
    """What the demo is lent: an empty database in the folder `demo` of `data_dir`, its clock, and how to serve."""
    from sandbox import demo as demonstration

    folder = embedded_folder.choose(data_dir, say).path / "demo"
    if folder.exists():
        await asyncio.to_thread(embedded.wait_until_stopped, folder)
        shutil.rmtree(folder)
    async with embedded.server(str(folder), announce=say) as dsn:
        await migrations.migrate(dsn)
        async with pool.open_connection(dsn) as conn:
            yield demonstration.Ground(folder, dsn, partial(clock.shift, conn), SERVE, config.read_environment())


if __name__ == "__main__":
    sys.exit(main())

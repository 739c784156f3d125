"""A real PostgreSQL for every test that asks for one: one server per version for the whole run, a database per test."""

import asyncio
import gc
import itertools
import os
import shutil
from collections.abc import AsyncIterator, Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import asyncpg
import pytest
from hypothesis import settings

from bot.store import embedded, migrations
from bot.store.embedded_binaries import packaged
from bot.store.pool import open_connection, open_pool

VERSIONS = sorted(packaged())
STORE_TESTS = Path(__file__).parent / "store"
MACHINE_TESTS = Path(__file__).parent / "machine"
MEMORY = Path("/dev/shm")
ENOUGH_BYTES = 2_000_000_000
NUMBERS = itertools.count(1)
ON_EACH_VERSION = {
    "test_costs.py",
    "test_embedded.py",
    "test_embedded_crashes.py",
    "test_lock_order.py",
    "test_migrations.py",
    "test_plans.py",
    "test_queries.py",
    "test_steps_over_data.py",
    "test_twins.py",
}
"""Every step, every statement and its plan, every rule written in SQL, and what starts the server."""

# GitHub's description is some hundred thousand objects that never go: looking through them over and over costs.
gc.set_threshold(100_000, 50, 100)


class Servers:
    """Servers by major version, each started when it is first asked for and given a migrated database to clone."""

    def __init__(self, stack: ExitStack) -> None:
        self._stack = stack
        self._addresses: dict[int, str] = {}

    def address(self, major: int) -> str:
        """The address of that server's database `postgres`."""
        if major not in self._addresses:
            folder = self._stack.enter_context(embedded.temporary_folder(_fast_folder()))
            use = embedded.start(folder, announce=print, binaries=packaged()[major])
            self._stack.callback(use.release)
            _run(_make_template(use.dsn))
            self._addresses[major] = use.dsn
        return self._addresses[major]


def _fast_folder() -> Path | None:
    """Memory, where there is enough: ext4 looks a third of a second for inodes at each clone that follows a drop."""
    if not MEMORY.is_dir() or shutil.disk_usage(MEMORY).free < ENOUGH_BYTES:
        return None
    return None if os.statvfs(MEMORY).f_flag & os.ST_NOEXEC else MEMORY


async def _make_template(server: str) -> None:
    async with open_connection(server) as admin:
        await admin.execute("ALTER SYSTEM SET max_wal_size = '128MB'")
        # As a service that has run for a while: connections this young would plan each statement five times over.
        await admin.execute("ALTER SYSTEM SET plan_cache_mode = force_generic_plan")
        await admin.execute("SELECT pg_reload_conf()")
        await admin.execute("CREATE DATABASE migrated")
        await migrations.migrate(database(server, "migrated"))
        # Nobody may be connected to a database that is cloned, not even autovacuum.
        await admin.execute("ALTER DATABASE migrated ALLOW_CONNECTIONS false")


def _run(work: Coroutine[Any, Any, None]) -> None:
    """Do asynchronous work from a place that may have a loop running."""
    with ThreadPoolExecutor(1) as thread:
        thread.submit(asyncio.run, work).result()


def database(server: str, name: str) -> str:
    """The address of another database of the same server."""
    return server.replace("/postgres?", f"/{name}?")


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """One more than there are processors: many tests wait for a process or for a moment of real time."""
    del config
    return (os.cpu_count() or 1) + 1


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The longest first, or one worker would still be at it when all others have ended."""
    items.sort(key=lambda item: MACHINE_TESTS not in item.path.parents)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Where a version could differ, the store is tested on each that is shipped; `make soak` does so with all of it."""
    file = Path(metafunc.definition.path)
    if "server_version" in metafunc.fixturenames and STORE_TESTS in file.parents:
        each = file.name in ON_EACH_VERSION or settings.get_current_profile_name() == "soak"
        metafunc.parametrize("server_version", VERSIONS if each else VERSIONS[-1:], ids="pg{}".format)


@pytest.fixture
def server_version() -> int:
    """The major version of PostgreSQL that the test runs on."""
    return VERSIONS[-1]


@pytest.fixture(scope="session")
def servers() -> Iterator[Servers]:
    """What the databases of the whole run live on."""
    with ExitStack() as stack:
        yield Servers(stack)


@pytest.fixture
async def dsn(servers: Servers, server_version: int) -> AsyncIterator[str]:
    """The address of a migrated database of the test's own."""
    async for address in _fresh_database(servers.address(server_version), "migrated"):
        yield address


@pytest.fixture
async def empty_dsn(servers: Servers, server_version: int) -> AsyncIterator[str]:
    """The address of an empty database of the test's own."""
    async for address in _fresh_database(servers.address(server_version), "template0"):
        yield address


async def _fresh_database(server: str, template: str) -> AsyncIterator[str]:
    name = f"test_{next(NUMBERS)}"
    async with open_connection(server) as admin:
        await admin.execute(f"CREATE DATABASE {name} TEMPLATE {template}")
        yield database(server, name)
        await admin.execute(f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture
async def pool(dsn: str) -> AsyncIterator["asyncpg.Pool[asyncpg.Record]"]:
    """A pool on the test's own database: small, since each connection plans each statement for itself."""
    async with open_pool(dsn, size=3) as opened:
        yield opened


@pytest.fixture
async def conn(dsn: str) -> AsyncIterator["asyncpg.Connection[asyncpg.Record]"]:
    """One connection to the test's own database."""
    async with open_connection(dsn) as opened:
        yield opened

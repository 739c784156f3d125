"""While the database is away nothing is acknowledged, so that GitHub's log still holds it; once it is back, all is."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import parse_qs, urlsplit

import pytest
import structlog

from bot.store.pool import open_pool
from tests.store.sessions import PATIENCE_SECONDS

from . import bodies
from .conftest import GitHub, Pool, serving

SOCKET = ".s.PGSQL.5432"


class Wire:
    """A wire between a process and its database that can be cut and mended."""

    def __init__(self, near: Path, far: str) -> None:
        self._near, self._far = near, far
        self._server: asyncio.Server | None = None
        self._writers: list[asyncio.StreamWriter] = []

    async def mend(self) -> None:
        """From now on connections get through."""
        self._server = await asyncio.start_unix_server(self._join, self._near)

    async def cut(self) -> None:
        """Every connection breaks, and no new one gets through."""
        assert self._server is not None
        self._server.close()
        self._near.unlink(missing_ok=True)
        for writer in self._writers:
            writer.transport.abort()
        self._writers.clear()

    async def _join(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        far_reader, far_writer = await asyncio.open_unix_connection(self._far)
        self._writers += [writer, far_writer]
        with suppress(OSError):
            await asyncio.gather(_pass_on(reader, far_writer), _pass_on(far_reader, writer))


async def _pass_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while data := await reader.read(65536):
        writer.write(data)
        await writer.drain()
    writer.close()


@asynccontextmanager
async def wired(dsn: str) -> AsyncIterator[tuple[Wire, Pool]]:
    """A pool on the test's database, over a wire."""
    host = parse_qs(urlsplit(dsn).query)["host"][0]
    with TemporaryDirectory() as folder:
        wire = Wire(Path(folder) / SOCKET, f"{host}/{SOCKET}")
        await wire.mend()
        async with open_pool(dsn.replace(host, folder)) as pool:
            yield wire, pool
        await wire.cut()


async def test_a_delivery_is_answered_503_while_the_database_is_away_and_stored_once_it_is_back(
    dsn: str, pool: Pool
) -> None:
    async with wired(dsn) as (wire, pool_over_wire), serving(pool_over_wire) as github:
        with structlog.testing.capture_logs() as lines:
            await wire.cut()
            assert await github.deliver("push", bodies.push()) == 503
            assert github.lost == [True]
            assert await pool.fetchval("SELECT count(*) FROM deliveries") == 0

            await wire.mend()
            assert await github.deliver("push", bodies.push()) == 202
            assert await pool.fetchval("SELECT count(*) FROM deliveries") == 1
            assert github.lost == [True]

    assert [line["action"] for line in lines] == ["webhook.unstored"]
    assert not any(line.get("exc_info") for line in lines)


@pytest.mark.parametrize("reason", ["the server shuts down", "the statement takes too long"])
async def test_a_delivery_whose_statement_is_ended_by_the_server_is_answered_503(
    github: GitHub, pool: Pool, reason: str
) -> None:
    end = "pg_terminate_backend" if reason == "the server shuts down" else "pg_cancel_backend"
    async with pool.acquire() as conn, conn.transaction():
        await conn.execute("LOCK TABLE deliveries")
        delivering = asyncio.create_task(github.deliver("push", bodies.push()))
        async with asyncio.timeout(PATIENCE_SECONDS):
            while not await conn.fetchval(
                f"SELECT {end}(pid) FROM pg_locks WHERE NOT granted AND pid <> pg_backend_pid()"
            ):
                pass

    assert await delivering == 503
    assert await pool.fetchval("SELECT count(*) FROM deliveries") == 0

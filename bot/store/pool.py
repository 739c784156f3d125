"""Connections: to DATABASE_URL, or to the embedded server if there is none."""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext
from typing import Any

import asyncpg
import msgspec

from bot.config import Config, ConfigError, Database
from bot.store import embedded

APPLICATION = "pencils-down"
CONNECT_SECONDS = 10.0
COMMAND_SECONDS = 30.0
CLOSE_SECONDS = 10.0
SIZE = 20

UNUSABLE = (OSError, ValueError, asyncpg.PostgresError, asyncpg.InterfaceError)


def address(database: Config | Database, announce: Callable[[str], None]) -> AbstractAsyncContextManager[str]:
    """The server to use: DATABASE_URL always wins; else the embedded one, which lives while anybody is inside."""
    if database.database_url:
        return nullcontext(database.database_url)
    return embedded.server(database.data_dir, announce=announce)


@asynccontextmanager
async def connect(
    database: Config | Database, announce: Callable[[str], None]
) -> AsyncIterator["asyncpg.Pool[asyncpg.Record]"]:
    """A pool on `address`, which see. Raises ConfigError if there is no such server."""
    async with address(database, announce) as dsn, open_pool(dsn) as pool:
        yield pool


@asynccontextmanager
async def open_pool(dsn: str, size: int = SIZE) -> AsyncIterator["asyncpg.Pool[asyncpg.Record]"]:
    """A pool of at most `size` connections. Raises ConfigError without the address, which may hold a password."""
    logging.getLogger("asyncpg.pool").addFilter(_without_traceback)
    try:
        pool = await asyncpg.create_pool(
            dsn,
            min_size=1,
            max_size=size,
            timeout=CONNECT_SECONDS,
            command_timeout=COMMAND_SECONDS,
            server_settings={"application_name": APPLICATION},
            init=set_codecs,
            reset=_leave_as_it_is,
        )
    except UNUSABLE as error:
        raise unreachable(error) from error
    try:
        yield pool
    finally:
        await _close(pool)


@asynccontextmanager
async def open_connection(dsn: str, **server_settings: str) -> AsyncIterator["asyncpg.Connection[asyncpg.Record]"]:
    """A connection of its own, for what a pooled one must not do: LISTEN, SET, session locks, a heartbeat."""
    settings = {"application_name": APPLICATION, **server_settings}
    try:
        connection = await asyncpg.connect(dsn, timeout=CONNECT_SECONDS, server_settings=settings)
    except UNUSABLE as error:
        raise unreachable(error) from error
    try:
        await set_codecs(connection)
        yield connection
    finally:
        await connection.close(timeout=CLOSE_SECONDS)


async def set_codecs(connection: "asyncpg.Connection[asyncpg.Record]") -> None:
    """JSON columns are Python values on our side."""
    for name in ("json", "jsonb"):
        await connection.set_type_codec(name, schema="pg_catalog", encoder=_encode, decoder=msgspec.json.decode)


def unreachable(error: Exception) -> ConfigError:
    """What the operator reads when a connection cannot be made; never the address, which may hold a password."""
    return ConfigError(f"The database cannot be reached: {type(error).__name__}: {error}")


async def _leave_as_it_is(connection: object) -> None:
    """asyncpg rolls an open transaction back by itself; its reset query costs more than most of our statements.

    Hence the rule: nothing sets session state (SET, LISTEN, session locks, temporary tables) on a pooled connection.
    """


async def _close(pool: "asyncpg.Pool[asyncpg.Record]") -> None:
    """Let statements in hand finish, but do not wait for ever for one that never will."""
    try:
        await asyncio.wait_for(pool.close(), CLOSE_SECONDS)
    except TimeoutError:
        pool.terminate()


def _encode(value: Any) -> str:
    return msgspec.json.encode(value).decode()


def _without_traceback(record: logging.LogRecord) -> bool:
    """While a server is away asyncpg logs a whole traceback at every try: one line says it."""
    record.exc_info = None
    return True

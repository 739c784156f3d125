"""Connections: JSON both ways, nothing left behind by the one who had it before, and errors that hide the address."""

import logging
from typing import TypeAlias

import asyncpg
import pytest

from bot.config import ConfigError, Database
from bot.store import pool as pools

Pool: TypeAlias = "asyncpg.Pool[asyncpg.Record]"


async def test_json_columns_are_python_values(pool: Pool) -> None:
    value = {"häh": [1, None, "@x"], "nested": {"a": True}}

    assert await pool.fetchval("SELECT $1::jsonb", value) == value
    assert await pool.fetchval("SELECT $1::json", value) == value


async def test_database_url_wins_over_the_embedded_server(dsn: str) -> None:
    settings = Database(database_url=dsn, data_dir="/nonexistent/and/unused")

    async with pools.connect(settings, print) as pool:
        assert await pool.fetchval("SELECT current_database()") in dsn


async def test_a_transaction_left_open_is_rolled_back_on_the_way_to_the_next_user(dsn: str) -> None:
    async with pools.open_pool(dsn, size=1) as pool:
        first = await pool.acquire()
        await first.execute("CREATE TABLE left_over (x int)")
        await first.execute("BEGIN; INSERT INTO left_over VALUES (1)")
        await pool.release(first)

        assert await pool.fetchval("SELECT count(*) FROM left_over") == 0


async def test_the_password_is_not_in_the_error() -> None:
    settings = Database(database_url="postgresql://bot:hunter2@127.0.0.1:1/nowhere")

    with pytest.raises(ConfigError, match="cannot be reached") as caught:
        async with pools.connect(settings, print):
            pass

    assert "hunter2" not in str(caught.value)


async def test_a_lost_server_is_one_line_in_the_log(pool: Pool, caplog: pytest.LogCaptureFixture) -> None:
    try:
        raise ConnectionRefusedError
    except ConnectionRefusedError:
        logging.getLogger("asyncpg.pool").warning("Failed to restore the pool connection floor", exc_info=True)

    assert "Failed to restore" in caplog.text
    assert "Traceback" not in caplog.text

"""A second session on the test's own database, for the races."""

from collections.abc import AsyncIterator

import asyncpg
import pytest

from bot.store.pool import open_connection


@pytest.fixture
async def other(dsn: str) -> AsyncIterator["asyncpg.Connection[asyncpg.Record]"]:
    """Another session beside `conn`."""
    async with open_connection(dsn) as opened:
        yield opened

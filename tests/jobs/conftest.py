"""A desk for jobs that call nobody: a real database, and a GitHub that is not there."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TypeAlias

import aiohttp
import asyncpg
import pytest

from bot.config import Config
from bot.github.hub import Hub
from bot.jobs.desk import Desk, Filing
from bot.jobs.gate import SharedGate
from bot.store.leases import Lease
from bot.webhooks import envelope
from bot.webhooks.events import HANDLERS
from tests.store import rows, work

Pool: TypeAlias = "asyncpg.Pool[asyncpg.Record]"
NOWHERE = "http://127.0.0.1:1"
FILING = Filing(HANDLERS, envelope.understand)


@asynccontextmanager
async def desk_on(pool: Pool) -> AsyncIterator[Desk]:
    """The desk of a living process on `pool`."""
    async with pool.acquire() as conn:
        process_id = await rows.process(conn)
    config = Config(app_id=1, private_key="none", webhook_secret="s", github_api_url=NOWHERE)
    async with aiohttp.ClientSession() as session:
        hub = Hub(config, session, SharedGate(pool))
        yield Desk(pool, hub, process_id, 1, "app[bot]", work.LEASE_SECONDS, lambda: None, lambda: None, FILING)


@pytest.fixture
async def desk(pool: Pool) -> AsyncIterator[Desk]:
    """The desk of a process on the test's own database."""
    async with desk_on(pool) as opened:
        yield opened


async def taken(desk: Desk, kind: str) -> Lease:
    """A lease of one kind, with one piece of work due under it."""
    async with desk.pool.acquire() as conn:
        await work.DUE[kind](conn)
        (lease,) = await work.take(conn, kind, desk.process_id)
    return lease


async def take_over(desk: Desk, lease: Lease) -> Lease:
    """Another process takes the work over, as if the first had been silent for too long."""
    async with desk.pool.acquire() as conn:
        await conn.execute("UPDATE processes SET beat_at = now() - interval '1 minute'")
        (successor,) = await work.take(conn, lease.kind, await rows.process(conn))
    return successor

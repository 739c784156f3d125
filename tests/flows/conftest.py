"""The course that each story begins with."""

from collections.abc import AsyncIterator

import asyncpg
import pytest

from tests.flows import course as courses
from tests.flows.course import Course


@pytest.fixture
async def course(pool: "asyncpg.Pool[asyncpg.Record]", dsn: str) -> AsyncIterator[Course]:
    """An organisation with the App installed and one service."""
    async with courses.course(pool, dsn) as begun:
        yield begun


@pytest.fixture
async def pair(pool: "asyncpg.Pool[asyncpg.Record]", dsn: str) -> AsyncIterator[Course]:
    """The same with two services on one database."""
    async with courses.course(pool, dsn, services=2) as begun:
        yield begun

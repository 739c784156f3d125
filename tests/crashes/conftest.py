"""The course that is played on, with a service of the test's own process beside those that are killed."""

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

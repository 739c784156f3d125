"""A course that begins at once: its database is a copy of one in which a project was drafted by the front door."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import count

from aiohttp import ClientSession

from bot.service import Ground
from bot.store.pool import open_connection, open_pool
from sandbox.repository import Repository
from sandbox.user import User
from tests.conftest import database
from tests.flows import course as courses
from tests.flows.course import Course

LOGINS = ("amy", "bo")
DEADLINE = "2026-12-01 23:59"
DRAFTED = "machine_drafted"
USED_IDS = 200
"""More than the objects that GitHub numbered while the project was drafted: none of them may come again."""

_NUMBERS = count(1)

Students = dict[str, tuple[User, Repository]]


async def draft(server: str) -> None:
    """Make the database that all others are copies of, unless an earlier test of this worker has."""
    async with open_connection(server) as admin:
        if await admin.fetchval("SELECT EXISTS (SELECT FROM pg_database WHERE datname = $1)", DRAFTED):
            return
        await admin.execute(f"CREATE DATABASE {DRAFTED} TEMPLATE migrated")
        dsn = database(server, DRAFTED)
        async with open_pool(dsn) as pool, courses.course(pool, dsn) as course:
            _enter(course)
            await course.begin()
            created = f"/project create lab1 --deadline {DEADLINE} --repos lab1-*"
            assert "is drafted" in await course.write(course.teacher, created)
            # What begins on a copy, minutes later, ends no outage.
            await course.rows("DELETE FROM pulses")
        await admin.execute(f"ALTER DATABASE {DRAFTED} ALLOW_CONNECTIONS false")


@asynccontextmanager
async def drafted(server: str, services: int) -> AsyncIterator[tuple[Course, Ground, Students]]:
    """A course with a drafted project, on a copy of that database and a GitHub built in the same order."""
    name = f"machine_{next(_NUMBERS)}"
    dsn = database(server, name)
    async with open_connection(server) as admin:
        await admin.execute(f"CREATE DATABASE {name} TEMPLATE {DRAFTED}")
        try:
            async with (
                open_pool(dsn) as pool,
                ClientSession() as session,
                courses.course(pool, dsn, services) as course,
            ):
                course.world.hook.drop("repository", len(LOGINS))
                students = _enter(course)
                for _ in range(USED_IDS):
                    course.world.ids.large()
                yield course, Ground(dsn, pool, session), students
        finally:
            await admin.execute(f"DROP DATABASE {name} WITH (FORCE)")


def _enter(course: Course) -> Students:
    return {f"lab1-{login}": course.student(login) for login in LOGINS}

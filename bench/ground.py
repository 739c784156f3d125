"""Courses of any size, written straight into a database of their own."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from uuid import UUID, uuid4

import asyncpg

from bot.store import clock, migrations
from bot.store.pool import open_connection, open_pool

ACCOUNT = 5
DEADLINE = datetime(2026, 12, 1, 22, 59, tzinfo=UTC)
GRACE = timedelta(minutes=30)
BEFORE, OVER = DEADLINE - timedelta(days=1), DEADLINE + GRACE
WORKFLOW = ".github/workflows/grading.yml"
PUSHES = 60
"""What a busy student leaves in a repository."""

COURSE = """
INSERT INTO courses (account_id, repository_id, timezone, mode, staff_team_id, staff_team, created_at)
VALUES ($1, 1, 'Europe/Zurich', 'active', 1, 'teachers', $2) RETURNING id
"""
PROJECT = """
INSERT INTO projects (account_id, course_id, issue_number, slug, state, deadline_at, deadline_wall, deadline_zone,
    grace_seconds, repository_glob, workflow, created_at)
VALUES ($1, $2, 1, 'lab1', 'open', $3, '2026-12-01T23:59:00', 'Europe/Zurich', $4, 'lab1-*', $5, $3) RETURNING id
"""
REPOSITORIES = """
INSERT INTO repositories (account_id, id, name, default_branch, private)
SELECT $1, 1000 + n, 'lab1-' || n, 'main', true FROM generate_series(1, $2) AS n
"""
PARTS = """
INSERT INTO enrolments (account_id, project_id, repository_id, enrolled_at, holding)
SELECT account_id, $2, id, $3, true FROM repositories WHERE account_id = $1
"""
# Read for good: no freeze waits for a call that nobody makes here.
ACTIVITIES = """
INSERT INTO activities (account_id, repository_id, read_at) SELECT account_id, id, 'infinity' FROM repositories
ON CONFLICT DO NOTHING
"""
RECEIPTS = """
INSERT INTO receipts (account_id, repository_id, ref, head_sha, before_sha, forced, arrived_at, pusher, guid)
SELECT account_id, id, 'refs/heads/main', md5(id || ' ' || n) || '00000000',
    md5(id || ' ' || n - 1) || '00000000', false, $1::timestamptz - n * interval '1 hour', 'student', gen_random_uuid()
FROM repositories, generate_series(1, $2::integer) AS n
"""
RUNS = """
INSERT INTO runs (account_id, repository_id, run_id, attempt, check_suite_id, workflow, event, head_branch, head_sha,
    status, created_at, completed_at, points, max_points, score_status)
SELECT account_id, repository_id, row_number() OVER (), 1, 1, $1, 'push', 'main', head_sha, 'completed', arrived_at,
    arrived_at + interval '2 minutes', 4, 6, 'ok'
FROM receipts
"""
OUTAGES = """
INSERT INTO outages (part, began_at, ended_at, looked_at, recovered_at)
SELECT 'intake', $1::timestamptz - n * interval '3 hours', $1::timestamptz - n * interval '3 hours' + interval '1 hour',
    $1, $1 FROM generate_series(1, $2) AS n
"""
TOUCHED = """
INSERT INTO outage_repositories (account_id, outage_id, project_id, repository_id, effective_at, found, in_time)
SELECT e.account_id, o.id, e.project_id, e.repository_id, $1, 3, 2 FROM outages o, enrolments e
"""


@dataclass(frozen=True, slots=True)
class Ground:
    """A migrated database, a living process in it, and where it is."""

    dsn: str
    pool: "asyncpg.Pool[asyncpg.Record]"
    holder: UUID


@asynccontextmanager
async def ground(server: str) -> AsyncIterator[Ground]:
    """An empty one, on the server whose database `postgres` is at that address."""
    name = f"bench_{uuid4().hex}"
    async with open_connection(server) as admin:
        await admin.execute(f"CREATE DATABASE {name}")
        dsn = server.replace("/postgres?", f"/{name}?")
        await migrations.migrate(dsn)
        async with open_pool(dsn, size=3) as pool:
            holder = uuid4()
            await pool.execute("INSERT INTO processes (id, role) VALUES ($1, 'all')", holder)
            yield Ground(dsn, pool, holder)
        await admin.execute(f"DROP DATABASE {name}")


async def fill(on: Ground, repositories: int, pushes: int) -> None:
    """One open project the day before its deadline: so many repositories, each with so many pushes, one run a push."""
    async with on.pool.acquire() as conn, conn.transaction():
        await clock.stand(conn, BEFORE)
        await conn.execute(
            "INSERT INTO installations (account_id, installation_id, login, state) VALUES ($1, 1, 'prog1', 'active')",
            ACCOUNT,
        )
        course_id = await conn.fetchval(COURSE, ACCOUNT, BEFORE)
        project_id = await conn.fetchval(PROJECT, ACCOUNT, course_id, DEADLINE, int(GRACE.total_seconds()), WORKFLOW)
        await conn.execute(REPOSITORIES, ACCOUNT, repositories)
        await conn.execute(PARTS, ACCOUNT, project_id, BEFORE)
        await conn.execute(ACTIVITIES)
        await conn.execute(RECEIPTS, BEFORE, pushes)
        await conn.execute(RUNS, WORKFLOW)
    await on.pool.execute("VACUUM ANALYZE")


async def suffer(on: Ground, outages: int) -> None:
    """So many outages of this service, each within reach of every repository's deadline."""
    async with on.pool.acquire() as conn, conn.transaction():
        await conn.execute(OUTAGES, BEFORE, outages)
        await conn.execute(TOUCHED, DEADLINE)
    await on.pool.execute("VACUUM ANALYZE")

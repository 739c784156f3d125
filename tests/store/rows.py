"""Rows for the tests of the store and of the rooms above it: each builder asks only for the columns that matter."""

import itertools
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

from bot.store.records import Conn

ACCOUNT = 5
INSTALLATION = 77
DEADLINE = datetime(2026, 12, 1, 22, 59, tzinfo=UTC)
WORKFLOW = ".github/workflows/grading.yml"
MAIN = "refs/heads/main"
TICK = timedelta(microseconds=1)
"""The smallest step of PostgreSQL's time."""

NUMBERS = itertools.count(1000)


async def insert(conn: Conn, table: str, returning: str, **columns: Any) -> Any:
    """One row of `table`, and the value of one of its columns."""
    places = ", ".join(f"${place}" for place in range(1, len(columns) + 1))
    statement = f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({places}) RETURNING {returning}"
    return await conn.fetchval(statement, *columns.values())


async def process(conn: Conn) -> UUID:
    """A process that lives."""
    living: UUID = await insert(conn, "processes", "id", id=uuid4(), role="all")
    return living


async def installation(conn: Conn, number: int = INSTALLATION, **columns: Any) -> int:
    """An active installation of the account."""
    row = {"account_id": ACCOUNT, "installation_id": number, "login": "prog1", "state": "active"}
    await insert(conn, "installations", "login", **(row | columns))
    return number


async def course(conn: Conn, mode: str = "active", repository_id: int | None = None) -> int:
    """A course; its staff repository is nobody else's."""
    course_id: int = await insert(
        conn,
        "courses",
        "id",
        account_id=ACCOUNT,
        repository_id=repository_id or next(NUMBERS),
        timezone="Europe/Zurich",
        mode=mode,
        staff_team_id=1,
        staff_team="teachers",
        created_at=DEADLINE,
    )
    return course_id


async def project(conn: Conn, course_id: int | None = None, **columns: Any) -> int:
    """An open project without grace, of a course of its own unless one is named."""
    number = next(NUMBERS)
    row: dict[str, Any] = {
        "account_id": ACCOUNT,
        "course_id": course_id or await course(conn),
        "issue_number": number,
        "slug": f"lab{number}",
        "state": "open",
        "deadline_at": DEADLINE,
        "deadline_wall": "2026-12-01T23:59:00",
        "deadline_zone": "Europe/Zurich",
        "grace_seconds": 0,
        "repository_glob": "lab1-*",
        "workflow": WORKFLOW,
        "created_at": DEADLINE,
    }
    project_id: int = await insert(conn, "projects", "id", **(row | columns))
    return project_id


async def repository(conn: Conn, **columns: Any) -> int:
    """A private repository with the default branch `main`."""
    number = next(NUMBERS)
    row: dict[str, Any] = {
        "account_id": ACCOUNT,
        "id": number,
        "name": f"lab1-{number}",
        "default_branch": "main",
        "private": True,
    }
    repository_id: int = await insert(conn, "repositories", "id", **(row | columns))
    return repository_id


async def enrolment(conn: Conn, project_id: int, repository_id: int | None = None, **columns: Any) -> int:
    """A repository's part in a project, held by it if it is open, its activity read for good; the repository's id."""
    repository_id = repository_id or await repository(conn)
    state = await conn.fetchval("SELECT state FROM projects WHERE id = $1", project_id)
    row: dict[str, Any] = {
        "account_id": ACCOUNT,
        "project_id": project_id,
        "repository_id": repository_id,
        "enrolled_at": DEADLINE,
        "holding": state == "open",
    }
    await insert(conn, "enrolments", "repository_id", **(row | columns))
    await conn.execute(
        "INSERT INTO activities (account_id, repository_id, read_at) VALUES ($1, $2, 'infinity')"
        " ON CONFLICT DO NOTHING",
        ACCOUNT,
        repository_id,
    )
    return repository_id


async def receipt(conn: Conn, repository_id: int, sha: str, arrived_at: datetime, **columns: Any) -> str:
    """A student's push to `main`, known by its arrival alone; the sha that was pushed."""
    row: dict[str, Any] = {
        "account_id": ACCOUNT,
        "repository_id": repository_id,
        "ref": MAIN,
        "head_sha": sha,
        "before_sha": "0" * 40,
        "forced": False,
        "arrived_at": arrived_at,
        "pusher": "student",
        "guid": uuid4(),
    }
    pushed: str = await insert(conn, "receipts", "head_sha", **(row | columns))
    return pushed


async def run(conn: Conn, repository_id: int, sha: str, completed_at: datetime, **columns: Any) -> int:
    """A completed first attempt of the grading workflow on `main`, read, with a score; our own id of it."""
    row: dict[str, Any] = {
        "account_id": ACCOUNT,
        "repository_id": repository_id,
        "run_id": next(NUMBERS),
        "attempt": 1,
        "check_suite_id": 1,
        "workflow": WORKFLOW,
        "event": "push",
        "head_branch": "main",
        "head_sha": sha,
        "status": "completed",
        "created_at": completed_at,
        "completed_at": completed_at,
        "points": 4,
        "max_points": 6,
        "score_status": "ok",
    }
    number: int = await insert(conn, "runs", "id", **(row | columns))
    return number


async def delivery(conn: Conn, received_at: datetime, **columns: Any) -> UUID:
    """A delivery that nobody has understood yet."""
    row: dict[str, Any] = {"account_id": ACCOUNT, "guid": uuid4(), "event": "push", "received_at": received_at}
    guid: UUID = await insert(conn, "deliveries", "guid", **(row | columns))
    return guid

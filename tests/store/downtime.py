"""Rows for the tests of our own outages: parts that fell silent, and what the recovery reads."""

from datetime import datetime, timedelta
from typing import Any

from bot.store.records import Conn

from . import rows
from .rows import ACCOUNT, DEADLINE

MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)
GRACE = timedelta(minutes=30)
OVER = DEADLINE + GRACE


async def silent_for(conn: Conn, length: timedelta, *parts: str) -> None:
    """Nobody has beaten for these parts (or any) for so long."""
    for part in parts or ("intake", "work"):
        await conn.execute(
            "INSERT INTO pulses VALUES ($1, clock_timestamp() - $2::interval)"
            " ON CONFLICT (part) DO UPDATE SET beat_at = excluded.beat_at",
            part,
            length,
        )


async def outage(conn: Conn, began_at: datetime, ended_at: datetime, part: str = "intake", **columns: Any) -> int:
    number: int = await rows.insert(conn, "outages", "id", part=part, began_at=began_at, ended_at=ended_at, **columns)
    return number


async def applied(conn: Conn, **columns: Any) -> int:
    """A repository whose deadline was applied, whose activity was read, with half an hour of grace."""
    project_id = await rows.project(conn, state="closed", grace_seconds=int(GRACE.total_seconds()))
    repository = await rows.enrolment(conn, project_id, deadline_applied_at=DEADLINE, **columns)
    await read_activity(conn, repository, DEADLINE + 2 * MINUTE)
    return repository


async def read_activity(conn: Conn, repository: int, at: datetime) -> None:
    """GitHub's activity was read as of then."""
    await conn.execute(
        "INSERT INTO activities (account_id, repository_id, read_at) VALUES ($1, $2, $3)"
        " ON CONFLICT (account_id, repository_id) DO UPDATE SET due_at = NULL, read_at = $3",
        ACCOUNT,
        repository,
        at,
    )


async def read_log(conn: Conn, at: datetime) -> None:
    """The log of deliveries was read as of then."""
    await conn.execute("UPDATE delivery_logs SET due_at = NULL, read_at = $1", at)

"""Housekeeping: what it is, when it ran and how it ended (docs/design.md section 9)."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from bot.store import queries
from bot.store.records import Conn, many

Q = queries.load("scheduled_tasks")


@dataclass(frozen=True, slots=True)
class ScheduledTask:
    """One row; `started_at` and `finished_at` are course time."""

    name: str
    period: timedelta
    enabled: bool
    started_at: datetime | None
    finished_at: datetime | None
    outcome: str | None


async def due(conn: Conn, now: datetime) -> set[str]:
    """The names of what is due at course time `now`; each is still to be claimed."""
    return {row["name"] for row in await conn.fetch(Q["due"], now)}


async def claim(conn: Conn, name: str, now: datetime) -> bool:
    """Begin it, if its period is over, it is not paused and no other process has begun it."""
    return await conn.fetchval(Q["claim"], name, now) is not None


async def finish(conn: Conn, name: str, now: datetime, outcome: str) -> None:
    """Write how it ended."""
    await conn.execute(Q["finish"], name, now, outcome)


async def all_of_them(conn: Conn) -> list[ScheduledTask]:
    """Each piece of housekeeping by name."""
    return many(ScheduledTask, await conn.fetch(Q["all"]))


async def purge_deliveries(conn: Conn, before: datetime, at_most: int) -> int:
    """Drop the bodies of deliveries received before then and understood; how many."""
    return _count(await conn.execute(Q["purge_deliveries"], before, at_most))


async def forget_processes(conn: Conn, mine: UUID) -> int:
    """Drop the rows of processes that were silent for a day (real time), but for this one; how many."""
    return _count(await conn.execute(Q["forget_processes"], mine))


async def read_installations(conn: Conn) -> int:
    """Have every installation read again; how many."""
    return _count(await conn.execute(Q["read_installations"]))


async def forget_confirmations(conn: Conn) -> int:
    """Codes that nobody can use any more."""
    return _count(await conn.execute(Q["forget_confirmations"]))


async def forget_board_news(conn: Conn) -> int:
    """Drop the news of control issues that were given up; how many."""
    return _count(await conn.execute(Q["forget_board_news"]))


async def forget_outages(conn: Conn, before: datetime) -> int:
    """Drop outages that ended before then (course time); how many."""
    count: int = await conn.fetchval(Q["forget_outages"], before)
    return count


def _count(command_tag: str) -> int:
    """The rows that a statement touched, by the tag that PostgreSQL answers: `UPDATE 3`."""
    return int(command_tag.split()[-1])

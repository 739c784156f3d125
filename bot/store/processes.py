"""The processes that share the database, by their heartbeats (docs/design.md section 5)."""

from datetime import datetime
from uuid import UUID

from bot.rules.skew import ProcessStanding
from bot.store import queries
from bot.store.records import Conn, many

Q = queries.load("processes")


async def begin(conn: Conn, process_id: UUID, role: str) -> None:
    """Say that this process lives, before it takes any lease."""
    await conn.execute(Q["begin"], process_id, role)
    await conn.execute(Q["forget"], process_id)


async def beat(conn: Conn, process_id: UUID, ours: datetime, github: datetime | None) -> ProcessStanding | None:
    """Say it again, with the time (UTC) on the process's clock and on GitHub's if that is known.

    After 30 s of silence others may take over what this process holds. How far the clocks lie apart; None if it was
    forgotten.
    """
    row = await conn.fetchrow(Q["beat"], process_id, ours, github)
    return None if row is None else ProcessStanding(row["role"], row["clock_skew"], row["github_skew"])


async def alive(conn: Conn) -> list[ProcessStanding]:
    """The living processes and their clocks."""
    return many(ProcessStanding, await conn.fetch(Q["alive"]))


async def stop(conn: Conn, process_id: UUID) -> None:
    """End on purpose: what this process still holds is free at once."""
    await conn.execute(Q["stop"], process_id)

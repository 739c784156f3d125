"""The one clock (docs/design.md section 3): course time and real time, both the database's."""

from datetime import datetime

from bot.store import queries
from bot.store.records import Conn

Q = queries.load("clock")


async def now(conn: Conn) -> datetime:
    """Course time in UTC, read once per unit of work and passed down."""
    instant: datetime = await conn.fetchval(Q["now"])
    return instant


async def real_now(conn: Conn) -> datetime:
    """Real time in UTC, for comparing clocks."""
    instant: datetime = await conn.fetchval(Q["real_now"])
    return instant


async def is_moved(conn: Conn) -> bool:
    """Whether course time was shifted or stopped: allowed only against a GitHub on this machine."""
    return bool(await conn.fetchval(Q["is_moved"]))


async def shift(conn: Conn, instant: datetime) -> None:
    """Let course time run on from `instant`, for the sandbox and the tests."""
    await conn.execute(Q["shift"], instant)


async def stand(conn: Conn, instant: datetime) -> None:
    """Stop course time at `instant`, for the tests."""
    await conn.execute(Q["stand"], instant)

"""How far the App's log of deliveries was read, and what of it we know (docs/design.md section 3)."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from bot.rules.delivery_logs import Logged
from bot.store import leases, queries
from bot.store.leases import Lease
from bot.store.receipts import Push, Source
from bot.store.records import Conn, many, one

Q = queries.load("delivery_logs")


@dataclass(frozen=True, slots=True)
class Reading:
    """One reading: course time when it began, the mark it answers to, and how far back it lists (None: to the end)."""

    began_at: datetime
    due_at: datetime | None
    back_to: datetime | None


@dataclass(frozen=True, slots=True)
class Earlier:
    """A push that is known, and the earlier time of its first attempt (UTC)."""

    account_id: int
    repository_id: int
    guid: UUID
    first_at: datetime


async def due(conn: Conn) -> int:
    """Have the log read; 0 where a reading was put off, which is then still to come."""
    return len(await conn.fetch(Q["due"]))


async def claim(conn: Conn, holder: UUID, lease_seconds: int, limit: int) -> list[Lease]:
    """Take the log if it is due."""
    return leases.taken("delivery_logs", holder, await conn.fetch(Q["claim"], holder, lease_seconds, limit))


async def begin(conn: Conn, lease: Lease) -> Reading:
    """Where a reading begins, to be asked before anything is listed."""
    reading = one(Reading, await conn.fetchrow(Q["begin"], lease.account_id, lease.key))
    assert reading is not None, "a lease is one of a row"
    return reading


async def news(conn: Conn, guids: Sequence[str]) -> set[str]:
    """Those that were never stored, and whose redelivery was not asked for either."""
    return {row["it"] for row in await conn.fetch(Q["news"], list(guids))}


async def note(conn: Conn, missed: Logged) -> None:
    """Its payload is not to be had: when it was first attempted, for when it comes again."""
    await conn.execute(Q["note"], missed.guid, missed.first_at)


async def asked(conn: Conn, missed: Logged) -> None:
    """Its redelivery was asked for."""
    await conn.execute(Q["asked"], missed.guid)


async def earlier(conn: Conn, logged: Sequence[Logged]) -> list[Earlier]:
    """Pushes that are known, of which the log tells an earlier time than what stands."""
    guids, firsts = [it.guid for it in logged], [it.first_at for it in logged]
    return many(Earlier, await conn.fetch(Q["earlier"], guids, firsts))


async def heard_by(conn: Conn, push: Earlier) -> list[tuple[Source, Push]]:
    """What is known of a push by its delivery, with the time that the log adds.

    A delivery that nobody has understood yet takes the time along instead.
    """
    await conn.execute(Q["date"], push.account_id, push.guid, push.first_at)
    rows = await conn.fetch(Q["heard_by"], push.account_id, push.repository_id, push.guid)
    where = (push.account_id, push.repository_id)
    return [
        (
            Source(*where, row["arrived_at"], push.guid, push.first_at, row["activity_at"], row["activity_id"]),
            Push(
                row["ref"],
                row["head_sha"],
                row["before_sha"],
                row["forced"],
                row["claimed_at"],
                row["sender_id"],
                row["sender_login"],
                row["sender_type"],
            ),
        )
        for row in rows
    ]


async def progress(conn: Conn, lease: Lease, words: str) -> None:
    """What a reading under way has found."""
    await conn.execute(Q["progress"], lease.account_id, lease.key, words)


async def finish(conn: Conn, lease: Lease, reading: Reading, read_up_to: datetime | None, outcome: str) -> None:
    """It was read up to GitHub's time of the newest attempt; due again only if that was asked for meanwhile."""
    values = (reading.began_at, read_up_to, outcome, reading.due_at)
    await conn.execute(Q["finish"], lease.account_id, lease.key, *values)

"""The inbox: what GitHub delivered, stored before it is understood (docs/design.md section 2)."""

import zlib
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from bot.store import queries
from bot.store.receipts import Push
from bot.store.records import Conn, one

Q = queries.load("deliveries")


@dataclass(frozen=True, slots=True)
class Arrival:
    """A delivery as it came in, or as the log has it; `push` is set for a push to a branch that leaves a head.

    `logged_at` is the time of its first attempt by GitHub's log (UTC), where that was asked.
    """

    account_id: int
    guid: UUID
    event: str
    action: str | None
    installation_id: int | None
    repository_id: int | None
    body: bytes
    push: Push | None
    logged_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Delivery:
    """A delivery to be understood; `body` is the raw body GitHub signed."""

    account_id: int
    guid: UUID
    event: str
    action: str | None
    installation_id: int | None
    repository_id: int | None
    received_at: datetime
    logged_at: datetime | None
    body: bytes
    attempts: int


async def record(conn: Conn, arrival: Arrival, held_seconds: float) -> bool:
    """Store a delivery and its receipt in one statement; False if its GUID is known.

    `held_seconds` is how long this process has had the request: the arrival is that much before now.
    """
    push = arrival.push
    sender = (push.sender_id, push.sender_login, push.sender_type) if push else (None, None, None)
    guid = await conn.fetchval(
        Q["record"],
        arrival.account_id,
        arrival.guid,
        arrival.event,
        arrival.action,
        arrival.installation_id,
        arrival.repository_id,
        zlib.compress(arrival.body, 1),
        push.ref if push else None,
        push.head_sha if push else None,
        push.before_sha if push else None,
        held_seconds,
        push.forced if push else None,
        push.pushed_at if push else None,
        *sender,
        arrival.logged_at,
    )
    return guid is not None


async def next_due(conn: Conn) -> Delivery | None:
    """The oldest delivery that is due, held by its row lock until the transaction ends."""
    delivery = one(Delivery, await conn.fetchrow(Q["next"]))
    if delivery is None:
        return None
    unpacked = {name: getattr(delivery, name) for name in delivery.__slots__}
    return Delivery(**(unpacked | {"body": zlib.decompress(delivery.body)}))


async def handled(conn: Conn, delivery: Delivery, outcome: str) -> None:
    """It is understood, or there is nothing to understand; the row stays, so that its GUID is known for ever."""
    await conn.execute(Q["handled"], delivery.account_id, delivery.guid, outcome)


async def postpone(conn: Conn, delivery: Delivery, after_seconds: float, reason: str) -> None:
    """A handler could not finish: the delivery is due again after `after_seconds` (real time)."""
    await conn.execute(Q["postpone"], delivery.account_id, delivery.guid, after_seconds, reason)


async def wake(conn: Conn, account_id: int, installation_id: int) -> None:
    """What waited for this installation to be looked up is due now."""
    await conn.execute(Q["wake"], account_id, installation_id)


async def waiting(conn: Conn) -> int:
    """How many deliveries have not been understood yet."""
    count: int = await conn.fetchval(Q["waiting"])
    return count

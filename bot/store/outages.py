"""Our own outages: the heartbeat that ends one writes it, the tick looks at it, GitHub's records end its recovery."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from bot.store import activities, delivery_logs, queries
from bot.store.records import Conn, one

Q = queries.load("outages")


@dataclass(frozen=True, slots=True)
class Outage:
    """No process took webhooks in (`intake`), or none worked (`work`), from `began_at` to `ended_at` (course time)."""

    part: Literal["intake", "work"]
    began_at: datetime
    ended_at: datetime
    recovered_at: datetime | None = None


async def look(conn: Conn, now: datetime) -> list[Outage]:
    """Have GitHub's records read for each new outage, and write whose deadline it touched; which outages these are."""
    rows = await conn.fetch(Q["claim"], now)
    if not rows:
        return []
    ids = [row["id"] for row in rows]
    await conn.execute(Q["affect"], ids)
    await delivery_logs.due(conn)
    for row in await conn.fetch(Q["to_ask"], ids):
        await activities.due(conn, row["account_id"], row["repository_ids"])
    return [Outage(row["part"], row["began_at"], row["ended_at"]) for row in rows]


async def recover(conn: Conn, now: datetime) -> int:
    """Say of which outages all is known that GitHub's records can tell, and what that was; how many."""
    ids = [row["id"] for row in await conn.fetch(Q["recover"], now)]
    if ids:
        await conn.execute(Q["count_found"], ids)
    return len(ids)


async def latest(conn: Conn, since: datetime) -> Outage | None:
    """The latest outage that ended since then."""
    return one(Outage, await conn.fetchrow(Q["latest"], since))


async def returned(conn: Conn, account_id: int) -> None:
    """The App is back in an organisation: of what was pushed meanwhile GitHub told nothing, not even to its log."""
    rows = await conn.fetch(Q["working"], account_id)
    await activities.due(conn, account_id, [row["repository_id"] for row in rows])

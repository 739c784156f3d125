"""The staff's hand on a repository: locked or left open whatever its deadline says (docs/design.md section 4)."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from bot.rules.inverses import Hand
from bot.store import queries
from bot.store.records import Conn

Q = queries.load("hands")


async def set_hand(
    conn: Conn, account_id: int, repository_ids: Sequence[int], lock: bool, until: datetime | None
) -> dict[int, bool | None]:
    """Lock or unlock by hand; by repository what is stored: None where the deadline alone holds the same."""
    rows = await conn.fetch(Q["set"], account_id, list(repository_ids), lock, until)
    return {row["id"]: row["staff_lock"] for row in rows}


async def restore(conn: Conn, account_id: int, hands: Mapping[int, Hand]) -> None:
    """Store the hands as they were before a change; None where the deadline alone holds the same by now."""
    values = ([hand.lock for hand in hands.values()], [hand.until for hand in hands.values()])
    await conn.execute(Q["restore"], account_id, list(hands), *values)


async def drop(conn: Conn, account_id: int, moved: Sequence[int], reopened: Sequence[int]) -> list[int]:
    """The deadlines of `moved` moved: unlocks end, and on those `reopened` locks by hand too; whose hand ended."""
    return [row["id"] for row in await conn.fetch(Q["drop"], account_id, list(moved), list(reopened))]


async def end_due(conn: Conn, now: datetime) -> list[tuple[int, int]]:
    """End the unlocks whose time has come; (account, repository) of each."""
    return [(row["account_id"], row["id"]) for row in await conn.fetch(Q["end_due"], now)]


async def drop_unclaimed(conn: Conn, account_id: int, repository_ids: Sequence[int]) -> None:
    """Forget the hand on those of the repositories that take part in nothing any more."""
    await conn.execute(Q["drop_unclaimed"], account_id, list(repository_ids))

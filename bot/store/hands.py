"""The staff's hand on a repository: locked or left open whatever its deadline says (docs/design.md section 4)."""

from collections.abc import Sequence
from datetime import datetime

import asyncpg

from bot.rules.inverses import Hand, HandMove
from bot.store import queries
from bot.store.records import Conn

Q = queries.load("hands")


async def set_hand(
    conn: Conn, account_id: int, repository_ids: Sequence[int], lock: bool, until: datetime | None
) -> dict[int, bool | None]:
    """Lock or unlock by hand; by repository what is stored: None where the deadline alone holds the same."""
    rows = await conn.fetch(Q["set"], account_id, list(repository_ids), lock, until)
    return {row["id"]: row["staff_lock"] for row in rows}


async def restore(conn: Conn, account_id: int, moves: Sequence[HandMove], now: datetime) -> dict[int, Hand]:
    """Take moves of hands back where they are still as left; by repository what is stored now.

    That is none where the time of a hand has come, or where the deadlines hold the same by now.
    """
    before, left = [move.before for move in moves], [move.left for move in moves]
    hands = [[getattr(hand, name) for hand in side] for side in (before, left) for name in ("lock", "until")]
    rows = await conn.fetch(Q["restore"], account_id, [move.repository_id for move in moves], *hands, now)
    return {row["id"]: Hand(row["staff_lock"], row["staff_lock_until"]) for row in rows}


async def drop(conn: Conn, account_id: int, moved: Sequence[int], reopened: Sequence[int]) -> list[HandMove]:
    """The deadlines of `moved` moved: unlocks end, and on those `reopened` locks by hand too; the hands that ended."""
    rows = await conn.fetch(Q["drop"], account_id, list(moved), list(reopened))
    return _ended(rows)


async def end_due(conn: Conn, now: datetime) -> list[tuple[int, int]]:
    """End the unlocks whose time has come; (account, repository) of each."""
    return [(row["account_id"], row["id"]) for row in await conn.fetch(Q["end_due"], now)]


async def drop_unclaimed(conn: Conn, account_id: int, repository_ids: Sequence[int]) -> list[HandMove]:
    """Forget the hand on those of the repositories that take part in nothing any more; what was forgotten."""
    rows = await conn.fetch(Q["drop_unclaimed"], account_id, list(repository_ids))
    return _ended(rows)


def _ended(rows: Sequence[asyncpg.Record]) -> list[HandMove]:
    hands = {row["id"]: Hand(row["staff_lock"], row["staff_lock_until"]) for row in rows}
    return [HandMove(key, left=Hand(None), before=hands[key]) for key in sorted(hands)]

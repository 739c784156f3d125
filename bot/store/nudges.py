"""Nudges: words to the staff, claimed by their own column, that never change a state (docs/design.md section 8)."""

from datetime import datetime

from bot.store import queries
from bot.store.records import Conn

Q = queries.load("nudges")


async def claim_drafts(conn: Conn, now: datetime) -> list[tuple[int, int, int]]:
    """(account, project, staff repository) of drafts that their deadline overtakes or overtook, each once."""
    rows = await conn.fetch(Q["claim_drafts"], now)
    return [(row["account_id"], row["id"], row["repository_id"]) for row in rows]

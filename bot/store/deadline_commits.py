"""The marks of deadlines: each recorded before its branch moves, one for each branch and round (section 4)."""

from datetime import datetime

from bot.rules.deadline_commits import Mark
from bot.store import queries
from bot.store.records import Conn, one

Q = queries.load("deadline_commits")

PUSHED, MISSING = "pushed", "missing"


async def branches(conn: Conn, account_id: int, project_id: int, repository_id: int) -> list[str]:
    """The tracked branches of a repository on which the mark is not settled."""
    return [row["branch"] for row in await conn.fetch(Q["branches"], account_id, project_id, repository_id)]


async def mark(conn: Conn, account_id: int, project_id: int, repository_id: int, branch: str) -> Mark | None:
    """The mark of one branch as it stands now; None where it is settled or no longer due."""
    return one(Mark, await conn.fetchrow(Q["mark"], account_id, project_id, repository_id, branch))


async def record(conn: Conn, made: Mark, now: datetime) -> bool:
    """Write the commit that was made, in the caller's transaction, before its branch moves; False if it is not due.

    The repository is read again under its row lock, so that a reopen just before is seen and one just after waits.
    """
    key = (made.account_id, made.project_id, made.repository_id)
    if not await conn.fetchval(Q["still_due"], *key, made.round):
        return False
    await conn.execute(Q["record"], *key, made.branch, made.round, made.sha, made.parent_sha, now)
    return True


async def settle(conn: Conn, settled: Mark, outcome: str, now: datetime) -> bool:
    """The branch carries the mark (`PUSHED`), or is not there (`MISSING`); False if that was known."""
    key = (settled.account_id, settled.project_id, settled.repository_id, settled.branch, settled.round)
    return bool(await conn.fetch(Q["settle"], *key, outcome, now))


async def refuse(conn: Conn, refused: Mark, reason: str) -> bool:
    """GitHub would not let the branch move: tried again later each time; True if the reason is news."""
    key = (refused.account_id, refused.project_id, refused.repository_id, refused.branch, refused.round)
    return bool(await conn.fetchval(Q["refuse"], *key, reason))


async def finish(conn: Conn, account_id: int, project_id: int, repository_id: int, now: datetime) -> None:
    """Write that all branches are settled, if they are."""
    await conn.execute(Q["finish"], account_id, project_id, repository_id, now)

"""How far GitHub's own list of pushes has been read, repository by repository (docs/design.md section 3)."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from bot.rules.evidence import ASKED_ENOUGH
from bot.store import leases, queries
from bot.store.leases import Lease
from bot.store.receipts import Heard
from bot.store.records import Conn, many, one

Q = queries.load("activities")


@dataclass(frozen=True, slots=True)
class Since:
    """Where a reading goes on: course time when the last one began, the ids of known entries, the students' ids.

    `attempts`: how often it was tried in vain now; `refused`: GitHub has refused it for good before.
    """

    read_at: datetime | None
    attempts: int
    refused: bool
    default_branch: str
    known: list[int]
    students: list[int]


@dataclass(frozen=True, slots=True)
class Question:
    """Did the commit `sha` come with this head of this branch?"""

    sha: str
    ref: str
    head_sha: str


async def due(conn: Conn, account_id: int, repository_ids: Sequence[int]) -> None:
    """Have the activity of these repositories read."""
    await conn.execute(Q["due"], account_id, list(repository_ids))


async def due_where_asked(conn: Conn, account_id: int, repository_ids: Sequence[int]) -> None:
    """Have it read where a verdict hangs on it, or something of a branch's past is missing."""
    await conn.execute(Q["due_where_asked"], account_id, list(repository_ids))


async def due_of_deadlines(conn: Conn, now: datetime) -> None:
    """Have it read once after each deadline: the freeze waits for that."""
    await conn.execute(Q["due_of_deadlines"], now)


async def claim(conn: Conn, holder: UUID, lease_seconds: int, limit: int) -> list[Lease]:
    """Take up to `limit` repositories whose activity is due."""
    return leases.taken("activities", holder, await conn.fetch(Q["claim"], holder, lease_seconds, limit))


async def since(conn: Conn, account_id: int, repository_id: int) -> Since | None:
    """Where the reading of a repository goes on."""
    return one(Since, await conn.fetchrow(Q["since"], account_id, repository_id))


async def asked(
    conn: Conn, account_id: int, repository_id: int, at: datetime, times: int = 1
) -> list[tuple[str, Heard]]:
    """Count that pushes known before `at` (course time) were not listed; those that are settled by that, by head.

    `times`: what GitHub never lists was asked about often enough at once.
    """
    rows = await conn.fetch(Q["asked"], account_id, repository_id, at, times)
    settled = [row for row in rows if row["asked"] >= ASKED_ENOUGH]
    return [
        (row["head_sha"], Heard("known" if row["was"] == row["becomes"] else "earlier", row["was"], row["becomes"]))
        for row in settled
    ]


async def to_compare(conn: Conn, account_id: int, repository_id: int, limit: int) -> list[Question]:
    """At most `limit` pairs of commits of which GitHub can say whether the one came with the other."""
    return many(Question, await conn.fetch(Q["to_compare"], account_id, repository_id, limit))


async def read(conn: Conn, lease: Lease, at: datetime, refused: str | None, again_seconds: float) -> None:
    """It was read as of `at` (course time), or GitHub refuses it; what is open is asked again in `again_seconds`."""
    await conn.execute(Q["read"], lease.account_id, lease.key, at, refused, again_seconds)

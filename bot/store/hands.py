"""The staff's hand on a repository: locked or left open whatever its deadline says (docs/design.md section 4)."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

import asyncpg

from bot.model import Project
from bot.rules.inverses import Hand, HandMove
from bot.store import queries
from bot.store.records import Conn

Q = queries.load("hands")


@dataclass(frozen=True, slots=True)
class Laid:
    """A hand that was laid; `closes` is what the deadlines alone hold there, None where no rule speaks."""

    move: HandMove
    closes: bool | None


async def set_hand(
    conn: Conn, account_id: int, repository_ids: Sequence[int], lock: bool, until: datetime | None, now: datetime
) -> dict[int, Laid]:
    """Lock or unlock by hand at `now`; nothing is stored where the deadlines alone hold the same, or nothing speaks."""
    await conn.execute(Q["hold"], account_id, list(repository_ids))
    rows = await conn.fetch(Q["set"], account_id, list(repository_ids), lock, until, now)
    return {row["id"]: Laid(_move(row), row["closes"]) for row in rows}


async def restore(conn: Conn, account_id: int, moves: Sequence[HandMove], now: datetime) -> dict[int, Hand]:
    """Take moves of hands back where they are still as left; by repository what is stored now.

    That is none where the time of a hand has come, or where the deadlines hold the same by now.
    """
    columns = [
        [value(hand) for hand in hands]
        for hands in ([move.before for move in moves], [move.left for move in moves])
        for value in (lambda hand: hand.lock, lambda hand: hand.until, _exempt)
    ]
    ids = [move.repository_id for move in moves]
    await conn.execute(Q["hold"], account_id, ids)
    rows = await conn.fetch(Q["restore"], account_id, ids, *columns, now)
    return {row["id"]: _left(row) for row in rows}


async def drop(conn: Conn, project: Project, moved: Sequence[int], reopened: Sequence[int]) -> list[HandMove]:
    """The project's deadlines of `moved` moved: unlocks from them end, on those `reopened` locks too; what changed."""
    rows = await conn.fetch(Q["drop"], project.account_id, list(moved), list(reopened), project.id)
    return _moves(rows)


async def cover(conn: Conn, project: Project, joined: Sequence[int], now: datetime) -> None:
    """These repositories take part in the project now: an unlock is from its deadline too, if that has come already."""
    await conn.execute(Q["cover"], project.account_id, list(joined), project.id, now)


async def end_due(conn: Conn, now: datetime) -> list[tuple[int, int]]:
    """End the unlocks whose time has come; (account, repository) of each."""
    return [(row["account_id"], row["id"]) for row in await conn.fetch(Q["end_due"], now)]


async def drop_withdrawn(conn: Conn, project: Project, repository_ids: Sequence[int]) -> list[HandMove]:
    """End unlocks from a project that these repositories left, and all hands where nobody speaks; what changed."""
    return _moves(await conn.fetch(Q["drop_withdrawn"], project.account_id, list(repository_ids), project.id))


def _moves(rows: Sequence[asyncpg.Record]) -> list[HandMove]:
    return sorted((_move(row) for row in rows), key=lambda move: move.repository_id)


def _move(row: asyncpg.Record) -> HandMove:
    before = Hand(row["lock_before"], row["until_before"], tuple(row["exempt_before"]))
    return HandMove(row["id"], left=_left(row), before=before)


def _left(row: asyncpg.Record) -> Hand:
    return Hand(row["staff_lock"], row["staff_lock_until"], tuple(row["exempt_from"]))


def _exempt(hand: Hand) -> str:
    """As PostgreSQL writes an array: one of arrays would have to be of one length."""
    return "{" + ",".join(map(str, hand.exempt_from)) + "}"

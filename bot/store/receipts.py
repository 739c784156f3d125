"""Receipts: when a commit reached GitHub on one branch (docs/design.md section 3)."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

import asyncpg

from bot.store import queries
from bot.store.records import Conn

Q = queries.load("receipts")


@dataclass(frozen=True, slots=True)
class Push:
    """A push to a branch, as its payload tells it. `pushed_at` is GitHub's own clock; git's dates are never read."""

    ref: str
    head_sha: str
    before_sha: str
    forced: bool
    pushed_at: datetime | None
    sender_id: int | None
    sender_login: str | None
    sender_type: str | None


@dataclass(frozen=True, slots=True)
class Source:
    """Where a push was heard of: the delivery, its repository and its arrival."""

    account_id: int
    repository_id: int
    arrived_at: datetime
    guid: UUID


async def record(conn: Conn, source: Source, push: Push) -> None:
    """The receipt of a push whose installation was looked up after it arrived; one that stands is left as it is."""
    await conn.execute(
        Q["record"],
        source.account_id,
        source.repository_id,
        push.ref,
        push.head_sha,
        push.before_sha,
        push.forced,
        source.arrived_at,
        push.pushed_at,
        push.sender_id,
        push.sender_login,
        push.sender_type,
        source.guid,
    )


async def classify(conn: Conn, account_id: int, repository_ids: Sequence[int], app_login: str) -> None:
    """Say what kind of account pushed, by what is known of students and staff now."""
    await conn.execute(Q["classify"], account_id, list(repository_ids), app_login)


async def latest(conn: Conn, account_id: int, project_id: int) -> dict[int, asyncpg.Record]:
    """By repository, the newest commit that may count."""
    return {row["repository_id"]: row for row in await conn.fetch(Q["latest"], account_id, project_id)}

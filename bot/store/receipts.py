"""Receipts: when a commit reached GitHub on one branch (docs/design.md section 3)."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal
from uuid import UUID

import asyncpg

from bot.store import queries
from bot.store.records import Conn, one

Q = queries.load("receipts")


@dataclass(frozen=True, slots=True)
class Push:
    """A push to a branch, as a witness tells it. `pushed_at` is what the payload claims; git's dates are never read."""

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
    """By what a push was heard of, and when (UTC): its delivery, the first attempt in GitHub's log, the activity."""

    account_id: int
    repository_id: int
    arrived_at: datetime
    guid: UUID | None = None
    logged_at: datetime | None = None
    activity_at: datetime | None = None
    activity_id: int | None = None


@dataclass(frozen=True, slots=True)
class Heard:
    """What a witness added: `was` is when the commit was received as far as was known, `becomes` as it is known now.

    `returned`: the head was there before, and came back to its branch.
    """

    news: Literal["new", "known", "added", "earlier", "returned"]
    was: datetime | None
    becomes: datetime


async def hear(conn: Conn, source: Source, push: Push) -> Heard:
    """A push by one more witness, whichever comes first: the one way in which a receipt gains a time."""
    heard = one(
        Heard,
        await conn.fetchrow(
            Q["hear"],
            source.account_id,
            source.repository_id,
            push.ref,
            push.head_sha,
            push.before_sha,
            push.forced,
            source.arrived_at,
            push.pushed_at,
            source.logged_at,
            source.activity_at,
            push.sender_id,
            push.sender_login,
            push.sender_type,
            source.guid,
            source.activity_id,
        ),
    )
    assert heard is not None, "the function returns one row"
    return heard


async def list_commits(
    conn: Conn, source: Source, ref: str, head_sha: str, shas: Sequence[str], *, complete: bool | None = None
) -> None:
    """Commits that came with a head and were received with it; `complete`: there are no others, None: not known."""
    where = (source.account_id, source.repository_id, ref, head_sha)
    await conn.execute(Q["list_commits"], *where, list(shas), complete)


async def classify(
    conn: Conn, account_id: int, repository_ids: Sequence[int], app_login: str, heads: Sequence[str] | None = None
) -> None:
    """Say what kind of account pushed (these heads, or all), by what is known of students and staff now."""
    which = (account_id, list(repository_ids), app_login, None if heads is None else list(heads))
    await conn.execute(Q["classify"], *which)
    await conn.execute(Q["classify_returned"], *which)


async def latest(conn: Conn, account_id: int, project_id: int) -> dict[int, asyncpg.Record]:
    """By repository, the newest commit that may count."""
    return {row["repository_id"]: row for row in await conn.fetch(Q["latest"], account_id, project_id)}

"""Leases (docs/design.md section 5): a timestamp column per kind of work, whose value is the token.

Taking one is a claim of its own noun (`claim` in its query file); keeping, giving back and failing are the same for
all, so their statements are written once and filled in from this table of columns.
"""

from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

import asyncpg

from bot.errors import PencilsDownError
from bot.store import queries
from bot.store.records import Conn

RETRY_SECONDS = 30.0
"""A failed job is taken again after this long."""


@dataclass(frozen=True, slots=True)
class Lease:
    """The right to work on one row: `token` is the value of its lease column, renewed after each step."""

    kind: str
    account_id: int
    key: int
    token: datetime
    holder: UUID


@dataclass(frozen=True, slots=True)
class Columns:
    """Where a kind of lease is kept. `due` is the column that says when a row's work is to be done, if it has one."""

    table: str
    at: str
    by: str
    key: str
    due: str | None


KINDS = {
    "locks": Columns("installations", "lock_job_at", "lock_job_by", "installation_id", None),
    "enforcement": Columns("projects", "deadline_job_at", "deadline_job_by", "id", None),
    "dispatches": Columns("projects", "dispatch_job_at", "dispatch_job_by", "id", None),
    "installations": Columns("installations", "leased_at", "leased_by", "installation_id", "read_due_at"),
    "repositories": Columns("repositories", "leased_at", "leased_by", "id", "read_due_at"),
    "delivery_logs": Columns("delivery_logs", "leased_at", "leased_by", "id", "due_at"),
    "commands": Columns("commands", "leased_at", "leased_by", "comment_id", "due_at"),
    "activities": Columns("activities", "leased_at", "leased_by", "repository_id", "due_at"),
    "runs": Columns("runs", "leased_at", "leased_by", "id", "read_due_at"),
    "reconciliations": Columns("reconciliations", "leased_at", "leased_by", "repository_id", "due_at"),
    "checks": Columns("checks", "leased_at", "leased_by", "id", "due_at"),
    "outbox": Columns("outbox", "leased_at", "leased_by", "id", "due_at"),
    "boards": Columns("boards", "leased_at", "leased_by", "project_id", "due_at"),
}


class LeaseLost(PencilsDownError):
    """Another worker holds the row now: nothing further may be started or finished under this lease."""


def statement(name: str, kind: str) -> str:
    """One of the shared statements for one kind. Only the constants above are ever filled in."""
    columns = KINDS[kind]
    template: str = queries.load("leases")[name]
    return template.format(table=columns.table, at=columns.at, by=columns.by, key=columns.key, due=columns.due)


def taken(kind: str, holder: UUID, rows: list[asyncpg.Record]) -> list[Lease]:
    """The leases that a claim returned as (account_id, key, token)."""
    return [Lease(kind, row["account_id"], row["key"], row["token"], holder) for row in rows]


async def held(conn: Conn, lease: Lease) -> bool:
    """Whether the row is still this lease's; held until the end of the transaction."""
    return bool(await conn.fetchval(statement("held", lease.kind), *_mine(lease)))


async def renew(conn: Conn, lease: Lease) -> Lease:
    """The same lease with its life begun anew. Raises LeaseLost."""
    token = await conn.fetchval(statement("renew", lease.kind), *_mine(lease))
    if token is None:
        raise LeaseLost(f"{lease.kind} {lease.key}")
    return replace(lease, token=token)


async def give_back(conn: Conn, lease: Lease) -> None:
    """Free the row; in a transaction, the fence around all that it writes. Raises LeaseLost."""
    if not await conn.fetchval(statement("give_back", lease.kind), *_mine(lease)):
        raise LeaseLost(f"{lease.kind} {lease.key}")


async def fail(conn: Conn, lease: Lease, lease_seconds: int, after_seconds: float = RETRY_SECONDS) -> None:
    """The work is to be tried again in `after_seconds`; a lease that was lost meanwhile is left alone."""
    if KINDS[lease.kind].due is None:
        await conn.execute(statement("backdate", lease.kind), *_mine(lease), lease_seconds, after_seconds)
    else:
        await conn.execute(statement("postpone", lease.kind), *_mine(lease), after_seconds)


async def release_strays(conn: Conn, holder: UUID, kind: str, at_work: list[int]) -> int:
    """Free what this process holds without working on it: its claim or its end was written while the answer was lost.

    `at_work` are the keys that it does work on; the count of those freed.
    """
    return len(await conn.fetch(statement("release_strays", kind), holder, at_work))


def _mine(lease: Lease) -> tuple[object, ...]:
    return lease.account_id, lease.key, lease.token, lease.holder

"""A repository's part in a project: its deadline, its two freezes, what counts."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

import asyncpg

from bot.model import Enrolment, Project, State
from bot.rules.inverses import OwnDeadline
from bot.rules.when import When
from bot.store import queries
from bot.store.receipts import Heard
from bot.store.records import Conn, many

Q = queries.load("enrolments")


async def enrol(conn: Conn, project: Project, repository_ids: Sequence[int], now: datetime) -> list[int]:
    """Put repositories into a project; those that were not in it are returned. Staff repositories never are.

    A score that a repository has already, for another project, is chosen here too if it fits.
    """
    holding = project.state == State.OPEN
    rows = await conn.fetch(Q["enrol"], project.account_id, project.id, list(repository_ids), now, holding)
    enrolled = [row["repository_id"] for row in rows]
    await reselect(conn, project.account_id, enrolled, now)
    return enrolled


async def held(conn: Conn, account_id: int) -> dict[int, str]:
    """By repository, the slug of the open project that holds it."""
    return {row["repository_id"]: row["slug"] for row in await conn.fetch(Q["held"], account_id)}


async def of_project(conn: Conn, account_id: int, project_id: int) -> list[Enrolment]:
    """The repositories of a project by name, with what is known of each."""
    return many(Enrolment, await conn.fetch(Q["of_project"], account_id, project_id))


async def apply_due(conn: Conn, now: datetime) -> list[asyncpg.Record]:
    """Write the provisional freeze of every repository whose effective deadline has come.

    A run that counted though nothing dates its head counts no more. No part but those is waited for, as by any tick.
    """
    async with conn.transaction():
        applied = await conn.fetch(Q["apply_due"], now)
        for row in await conn.fetch(Q["undated"], *_keys(applied)) if applied else []:
            await conn.execute(Q["reselect"], row["account_id"], row["repository_ids"], now, row["project_id"])
    return applied


async def freeze_due(conn: Conn, now: datetime) -> list[asyncpg.Record]:
    """Write the definitive freeze of every repository whose grace is over and whose evidence is in.

    They are held first and judged then: whoever held one until a moment ago may have moved its deadline.
    """
    async with conn.transaction():
        held = await conn.fetch(Q["freezable"], now)
        return await conn.fetch(Q["freeze"], now, *_keys(held)) if held else []


def _keys(parts: Sequence[asyncpg.Record]) -> tuple[list[int], list[int], list[int]]:
    """The keys of parts, as a statement unnests them."""
    accounts = [row["account_id"] for row in parts]
    return accounts, [row["project_id"] for row in parts], [row["repository_id"] for row in parts]


async def set_own_deadline(conn: Conn, project: Project, repository_ids: Sequence[int], own: OwnDeadline) -> list[int]:
    """Give repositories their own deadline, or none; `reopen` settles what follows from it."""
    when = (own.when.at, own.when.wall, own.when.zone) if own.when else (None, None, None)
    rows = await conn.fetch(
        Q["set_own_deadline"], project.account_id, project.id, list(repository_ids), *when, own.reason
    )
    return [row["repository_id"] for row in rows]


async def reopen(conn: Conn, project: Project, now: datetime) -> list[int]:
    """Begin a new round for the repositories that were applied and whose deadline now lies ahead."""
    rows = await conn.fetch(Q["reopen"], project.account_id, project.id, now)
    return [row["repository_id"] for row in rows]


async def own_deadlines(conn: Conn, project: Project, repository_ids: Sequence[int]) -> dict[int, OwnDeadline]:
    """By repository, its own deadline as it was given, or none."""
    rows = await conn.fetch(Q["own_deadlines"], project.account_id, project.id, list(repository_ids))
    return {row["repository_id"]: _own(row) for row in rows}


async def settle_anew(
    conn: Conn, project: Project, before: Sequence[Enrolment], now: datetime, *, always: bool = False
) -> dict[int, tuple[datetime, datetime]]:
    """What counts is settled anew where a deadline moved within the past, or `always`.

    By repository, its deadline then and now.
    """
    was = {row.repository_id: row.effective_at for row in before}
    stood = (list(was), list(was.values()))
    rows = await conn.fetch(Q["settle_anew"], project.account_id, project.id, *stood, now, always)
    return {row["repository_id"]: (was[row["repository_id"]], row["effective_at"]) for row in rows}


@dataclass(frozen=True, slots=True)
class Settled:
    """What a definitive freeze had settled in one project."""

    project_id: int
    sha: str | None
    received_at: datetime | None


async def settle_by_evidence(
    conn: Conn, repository: tuple[int, int], heard: Sequence[tuple[str, Heard]]
) -> list[Settled]:
    """What counts is settled anew where a commit of a frozen repository (its account and id) was in time after all.

    What had been settled until now; once marks are approved nothing is.
    """
    found = ([sha for sha, _ in heard], [it.was for _, it in heard], [it.becomes for _, it in heard])
    rows = await conn.fetch(Q["settle_by_evidence"], *repository, *found)
    return [Settled(row["project_id"], row["submission_sha"], row["submission_at"]) for row in rows]


async def hold(conn: Conn, account_id: int, repository_ids: Sequence[int]) -> None:
    """Hold the parts these repositories have in their projects, before what a choice rests on is written."""
    await conn.execute(Q["hold"], account_id, list(repository_ids))


async def reselect(conn: Conn, account_id: int, repository_ids: Sequence[int], now: datetime) -> None:
    """Choose the score that counts anew. The rows are held first, so that two runs cannot choose past each other."""
    await hold(conn, account_id, repository_ids)
    await conn.execute(Q["reselect"], account_id, list(repository_ids), now, None)


def _own(row: asyncpg.Record) -> OwnDeadline:
    at = row["deadline_at"]
    return OwnDeadline(When(at, row["deadline_wall"], row["deadline_zone"]) if at else None, row["deadline_reason"])


async def withdraw(conn: Conn, project: Project, repository_ids: Sequence[int], now: datetime) -> None:
    """They take no part any more; their locks follow by trigger."""
    await conn.execute(Q["withdraw"], project.account_id, project.id, list(repository_ids), now)


async def take_back(conn: Conn, project: Project, repository_ids: Sequence[int]) -> set[int]:
    """Those of them that were withdrawn take part again; their ids."""
    holding = project.state == State.OPEN
    rows = await conn.fetch(Q["take_back"], project.account_id, project.id, list(repository_ids), holding)
    return {row["repository_id"] for row in rows}


async def following(conn: Conn, project: Project) -> dict[int, datetime]:
    """The effective deadlines of all that have none of their own, also of those that were withdrawn."""
    rows = await conn.fetch(Q["following"], project.account_id, project.id)
    return {row["repository_id"]: row["effective_at"] for row in rows}

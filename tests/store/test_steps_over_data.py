"""The newest steps find a service's rows where they are run: what each makes of them."""

import shutil
from collections.abc import AsyncIterator
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from bot.store import migrations
from bot.store.pool import open_connection
from bot.store.records import Conn

from . import rows
from .rows import DEADLINE


@pytest.fixture
async def old(empty_dsn: str, tmp_path: Path) -> AsyncIterator[Conn]:
    """A database as it was before unlocks named the deadlines that they are from."""
    for step in sorted(migrations.FOLDER.glob("*.sql")):
        if step.name < "0031":
            shutil.copy(step, tmp_path)
    await migrations.migrate(empty_dsn, tmp_path)
    async with open_connection(empty_dsn) as conn:
        yield conn


async def a_repository(conn: Conn, hand: bool, applied_at: datetime | None, **columns: Any) -> int:
    repository_id = await rows.enrolment(conn, await rows.project(conn, **columns), deadline_applied_at=applied_at)
    await conn.execute("UPDATE repositories SET staff_lock = $2 WHERE id = $1", repository_id, hand)
    return repository_id


async def test_unlocks_of_before_are_from_the_deadlines_that_they_stand_against(old: Conn, empty_dsn: str) -> None:
    closed = await a_repository(old, False, DEADLINE, state="closed")
    await rows.enrolment(old, await rows.project(old), closed)
    ahead = await a_repository(old, False, None, deadline_at=DEADLINE.replace(year=2999))

    await migrations.migrate(empty_dsn)

    found = await old.fetch("SELECT id, staff_lock, exempt_from <> '{}' AS named, wanted_lock FROM repositories")
    assert {tuple(row) for row in found} == {(closed, False, True, False), (ahead, None, False, False)}
    # The next project's deadline closes it: before, the unlock outlived that one too.
    await old.execute("UPDATE enrolments SET deadline_applied_at = $1 WHERE deadline_applied_at IS NULL", DEADLINE)
    assert await old.fetchval("SELECT wanted_lock FROM repositories WHERE id = $1", closed)


async def test_locks_of_before_are_over_where_the_deadline_closes_or_no_rule_speaks(old: Conn, empty_dsn: str) -> None:
    over = await a_repository(old, True, DEADLINE, state="closed")
    early = await a_repository(old, True, None)
    shadow = await a_repository(old, True, None)
    await old.execute(
        "UPDATE courses SET mode = 'shadow', locks_lifted = true WHERE id = (SELECT course_id FROM projects p"
        " JOIN enrolments e ON e.project_id = p.id WHERE e.repository_id = $1)",
        shadow,
    )
    assert await old.fetchval("SELECT wanted_lock FROM repositories WHERE id = $1", shadow)

    await migrations.migrate(empty_dsn)

    found = await old.fetch("SELECT id, staff_lock, wanted_lock FROM repositories")
    assert {tuple(row) for row in found} == {(over, None, True), (early, True, True), (shadow, True, False)}

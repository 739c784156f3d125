"""The audit log is append-only in the database itself (docs/design.md section 14)."""

import asyncpg
import pytest

from bot.model import CLOCK, Actor
from bot.store import audit
from bot.store.audit import Subject
from bot.store.records import Conn

from .rows import ACCOUNT, DEADLINE


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE audit_log SET action = 'nothing'",
        "DELETE FROM audit_log",
        "TRUNCATE audit_log",
        "TRUNCATE audit_log CASCADE",
    ],
)
async def test_what_was_written_can_be_neither_changed_nor_removed(conn: Conn, change: str) -> None:
    await audit.record(conn, Subject(ACCOUNT), "course.begun", CLOCK, DEADLINE)

    with pytest.raises(asyncpg.InsufficientPrivilegeError, match="append-only"):
        await conn.execute(change)

    assert await conn.fetchval("SELECT action FROM audit_log") == "course.begun"


async def test_an_event_says_who_did_what_to_what_at_course_time(conn: Conn) -> None:
    teacher, subject = Actor("person", 7, "amy"), Subject(ACCOUNT, course_id=1, project_id=2, repository_id=3)

    await audit.record(conn, subject, "project.open", teacher, DEADLINE, {"from": "draft"})

    row = await conn.fetchrow("SELECT * FROM audit_log")
    assert row is not None
    assert dict(row) == {
        "account_id": ACCOUNT,
        "id": row["id"],
        "at": DEADLINE,
        "actor_kind": "person",
        "actor_id": 7,
        "actor_login": "amy",
        "action": "project.open",
        "course_id": 1,
        "project_id": 2,
        "repository_id": 3,
        "detail": {"from": "draft"},
    }


async def test_the_same_event_of_several_repositories_keeps_each_ones_detail(conn: Conn) -> None:
    details: dict[int, dict[str, str | None]] = {7: {"sha": "a"}, 8: {"sha": None}}

    await audit.record_each(conn, Subject(ACCOUNT, project_id=2), "repository.frozen", CLOCK, DEADLINE, details)

    written = await conn.fetch("SELECT repository_id, detail FROM audit_log WHERE project_id = 2")
    assert {row["repository_id"]: row["detail"] for row in written} == details

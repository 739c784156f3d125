"""The audit log: append-only in the database itself (docs/design.md section 14)."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from bot.model import Actor
from bot.store import queries
from bot.store.records import Conn

Q = queries.load("audit")


@dataclass(frozen=True, slots=True)
class Subject:
    """What an event is about."""

    account_id: int
    course_id: int | None = None
    project_id: int | None = None
    repository_id: int | None = None


async def record(
    conn: Conn, subject: Subject, action: str, actor: Actor, now: datetime, detail: Mapping[str, Any] | None = None
) -> None:
    """Write one event at course time `now`; `action` is a fixed word such as `project.published`."""
    await conn.execute(
        Q["record"],
        subject.account_id,
        now,
        actor.kind,
        actor.id,
        actor.login,
        action,
        subject.course_id,
        subject.project_id,
        subject.repository_id,
        dict(detail or {}),
    )


async def record_each(
    conn: Conn, project: Subject, action: str, actor: Actor, now: datetime, details: Mapping[int, Mapping[str, Any]]
) -> None:
    """Write the same event for each repository of `details`."""
    await conn.execute(
        Q["record_each"],
        project.account_id,
        now,
        actor.kind,
        actor.id,
        actor.login,
        action,
        project.project_id,
        list(details),
        [dict(detail) for detail in details.values()],
    )

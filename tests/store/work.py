"""One row of due work for each kind of lease, and how a process takes it."""

from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from typing import Any
from uuid import UUID

from bot.store import clock, delivery_logs
from bot.store.leases import Lease
from bot.store.records import Conn
from bot.sweeper.tick import Tick
from bot.sweeper.work import TAKE

from . import rows
from .rows import ACCOUNT, DEADLINE

LEASE_SECONDS = 600
PLENTY = 100


async def take(conn: Conn, kind: str, holder: UUID) -> list[Lease]:
    """Claim what is due of one kind, as a tick does."""
    free = Counter({kind: PLENTY})
    return await TAKE[kind](Tick(conn, await clock.now(conn), holder, LEASE_SECONDS, free))


async def lock(conn: Conn) -> None:
    """A repository that GitHub does not hold closed yet."""
    await rows.installation(conn)
    await rows.enrolment(conn, await rows.project(conn), deadline_applied_at=DEADLINE)


async def weaker_lock(conn: Conn) -> None:
    """A repository to be closed by a lock of its own, where the plan has no organisation rulesets."""
    await rows.installation(conn, lock_refused="Upgrade to GitHub Team")
    await rows.enrolment(conn, await rows.project(conn), deadline_applied_at=DEADLINE)


async def review(conn: Conn) -> None:
    """A frozen repository whose review was not asked for."""
    await rows.installation(conn)
    frozen: dict[str, Any] = {"deadline_applied_at": DEADLINE, "frozen_at": DEADLINE, "submission_sha": "a"}
    await rows.enrolment(conn, await rows.project(conn, state="closed"), **frozen)


async def installation(conn: Conn) -> None:
    """An installation to be read."""
    await rows.installation(conn, read_due_at=await clock.real_now(conn))


async def repository(conn: Conn) -> None:
    """A repository to be read."""
    await rows.repository(conn, read_due_at=await clock.real_now(conn))


async def delivery_log(conn: Conn) -> None:
    """The log of deliveries is to be read."""
    await delivery_logs.due(conn)


async def command(conn: Conn, comment_id: int = 1, issue_number: int = 1) -> None:
    """A comment to be answered."""
    where = {"repository_id": 1, "issue_number": issue_number}
    author = {"author_id": 1, "author_login": "teacher", "body": "/status", "commented_at": DEADLINE}
    await rows.insert(conn, "commands", "comment_id", account_id=ACCOUNT, comment_id=comment_id, **where, **author)


async def run(conn: Conn) -> None:
    """A run whose annotations are to be read."""
    await rows.run(conn, 1, "a", DEADLINE, score_status=None, read_due_at=await clock.real_now(conn))


async def reconciliation(conn: Conn) -> None:
    """A repository whose latest runs are to be read."""
    where = {"account_id": ACCOUNT, "repository_id": await rows.repository(conn)}
    await rows.insert(conn, "reconciliations", "due_at", due_at=await clock.real_now(conn), **where)


async def activity(conn: Conn) -> None:
    """A repository of whose pushes GitHub's list is to be read."""
    where = {"account_id": ACCOUNT, "repository_id": await rows.repository(conn)}
    await rows.insert(conn, "activities", "due_at", due_at=await clock.real_now(conn), **where)


async def check(conn: Conn) -> None:
    """A check to be shown."""
    where = {"repository_id": 1, "project_id": 1, "head_sha": "a"}
    await rows.insert(conn, "checks", "id", account_id=ACCOUNT, due_at=await clock.real_now(conn), **where)


async def letter(conn: Conn) -> None:
    """Words to be posted."""
    words = {"kind": "comment", "mark": "m", "body": "b", "written_at": DEADLINE}
    await rows.insert(conn, "outbox", "id", account_id=ACCOUNT, repository_id=1, issue_number=1, **words)


async def board(conn: Conn) -> None:
    """A control issue that does not exist yet as the database would have it."""
    await rows.installation(conn)
    await rows.project(conn)


DUE: Mapping[str, Callable[[Conn], Awaitable[None]]] = {
    "locks": lock,
    "enforcement": weaker_lock,
    "dispatches": review,
    "installations": installation,
    "repositories": repository,
    "delivery_logs": delivery_log,
    "commands": command,
    "runs": run,
    "reconciliations": reconciliation,
    "activities": activity,
    "checks": check,
    "outbox": letter,
    "boards": board,
}

"""What the bot says: written with what makes it true, posted by a job (docs/design.md section 2)."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal
from uuid import UUID

from bot.model import Command, Project
from bot.store import leases, queries
from bot.store.leases import Lease
from bot.store.records import Conn, one

Q = queries.load("outbox")


@dataclass(frozen=True, slots=True)
class Letter:
    """A comment or a reaction to be posted. `settled`: a first try lies more than a minute back.

    Reminders, escalations and nudges are comments too, whose words are made when they are posted.
    """

    account_id: int
    id: int
    kind: Literal["comment", "reaction", "reminder", "escalation", "nudge"]
    mark: str
    repository_id: int
    issue_number: int | None
    comment_id: int | None
    body: str
    written_at: datetime
    tried_at: datetime | None
    attempts: int
    settled: bool | None
    task_ids: list[int] | None


async def write_reply(conn: Conn, command: Command, body: str, mark: str, now: datetime) -> None:
    """The one reply to a comment with commands, carrying its hidden mark."""
    where = (command.repository_id, command.issue_number, None)
    await conn.execute(Q["write"], command.account_id, "comment", mark, *where, body, now)


async def write_reaction(conn: Conn, command: Command, content: str, now: datetime) -> None:
    """A reaction to a comment with commands."""
    mark = f"reaction:{command.comment_id}:{content}"
    where = (command.repository_id, None, command.comment_id)
    await conn.execute(Q["write"], command.account_id, "reaction", mark, *where, content, now)


async def write_nudge(conn: Conn, project: Project, staff_repository: int, now: datetime, reason: str = "") -> None:
    """The staff are to be nudged in the control issue; the mark tells one nudge from a later one.

    `reason` says why the draft did not open by itself; the other words are made when it is posted.
    """
    hidden = f"<!-- pencils-down:nudge:{project.id}:{now:%Y%m%dT%H%M%S} -->"
    where = (staff_repository, project.issue_number, None)
    await conn.execute(Q["write"], project.account_id, "nudge", hidden, *where, reason, now)


async def claim(conn: Conn, holder: UUID, lease_seconds: int, limit: int) -> list[Lease]:
    """Take up to `limit` letters, oldest first."""
    return leases.taken("outbox", holder, await conn.fetch(Q["claim"], holder, lease_seconds, limit))


async def by_id(conn: Conn, account_id: int, letter_id: int) -> Letter | None:
    """A letter that is still to be posted."""
    return one(Letter, await conn.fetchrow(Q["by_id"], account_id, letter_id))


async def trying(conn: Conn, letter: Letter) -> None:
    """Written before the call, so that a lost answer is looked into before the next one."""
    await conn.execute(Q["trying"], letter.account_id, letter.id)


async def not_tried(conn: Conn, letter: Letter) -> None:
    """The call was certainly not carried out."""
    await conn.execute(Q["not_tried"], letter.account_id, letter.id)


async def posted(conn: Conn, letter: Letter, posted_id: int | None) -> None:
    """GitHub holds it."""
    await conn.execute(Q["posted"], letter.account_id, letter.id, posted_id)


async def give_up(conn: Conn, letter: Letter, reason: str) -> None:
    """It can never be posted there."""
    await conn.execute(Q["give_up"], letter.account_id, letter.id, reason)

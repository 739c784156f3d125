"""What commands changed in a project, each with its inverse as data (docs/design.md section 10, `/undo`)."""

from dataclasses import dataclass
from datetime import datetime

from bot.model import Command, Person, Project
from bot.rules import inverses
from bot.rules.inverses import Inverse
from bot.store import queries
from bot.store.records import Conn

Q = queries.load("changes")


@dataclass(frozen=True, slots=True)
class Change:
    """One change: the line that made it, and the command whose givers may take it back."""

    account_id: int
    id: int
    command: str
    line: str
    inverse: Inverse
    made_by_login: str


@dataclass(frozen=True, slots=True)
class NewChange:
    """A change as it is recorded."""

    command: str
    line: str
    inverse: Inverse


async def record(conn: Conn, project: Project, comment: Command, new: NewChange, person: Person, now: datetime) -> None:
    """Keep a change, in the transaction that makes it."""
    data = (new.command, new.line, inverses.stored(new.inverse))
    await conn.execute(
        Q["record"], project.account_id, project.id, comment.comment_id, *data, person.id, person.login, now
    )


async def last(conn: Conn, project: Project) -> Change | None:
    """The last change of a project."""
    row = await conn.fetchrow(Q["last"], project.account_id, project.id)
    return None if row is None else Change(**{**row, "inverse": inverses.read(row["inverse"])})


async def undone(conn: Conn, change: Change, now: datetime) -> None:
    """It was taken back."""
    await conn.execute(Q["undone"], change.account_id, change.id, now)

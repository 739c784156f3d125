"""What commands changed in a course or a project of it, each with its inverse (docs/design.md section 10, `/undo`)."""

from dataclasses import dataclass
from datetime import datetime

from bot.model import Command, Course, Person, Project
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
    """A change as it is recorded; of the course itself where `project_id` is None."""

    course_id: int
    project_id: int | None
    command: str
    line: str
    inverse: Inverse


async def record(conn: Conn, comment: Command, new: NewChange, person: Person, now: datetime) -> None:
    """Keep a change, in the transaction that makes it."""
    about = (comment.account_id, new.course_id, new.project_id, comment.comment_id, comment.issue_number)
    data = (new.command, new.line, inverses.stored(new.inverse))
    await conn.execute(Q["record"], *about, *data, person.id, person.login, now)


async def last(conn: Conn, course: Course, project: Project | None, issue_number: int) -> Change | None:
    """The change that an undo in this issue of the staff repository is about; `project` is the issue's."""
    project_id = project.id if project else None
    row = await conn.fetchrow(Q["last"], course.account_id, course.id, project_id, issue_number)
    return None if row is None else Change(**{**row, "inverse": inverses.read(row["inverse"])})


async def undone(conn: Conn, change: Change, now: datetime) -> None:
    """It was taken back."""
    await conn.execute(Q["undone"], change.account_id, change.id, now)

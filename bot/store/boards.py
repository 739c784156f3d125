"""What the bot keeps in a project's control issue: when it is to be written, and what it shows (section 10)."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from bot.store import leases, queries
from bot.store.leases import Lease
from bot.store.records import Conn, many, one

Q = queries.load("boards")


@dataclass(frozen=True, slots=True)
class BoardFacts:
    """Where a control issue is; `said` is a digest of what GitHub shows, None where that is not known."""

    repository_id: int
    timezone: str
    mode: str
    issue_number: int
    said: str | None


@dataclass(frozen=True, slots=True)
class BoardTrouble:
    """A control issue that cannot be written, with GitHub's words."""

    issue_number: int
    slug: str
    given_up: str


async def claim(conn: Conn, holder: UUID, lease_seconds: int, limit: int) -> list[Lease]:
    """Take up to `limit` control issues of which there is news."""
    return leases.taken("boards", holder, await conn.fetch(Q["claim"], holder, lease_seconds, limit))


async def news(conn: Conn, account_id: int, project_id: int) -> list[int]:
    """The news of a project; to be read before the project, and forgotten once the issue shows it."""
    return [row["id"] for row in await conn.fetch(Q["news"], account_id, project_id)]


async def facts(conn: Conn, account_id: int, project_id: int) -> BoardFacts | None:
    """Where the control issue of a project is."""
    return one(BoardFacts, await conn.fetchrow(Q["facts"], account_id, project_id))


async def received(conn: Conn, account_id: int, project_id: int) -> int:
    """How many repositories of a project have a commit received in time."""
    count: int = await conn.fetchval(Q["received"], account_id, project_id)
    return count


async def shown(conn: Conn, lease: Lease, said: str, read: Sequence[int], pause_seconds: float | None) -> None:
    """The issue shows what the news `read` were about; after an edit the next one waits `pause_seconds` (real time)."""
    edited = pause_seconds is not None
    await conn.execute(Q["shown"], lease.account_id, lease.key, said, edited, pause_seconds or 0.0)
    await conn.execute(Q["forget"], lease.account_id, list(read))


async def give_up(conn: Conn, lease: Lease, read: Sequence[int], reason: str) -> None:
    """It cannot be written there, until somebody touches the issue."""
    await conn.execute(Q["give_up"], lease.account_id, lease.key, reason)
    await conn.execute(Q["forget"], lease.account_id, list(read))


async def touched(conn: Conn, account_id: int, repository_id: int, issue_number: int) -> None:
    """Somebody changed this issue: if it is a control issue, it is looked at again."""
    project_id = await conn.fetchval(Q["touched"], account_id, repository_id, issue_number)
    if project_id is not None:
        await conn.execute(Q["tell"], account_id, project_id)


async def troubles(conn: Conn, account_id: int, course_id: int) -> list[BoardTrouble]:
    """The control issues of a course that cannot be written."""
    return many(BoardTrouble, await conn.fetch(Q["troubles"], account_id, course_id))

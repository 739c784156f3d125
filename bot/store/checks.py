"""The `Deadline` check of each pushed head: due when what it says may have changed, shown by a job."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from bot.model import Enrolment, Project
from bot.store import leases, queries
from bot.store.leases import Lease
from bot.store.records import Conn, one

Q = queries.load("checks")


@dataclass(frozen=True, slots=True)
class CheckRow:
    """All that the check of one head says, as the rows are now."""

    repository_id: int
    project_id: int
    head_sha: str
    check_run_id: int | None
    said: str | None
    tried_at: datetime | None
    attempts: int
    leased_at: datetime | None
    slug: str
    state: str
    timezone: str
    effective_at: datetime
    grace_seconds: int
    deadline_applied_at: datetime | None
    frozen_at: datetime | None
    submission_sha: str | None
    submission_at: datetime | None
    received_at: datetime | None
    evidence: str | None
    pusher: str
    tracked: bool | None
    unsettled: bool
    locked: bool
    withdrawn: bool
    graded: bool
    locks: bool
    latest_sha: str | None
    latest_at: datetime | None


async def due(conn: Conn, account_id: int, repository_id: int, heads: Sequence[str]) -> None:
    """The checks of these heads may say something else now."""
    await conn.execute(Q["due"], account_id, repository_id, list(heads))


async def due_of_repositories(
    conn: Conn, account_id: int, project_id: int | None, repository_ids: Sequence[int]
) -> None:
    """What is said on the newest heads and submissions of these repositories may have become untrue.

    In one project, or with None in all of theirs.
    """
    await conn.execute(Q["due_of_repositories"], account_id, project_id, list(repository_ids))


async def due_of_moved(conn: Conn, project: Project, before: Sequence[Enrolment]) -> None:
    """The deadlines of these repositories moved, which stood as in `before`.

    What is said on each commit between then and now, and on what counted, may have become untrue.
    """
    ids = [row.repository_id for row in before]
    stood = ([row.effective_at for row in before], [row.submission_sha for row in before])
    await conn.execute(Q["due_of_moved"], project.account_id, project.id, ids, *stood)


async def due_of_withdrawn(conn: Conn, project: Project, repository_ids: Sequence[int]) -> None:
    """Repositories take no part any more: each check of theirs that somebody may have seen says so."""
    await conn.execute(Q["due_of_withdrawn"], project.account_id, project.id, list(repository_ids))


async def due_of_returned(conn: Conn, project: Project, repository_ids: Sequence[int]) -> None:
    """Repositories take part again: each check there says so."""
    await conn.execute(Q["due_of_returned"], project.account_id, project.id, list(repository_ids))


async def unsay(conn: Conn, project: Project) -> int:
    """Show nothing more of a project that goes back to a draft; the number of commits that students may have seen."""
    await conn.execute(Q["unsay"], project.account_id, project.id)
    seen: int = await conn.fetchval(Q["seen"], project.account_id, project.id)
    return seen


async def claim(conn: Conn, holder: UUID, lease_seconds: int, limit: int) -> list[Lease]:
    """Take up to `limit` checks, oldest first."""
    return leases.taken("checks", holder, await conn.fetch(Q["claim"], holder, lease_seconds, limit))


async def facts(conn: Conn, account_id: int, check_id: int) -> CheckRow | None:
    """What there is to say, or None if there is no such check."""
    return one(CheckRow, await conn.fetchrow(Q["facts"], account_id, check_id))


async def trying(conn: Conn, account_id: int, check_id: int) -> None:
    """Written before the call, so that a lost answer is looked into before the next one."""
    await conn.execute(Q["trying"], account_id, check_id)


async def not_tried(conn: Conn, account_id: int, check_id: int) -> None:
    """The call was certainly not carried out."""
    await conn.execute(Q["not_tried"], account_id, check_id)


async def shown(conn: Conn, lease: Lease, check_run_id: int | None, said: str) -> None:
    """GitHub shows it; what changed since it was taken stays due."""
    await conn.execute(Q["shown"], lease.account_id, lease.key, check_run_id, said)


async def give_up(conn: Conn, lease: Lease, reason: str) -> None:
    """It cannot be shown there, until a new fact has it tried again."""
    await conn.execute(Q["give_up"], lease.account_id, lease.key, reason)


async def refused(conn: Conn, project: Project) -> dict[str, str]:
    """By name, the repositories where GitHub refuses to show a check, with its reason."""
    return {row["name"]: row["reason"] for row in await conn.fetch(Q["refused"], project.account_id, project.id)}

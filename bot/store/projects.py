"""Projects and the one door through which their state changes."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

import asyncpg

from bot.model import Actor, Project, State
from bot.rules import states
from bot.rules.states import Held
from bot.rules.when import When
from bot.store import audit, queries
from bot.store.records import Conn, many, one

Q = queries.load("projects")


@dataclass(frozen=True, slots=True)
class NewProject:
    """What `/project create` says."""

    account_id: int
    course_id: int
    issue_number: int
    slug: str
    deadline: When
    opens_at: datetime | None
    grace_seconds: int
    strategy: str
    branches: list[str]
    repository_glob: str
    grading: str
    workflow: str


async def create(conn: Conn, new: NewProject, now: datetime) -> Project:
    """A draft bound to its control issue."""
    project_id = await conn.fetchval(
        Q["create"],
        new.account_id,
        new.course_id,
        new.issue_number,
        new.slug,
        new.deadline.at,
        new.deadline.wall,
        new.deadline.zone,
        new.opens_at,
        new.grace_seconds,
        new.strategy,
        new.branches,
        new.repository_glob,
        new.grading,
        new.workflow,
        now,
    )
    return await hold(conn, new.account_id, project_id)


async def clashing(conn: Conn, account_id: int, course_id: int, issue_number: int, slug: str) -> tuple[str, int] | None:
    """Slug and issue of a project that is in the way of a new one: in the same issue, else of the same name."""
    row = await conn.fetchrow(Q["clashing"], account_id, course_id, issue_number, slug)
    return None if row is None else (row["slug"], row["issue_number"])


async def by_issue(conn: Conn, account_id: int, course_id: int, issue_number: int) -> Project | None:
    """The project whose control issue this is."""
    return one(Project, await conn.fetchrow(Q["by_issue"], account_id, course_id, issue_number))


async def by_id(conn: Conn, account_id: int, project_id: int) -> Project | None:
    """One project."""
    return one(Project, await conn.fetchrow(Q["by_id"], account_id, project_id))


async def hold(conn: Conn, account_id: int, project_id: int) -> Project:
    """The project under its row lock, which whoever changes it or its enrolments holds first."""
    (row,) = await conn.fetch(Q["hold"], account_id, project_id)
    return Project(**dict(row))


async def taking(conn: Conn, account_id: int, now: datetime) -> list[Project]:
    """The projects that still enrol what matches their pattern."""
    return many(Project, await conn.fetch(Q["taking"], account_id, now))


async def all_of_course(conn: Conn, account_id: int, course_id: int) -> list[Project]:
    """Every project of a course, by deadline."""
    return many(Project, await conn.fetch(Q["all_of_course"], account_id, course_id))


async def with_a_deadline_come(conn: Conn, account_id: int, course_id: int, now: datetime) -> set[int]:
    """The projects of a course whose deadline has come by `now`, or that of one of its repositories."""
    return {row["id"] for row in await conn.fetch(Q["with_a_deadline_come"], account_id, course_id, now)}


async def transition(conn: Conn, project: Project, to: State, actor: Actor, now: datetime) -> bool:
    """Move a project along one edge of docs/design.md section 8 and audit it; nothing else writes `state`.

    False if it is no longer where it was seen. Raises Told where there is no such edge, or where another open project
    holds one of its repositories. Called in a transaction that holds the project.
    """
    states.check_edge(State(project.state), to)
    if to is State.OPEN:
        states.check_held_elsewhere(await held_elsewhere(conn, project, now))
    moved = await conn.fetchval(Q["transition"], project.account_id, project.id, project.state, to.value, now)
    if moved is None:
        return False
    await conn.execute(Q["hold_repositories"], project.account_id, project.id, to is State.OPEN)
    detail: dict[str, Any] = {"from": project.state, "to": to.value, "deadline": project.deadline_at.isoformat()}
    await audit.record(conn, subject(project), f"project.{to.value}", actor, now, detail)
    return True


async def held_elsewhere(conn: Conn, project: Project, now: datetime) -> list[Held]:
    """Repositories of this project that another open project holds, each with that project's slug."""
    return many(Held, await conn.fetch(Q["held_elsewhere"], project.account_id, project.id, now))


async def set_deadline(conn: Conn, project: Project, deadline: When) -> None:
    """Write the deadline as wall time, zone and instant; enrolments without their own follow."""
    await conn.execute(Q["set_deadline"], project.account_id, project.id, deadline.at, deadline.wall, deadline.zone)


async def happened(conn: Conn, project: Project) -> tuple[int, int]:
    """How many pushes came since it was published, and how many of its repositories are past their deadline."""
    row = await conn.fetchrow(Q["happened"], project.account_id, project.id)
    return (0, 0) if row is None else (row["pushes"], row["applied"])


async def set_opening(conn: Conn, project: Project, opens_at: datetime | None) -> None:
    """The draft opens by itself at that instant, or with None no longer by itself."""
    await conn.execute(Q["set_opening"], project.account_id, project.id, opens_at)


async def claim_due(conn: Conn, now: datetime) -> list[Project]:
    """Open projects whose deadline has come, each held by this transaction."""
    return await _held(conn, await conn.fetch(Q["claim_due"], now))


async def claim_openings(conn: Conn, now: datetime) -> list[Project]:
    """Drafts whose opening time has come, each held by this transaction."""
    return await _held(conn, await conn.fetch(Q["claim_openings"], now))


async def opening_refused(conn: Conn, project: Project, now: datetime) -> int:
    """A draft that cannot open by itself is left to the staff; the course's repository, in which they are told."""
    staff_repository: int = await conn.fetchval(Q["opening_refused"], project.account_id, project.id, now)
    return staff_repository


async def next_due(conn: Conn, now: datetime) -> datetime | None:
    """The next instant of course time at which the clock has something to do."""
    instant: datetime | None = await conn.fetchval(Q["next_due"], now)
    return instant


def subject(project: Project, repository_id: int | None = None) -> audit.Subject:
    """The project (or one repository of it) as an event is about it."""
    return audit.Subject(project.account_id, project.course_id, project.id, repository_id)


async def _held(conn: Conn, rows: list[asyncpg.Record]) -> list[Project]:
    return [await hold(conn, row["account_id"], row["id"]) for row in rows]

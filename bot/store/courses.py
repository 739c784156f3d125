"""Courses and who teaches in them."""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from datetime import datetime

from bot.model import Course, Person, TeamFact
from bot.rules.modes import Settings
from bot.store import queries
from bot.store.records import Conn, one

Q = queries.load("courses")


@dataclass(frozen=True, slots=True)
class NewCourse:
    account_id: int
    repository_id: int
    timezone: str
    mode: str
    staff: TeamFact
    assistants: TeamFact | None


async def create(conn: Conn, new: NewCourse, now: datetime) -> Course | None:
    """Register a staff repository; None if it runs a course already. In shadow from the start, it keeps no locks."""
    assistants = (new.assistants.id, new.assistants.slug) if new.assistants else (None, None)
    row = await conn.fetchrow(
        Q["create"],
        new.account_id,
        new.repository_id,
        new.timezone,
        new.mode,
        new.staff.id,
        new.staff.slug,
        *assistants,
        now,
    )
    return one(Course, row)


async def by_repository(conn: Conn, account_id: int, repository_id: int) -> Course | None:
    """The course that this repository is the staff repository of."""
    return one(Course, await conn.fetchrow(Q["by_repository"], account_id, repository_id))


async def of_student_repository(conn: Conn, account_id: int, repository_id: int) -> Course | None:
    """The course whose student repository this is."""
    return one(Course, await conn.fetchrow(Q["of_student_repository"], account_id, repository_id))


async def set_staff(conn: Conn, course: Course, people: Sequence[Person]) -> None:
    """Remember who teaches now, so that a teacher's push is told from a student's."""
    ids = [person.id for person in people]
    await conn.execute(Q["set_staff"], course.account_id, course.id, ids, [person.login for person in people])
    await conn.execute(Q["drop_staff"], course.account_id, course.id, ids)


async def repository_ids(conn: Conn, account_id: int) -> set[int]:
    """The staff repositories of the organisation's courses."""
    return {row["repository_id"] for row in await conn.fetch(Q["repository_ids"], account_id)}


async def staff_ids(conn: Conn, account_id: int) -> set[int]:
    """Who teaches in any course of the organisation, as it was last read."""
    return {row["user_id"] for row in await conn.fetch(Q["staff_ids"], account_id)}


async def staff_teams(conn: Conn, account_id: int) -> list[int]:
    """Ids of the teams that may push where students may not, over all courses of the organisation."""
    teams: list[int] = await conn.fetchval(Q["staff_teams"], account_id)
    return teams


async def settings(conn: Conn, course: Course) -> Settings:
    """What can be changed, held until the transaction ends."""
    (row,) = await conn.fetch(Q["settings"], course.account_id, course.id)
    return Settings(**dict(row))


async def change(conn: Conn, course: Course, settings: Settings) -> None:
    """Write the settings; what follows from the mode follows by trigger."""
    values = (getattr(settings, field.name) for field in fields(Settings))
    await conn.execute(Q["change"], course.account_id, course.id, *values)


async def locks_held(conn: Conn, course: Course) -> dict[str, int]:
    """How many of its repositories GitHub holds closed, by the kind of lock."""
    return {row["kind"]: row["held"] for row in await conn.fetch(Q["locks_held"], course.account_id, course.id)}


async def take_hands_off(conn: Conn, course: Course) -> None:
    """Forget the staff's hand on all repositories of the course, but for unlocks from another course's deadlines."""
    await conn.execute(Q["take_hands_off"], course.account_id, course.id)

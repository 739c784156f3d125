"""What waits for a person (docs/design.md section 9): opened for a cause, ended by a person or with its cause."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from bot.model import Course, Person, Project
from bot.rules.inverses import TaskState
from bot.rules.tasks import Task
from bot.store import queries
from bot.store.records import Conn, many

Q = queries.load("tasks")


async def elect(conn: Conn) -> bool:
    """Whether it is this transaction's turn to compare tasks with their causes; True for one at a time."""
    return bool(await conn.fetchval(Q["elect"]))


async def follow_causes(conn: Conn, now: datetime) -> None:
    """Open a task for each cause that has none, close those whose cause is gone, and say of outages what is known."""
    await conn.execute(Q["close"], now)
    await conn.execute(Q["open"], now)
    await conn.execute(Q["retell"])


async def sweep_overdue(conn: Conn, now: datetime) -> int:
    """Stamp what is overdue and write what is to be said of it; how many comments that makes."""
    written: int = await conn.fetchval(Q["sweep"], now)
    return written


async def counts(conn: Conn) -> Mapping[str, int]:
    """How many tasks are open, by kind."""
    return {row["kind"]: row["open"] for row in await conn.fetch(Q["counts"])}


async def of_course(conn: Conn, course: Course) -> list[Task]:
    """The open tasks of a course, the oldest first."""
    return many(Task, await conn.fetch(Q["list"], course.account_id, course.id, None))


async def of_project(conn: Conn, project: Project) -> list[Task]:
    """The open tasks of one project, the oldest first."""
    return many(Task, await conn.fetch(Q["list"], project.account_id, project.course_id, project.id))


async def still_open(conn: Conn, account_id: int, task_ids: Sequence[int]) -> list[Task]:
    """Those of the given tasks that nobody has ended."""
    return many(Task, await conn.fetch(Q["some"], account_id, list(task_ids)))


async def hold(conn: Conn, course: Course, task_id: int) -> tuple[Task, TaskState] | None:
    """A task of the course and how it stands, under its row lock; None if there is none or its cause is gone."""
    row = await conn.fetchrow(Q["hold"], course.account_id, course.id, task_id)
    if row is None:
        return None
    columns = dict(row)
    ended = columns.pop("ended")
    task = Task(**columns)
    return task, TaskState(ended, None, task.addressee_kind, task.addressee, task.addressee_id)


async def put_back(conn: Conn, course: Course, task_id: int, state: TaskState, now: datetime) -> None:
    """Have a held task stand as it did before a change; what ended it once ends it now."""
    given = (course.account_id, course.id, task_id, now, state.ended)
    await conn.execute(Q["put_back"], *given, state.addressee_kind, state.addressee, state.addressee_id)


async def end(conn: Conn, course: Course, task_id: int, ended: str, now: datetime) -> bool:
    """A person says `done` or `refused`; False if the course has no such open task."""
    return await conn.fetchval(Q["end"], course.account_id, course.id, task_id, now, ended) is not None


async def assign(conn: Conn, course: Course, task_id: int, person: Person) -> bool:
    """Give it to one person; False if the course has no such open task."""
    given = (course.account_id, course.id, task_id, person.id, person.login)
    return await conn.fetchval(Q["assign"], *given) is not None

"""Repositories and students as GitHub lists them, written together with all that follows from them."""

from collections.abc import Sequence
from dataclasses import replace

from bot.model import RepositoryFact
from bot.rules.roster import students
from bot.store import clock, courses, enrolments, receipts, repositories, runs
from bot.store.records import Conn


async def record(conn: Conn, account_id: int, facts: Sequence[RepositoryFact], app_login: str) -> None:
    """Write what was read; say anew whose pushes the receipts are and so which scores count, and read earlier runs."""
    ids = [fact.id for fact in facts]
    # Held first, as a tick does: the repositories follow.
    await enrolments.hold(conn, account_id, ids)
    staff = await courses.staff_ids(conn, account_id)
    await repositories.upsert(conn, account_id, facts)
    studied = [replace(fact, students=students(fact.students, staff)) for fact in facts]
    await repositories.set_students(conn, account_id, studied)
    await receipts.classify(conn, account_id, ids, app_login)
    await runs.due_again(conn, account_id, ids)
    await enrolments.reselect(conn, account_id, ids, await clock.now(conn))

"""Repositories and students as GitHub lists them, written together with all that follows from them."""

from collections.abc import Sequence
from dataclasses import replace

from bot.model import RepositoryFact
from bot.rules.roster import students
from bot.store import courses, receipts, repositories, runs
from bot.store.records import Conn


async def record(conn: Conn, account_id: int, facts: Sequence[RepositoryFact], app_login: str) -> None:
    """Write what was read; say anew whose pushes the receipts are, and have runs read that came before."""
    ids = [fact.id for fact in facts]
    staff = await courses.staff_ids(conn, account_id)
    await repositories.upsert(conn, account_id, facts)
    studied = [replace(fact, students=students(fact.students, staff)) for fact in facts]
    await repositories.set_students(conn, account_id, studied)
    await receipts.classify(conn, account_id, ids, app_login)
    await runs.due_again(conn, account_id, ids)

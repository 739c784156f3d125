"""What deadlines ask of single repositories: a lock of their own where the organisation has none, and the mark.

Both are one job, since they are kept under one lease, `projects.deadline_job_at` (docs/design.md section 5).
"""

from collections.abc import Awaitable, Callable
from functools import partial

from bot.jobs import deadline_commits, repository_locks
from bot.jobs.desk import Desk
from bot.jobs.frame import Held
from bot.store import enforcement

Piece = Callable[[], Awaitable[None]]


async def run(desk: Desk, held: Held) -> None:
    """Each repository whose lock differs, then each that is not marked; one that fails does not stop the others."""
    account_id, project_id = held.lease.account_id, held.lease.key
    api = await desk.api(account_id)
    async with desk.pool.acquire() as conn:
        to_lock = await enforcement.locks_due(conn, account_id, project_id)
        to_mark = await enforcement.marks_due(conn, account_id, project_id)
    pieces: list[Piece] = [partial(repository_locks.settle, desk, held, api, repository) for repository in to_lock]
    pieces += [partial(deadline_commits.settle, desk, held, api, repository) for repository in to_mark]

    async def do(piece: Piece) -> None:
        await piece()

    await held.each(pieces, do)

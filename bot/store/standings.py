"""Pictures of a project, of which the difference is what a command changes (docs/design.md section 10)."""

from bot.model import Project
from bot.rules.effects import Crossing, Picture, Standing
from bot.store import projects, queries
from bot.store.records import Conn, many

Q = queries.load("standings")


async def picture(conn: Conn, project: Project) -> Picture:
    """The project and its repositories as this transaction sees them now."""
    now = await projects.hold(conn, project.account_id, project.id)
    rows = many(Standing, await conn.fetch(Q["of_project"], project.account_id, project.id))
    return Picture(now.state, now.strategy == "lock", now.deadline_at, {row.repository_id: row for row in rows})


async def crossed(conn: Conn, project: Project, before: Picture) -> list[Crossing]:
    """The commits whose verdict is another one than in the picture, as the deadlines are now."""
    ids = list(before.standings)
    deadlines = [row.effective_at for row in before.standings.values()]
    return many(Crossing, await conn.fetch(Q["crossed"], project.account_id, project.id, ids, deadlines))

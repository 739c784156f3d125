"""`repository`: the event only says which one; what it is now is read from GitHub by a job.

So a late or repeated `deleted` or `renamed` cannot undo what came after it (docs/design.md section 4).
"""

from bot.rules import names
from bot.store import projects, repositories
from bot.store.deliveries import Delivery
from bot.store.records import Conn
from bot.webhooks import payloads
from bot.webhooks.handling import Handling, decode

HEARD_AS = {"deleted": "deleted", "transferred": "transferred"}


async def handle(conn: Conn, delivery: Delivery, handling: Handling) -> None:
    """One of ours is to be read again; a new one that a project may take is to be read too."""
    body = decode(payloads.RepositoryBody, delivery)
    if body.repository and body.former_owner:
        # Told by the new owner's installation; whoever had it before learns of it nowhere else.
        await repositories.heard_of(conn, body.former_owner.id, [body.repository.id], "transferred")
    if body.repository:
        await look_at(conn, delivery.account_id, [body.repository], handling, HEARD_AS.get(delivery.action or ""))


async def look_at(
    conn: Conn,
    account_id: int,
    heard: list[payloads.RepositoryRef],
    handling: Handling,
    heard_as: str | None = None,
) -> None:
    """Have these repositories read: those we know, and those whose name fits a project that still enrols."""
    known = await repositories.heard_of(conn, account_id, [repository.id for repository in heard], heard_as)
    patterns = [project.repository_glob for project in await projects.taking(conn, account_id, handling.now)]
    for repository in heard:
        if repository.id not in known and any(names.matches(repository.name, glob) for glob in patterns):
            await repositories.expect(conn, account_id, repository.id, repository.name)

"""`installation_repositories`: what was added may belong to a project, what was removed may be one of ours."""

from bot.store.deliveries import Delivery
from bot.store.records import Conn
from bot.webhooks import payloads, repository
from bot.webhooks.handling import Handling, decode


async def handle(conn: Conn, delivery: Delivery, handling: Handling) -> None:
    """Have each of them read; the reading says whether it can be reached."""
    body = decode(payloads.RepositoryListBody, delivery)
    await repository.look_at(conn, delivery.account_id, body.repositories_added, handling)
    await repository.look_at(conn, delivery.account_id, body.repositories_removed, handling, "removed")

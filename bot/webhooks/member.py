"""`member`: who works in a repository changed: it is read again, as for its own events."""

from bot.store.deliveries import Delivery
from bot.store.records import Conn
from bot.webhooks import repository
from bot.webhooks.handling import Handling


async def handle(conn: Conn, delivery: Delivery, handling: Handling) -> None:
    """The people of a repository are read with it."""
    await repository.handle(conn, delivery, handling)

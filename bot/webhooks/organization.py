"""`organization`: it may have another login, by which rulesets and teams are addressed: read the installation again."""

from bot.store.deliveries import Delivery
from bot.store.records import Conn
from bot.webhooks import installation
from bot.webhooks.handling import Handling


async def handle(conn: Conn, delivery: Delivery, handling: Handling) -> None:
    """As for an event of the installation itself."""
    await installation.handle(conn, delivery, handling)

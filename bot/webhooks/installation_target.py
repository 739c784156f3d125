"""`installation_target`: the account the App is installed on was renamed: the installation is read again."""

from bot.store.deliveries import Delivery
from bot.store.records import Conn
from bot.webhooks import installation
from bot.webhooks.handling import Handling


async def handle(conn: Conn, delivery: Delivery, handling: Handling) -> None:
    """As for an event of the installation itself."""
    await installation.handle(conn, delivery, handling)

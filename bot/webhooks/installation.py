"""`installation`: the event only says which one; its state is read from GitHub, so a late replay resurrects nothing."""

from bot.store import installations
from bot.store.deliveries import Delivery
from bot.store.records import Conn
from bot.webhooks import payloads
from bot.webhooks.handling import Handling, decode


async def handle(conn: Conn, delivery: Delivery, _handling: Handling) -> None:
    """Have it read."""
    body = decode(payloads.Envelope, delivery)
    if body.installation and body.account:
        await installations.heard_of(conn, delivery.account_id, body.installation.id, body.account.login)

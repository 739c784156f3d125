"""`issues`: somebody changed an issue itself. If it is a control issue, what the bot keeps in it is looked at again."""

from bot.store import boards
from bot.store.deliveries import Delivery
from bot.store.records import Conn
from bot.webhooks import payloads
from bot.webhooks.handling import Handling, decode


async def handle(conn: Conn, delivery: Delivery, handling: Handling) -> None:
    """Have it compared with what it should show; our own edits come back as events too and say nothing new."""
    body = decode(payloads.IssueBody, delivery)
    if body.sender is None or body.sender.login != handling.app_login:
        await boards.touched(conn, delivery.account_id, body.repository.id, body.issue.number)

"""`workflow_run`: each attempt of each run is recorded, in any order; a completed one is read by a job."""

from bot.rules.runs import heard
from bot.store import runs
from bot.store.deliveries import Delivery
from bot.store.records import Conn
from bot.webhooks import payloads
from bot.webhooks.handling import Handling, decode


async def handle(conn: Conn, delivery: Delivery, _handling: Handling) -> None:
    """Record the attempt as the event tells it."""
    body = decode(payloads.WorkflowRunBody, delivery)
    await runs.record(conn, heard(delivery.account_id, body.repository.id, body.workflow_run))

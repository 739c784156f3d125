"""What a delivery is filed under, read of its body: for the webhook, and for what GitHub's log has of it."""

from uuid import UUID

import msgspec

from bot.errors import GivenUp
from bot.store.deliveries import Arrival
from bot.webhooks import payloads
from bot.webhooks.push import branch_push

UNREADABLE = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError)


class Unusable(GivenUp):
    """The delivery cannot be stored, for this reason: a webhook is answered with 400."""


def understand(guid: str, event: str, body: bytes) -> Arrival:
    """What a delivery is filed under. Raises Unusable saying what is missing."""
    if not event:
        raise Unusable("the header X-GitHub-Event is missing")
    try:
        delivery_id = UUID(guid)
    except ValueError:
        raise Unusable("the header X-GitHub-Delivery is not a GUID") from None
    try:
        envelope = msgspec.json.decode(body, type=payloads.Envelope)
        push = branch_push(msgspec.json.decode(body, type=payloads.PushBody)) if event == "push" else None
    except UNREADABLE as error:
        raise Unusable(f"the body is not the JSON object of this event: {error}") from None
    account = envelope.account
    return Arrival(
        account_id=account.id if account else 0,
        guid=delivery_id,
        event=event,
        action=envelope.action,
        installation_id=envelope.installation.id if envelope.installation else None,
        repository_id=envelope.repository.id if envelope.repository else None,
        body=body,
        push=push,
    )

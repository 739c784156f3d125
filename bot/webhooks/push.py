"""`push`: the receipt was written with the delivery; here it is understood: whose it is, and what follows from it."""

from datetime import UTC, datetime

from bot.store import checks, enrolments, receipts
from bot.store.deliveries import Delivery
from bot.store.receipts import Push, Source
from bot.store.records import Conn
from bot.webhooks import payloads
from bot.webhooks.handling import Handling, decode

BRANCH = "refs/heads/"
NO_COMMIT = "0" * 40


def branch_push(body: payloads.PushBody) -> Push | None:
    """The push as evidence, or None for a tag, another ref, or the deletion of a branch."""
    if not body.ref.startswith(BRANCH) or body.deleted or body.after == NO_COMMIT:
        return None
    pushed_at = body.repository.pushed_at
    sender = body.sender
    return Push(
        ref=body.ref,
        head_sha=body.after,
        before_sha=body.before,
        forced=body.forced,
        pushed_at=datetime.fromtimestamp(pushed_at, UTC) if isinstance(pushed_at, int) else None,
        sender_id=sender.id if sender else None,
        sender_login=sender.login if sender else None,
        sender_type=sender.type if sender else None,
    )


async def handle(conn: Conn, delivery: Delivery, handling: Handling) -> None:
    """Write the receipt if it could not be written on arrival, say whose push it was, and ask for its check.

    The score is chosen anew: a run may have been read before its push was understood.
    """
    body = decode(payloads.PushBody, delivery)
    push = branch_push(body)
    if push is None:
        return
    repository_id = body.repository.id
    source = Source(delivery.account_id, repository_id, delivery.received_at, delivery.guid)
    # Held before the receipts: a tick that applies the deadline meanwhile then skips the repository and cannot be
    # caught between this and a reading of the repository.
    await enrolments.hold(conn, delivery.account_id, [repository_id])
    await receipts.record(conn, source, push)
    await receipts.classify(conn, delivery.account_id, [repository_id], handling.app_login)
    await enrolments.reselect(conn, delivery.account_id, [repository_id], handling.now)
    await checks.due(conn, delivery.account_id, repository_id, [push.head_sha])

"""`push`: the receipt was written with the delivery; here it is understood: whose it is, and what follows from it."""

from datetime import UTC, datetime

from bot.store import enrolments, evidence, receipts
from bot.store.deliveries import Delivery
from bot.store.evidence import Witness
from bot.store.receipts import Heard, Push, Source
from bot.store.records import Conn
from bot.webhooks import payloads
from bot.webhooks.handling import Handling, decode

BRANCH = "refs/heads/"
NO_COMMIT = "0" * 40
MOST_COMMITS = 2048
"""A push event lists no more of them ("Webhook events and payloads", push)."""


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
    """Add what this delivery tells to the receipt that was written on arrival, or write it, and judge anew."""
    body = decode(payloads.PushBody, delivery)
    push = branch_push(body)
    if push is None:
        return
    repository_id = body.repository.id
    source = Source(delivery.account_id, repository_id, delivery.received_at, delivery.guid, delivery.logged_at)
    await enrolments.hold(conn, delivery.account_id, [repository_id])
    heard = await receipts.hear(conn, source, push)
    if heard.news == "known":
        # Its receipt was written on arrival, and nobody has been told of it yet.
        heard = Heard("new", None, heard.becomes)
    shas = [commit.id for commit in body.commits]
    complete = push.before_sha != NO_COMMIT and len(shas) < MOST_COMMITS
    await receipts.list_commits(conn, source, push.ref, push.head_sha, shas, complete=complete)
    recovered = delivery.logged_at is not None
    witness = Witness("delivery log" if recovered else "webhook", recovered, handling.app_login)
    await evidence.follow(conn, (delivery.account_id, repository_id), [(push.head_sha, heard)], witness, handling.now)

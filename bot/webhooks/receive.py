"""`POST /webhook`: verify, store, answer; nothing is understood here (docs/design.md sections 2 and 14)."""

import time
from collections.abc import Callable
from dataclasses import dataclass

import asyncpg
from aiohttp import web

from bot import failpoints, log, metrics
from bot.store import deliveries
from bot.webhooks import envelope
from bot.webhooks.envelope import Unusable
from bot.webhooks.events import HANDLERS
from bot.webhooks.signature import is_genuine

LARGEST_BODY = 25_000_000
"""GitHub sends no larger one."""

UNREACHABLE = (
    # Whatever it is (a server that shuts down, that has no room left, a deadlock): the delivery is asked for again.
    asyncpg.PostgresError,
    asyncpg.InterfaceError,
    OSError,
    TimeoutError,
)


@dataclass(frozen=True, slots=True)
class Intake:
    """What the webhook needs: the database, the secret, whom to wake once something is stored, and whom to tell of what
    could not be: GitHub's log still has it, and does not repeat it by itself.
    """

    pool: "asyncpg.Pool[asyncpg.Record]"
    secret: str
    wake: Callable[[], None]
    lost: Callable[[], None]


async def receive(request: web.Request, intake: Intake) -> web.Response:
    """Answer one delivery: 202 stored, known or of no interest; 401, 400, 413 or 503 with nothing stored."""
    begun = time.monotonic()
    event = request.headers.get("X-GitHub-Event", "")
    try:
        body = await request.read()
    except web.HTTPRequestEntityTooLarge:
        return _answer(event, 413, f"a body of more than {LARGEST_BODY} bytes is not GitHub's")
    if not is_genuine(body, request.headers.get("X-Hub-Signature-256"), intake.secret):
        return _answer(event, 401, "the signature does not fit: is WEBHOOK_SECRET the App's?")
    try:
        arrival = envelope.understand(request.headers.get("X-GitHub-Delivery", ""), event, body)
    except Unusable as problem:
        return _answer(event, 400, str(problem))
    if event not in HANDLERS:
        return _answer(event, 202, "ignored: no such event is asked for")
    try:
        async with intake.pool.acquire() as conn:
            fresh = await deliveries.record(conn, arrival, time.monotonic() - begun)
    except asyncpg.DataError as problem:
        # A number beyond 64 bits, a NUL in a text: JSON, but nothing that GitHub sends.
        return _answer(event, 400, f"a value of the body cannot be stored: {problem}")
    except UNREACHABLE as error:
        intake.lost()
        log.get().error("delivery not stored", action="webhook.unstored", delivery=str(arrival.guid), error=str(error))
        return _answer(event, 503, "the database cannot be reached: deliver it again")
    failpoints.reach("delivery.stored")
    metrics.receipt_seconds.observe(time.monotonic() - begun)
    if not fresh:
        return _answer(event, 202, "known: it was delivered before")
    intake.wake()
    return _answer(event, 202, "stored")


def _answer(event: str, status: int, text: str) -> web.Response:
    # An event's name comes from outside: only names we know may become a label.
    metrics.deliveries_total.labels(event=event if event in HANDLERS else "other", outcome=str(status)).inc()
    return web.Response(status=status, text=f"{text}\n")

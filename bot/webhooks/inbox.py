"""Understand what was stored: one delivery at a time, in one transaction with what it changes; any number of times."""

from dataclasses import dataclass

import asyncpg

from bot import failpoints, log
from bot.errors import GivenUp, TryAgain
from bot.rules import backoff
from bot.store import clock, deliveries, installations
from bot.store.deliveries import Delivery
from bot.store.records import Conn
from bot.webhooks.events import HANDLERS
from bot.webhooks.handling import Handling

LOOK_UP_SECONDS = 5.0
"""A delivery of an installation we do not know waits this long for it to be read, and is woken once it is."""


@dataclass(frozen=True, slots=True)
class Inbox:
    """What understanding needs: the database and the login of our App's bot."""

    pool: "asyncpg.Pool[asyncpg.Record]"
    app_login: str


async def understand_next(inbox: Inbox) -> bool:
    """Understand the oldest delivery that is due; False if there is none. Never raises for what a delivery holds.

    Its row lock is all the lease it needs: understanding is SQL alone.
    """
    async with inbox.pool.acquire() as conn, conn.transaction():
        delivery = await deliveries.next_due(conn)
        if delivery is None:
            return False
        with log.bound(delivery=str(delivery.guid), repository=delivery.repository_id, github_event=delivery.event):
            await _settle(conn, delivery, inbox)
            failpoints.reach("delivery.understood")
    return True


async def _settle(conn: Conn, delivery: Delivery, inbox: Inbox) -> None:
    try:
        outcome = await _understand(conn, delivery, inbox)
    except TryAgain as wait:
        await deliveries.postpone(conn, delivery, wait.after_seconds, wait.reason)
    except (GivenUp, asyncpg.DataError) as reason:
        # A number too wide or a text with a zero byte never fits: trying again would only hold up the freezes.
        log.get().warning("delivery given up", action="delivery.given_up", error=str(reason))
        await deliveries.handled(conn, delivery, f"given up: {reason}")
    except Exception as error:
        await _failed(conn, delivery, error)
    else:
        await deliveries.handled(conn, delivery, outcome)


async def _understand(conn: Conn, delivery: Delivery, inbox: Inbox) -> str:
    handler = HANDLERS.get(delivery.event)
    if handler is None:
        return "recorded"
    if delivery.event != "installation" and not await _is_installed(conn, delivery):
        return "ignored: GitHub knows no such installation"
    # A savepoint: what a handler did before it failed is undone, and the row that says so is kept.
    async with conn.transaction():
        await handler(conn, delivery, Handling(await clock.now(conn), inbox.app_login))
    return "understood"


async def _is_installed(conn: Conn, delivery: Delivery) -> bool:
    """Whether GitHub knows its installation. Raises TryAgain until that was read, and has it read where nobody did."""
    if delivery.installation_id is None:
        return True
    installation = await installations.by_id(conn, delivery.account_id, delivery.installation_id)
    if installation is None:
        await installations.heard_of(conn, delivery.account_id, delivery.installation_id, "")
    if installation is None or installation.state == "unknown":
        raise TryAgain("its installation is being looked up", LOOK_UP_SECONDS)
    return installation.state != "gone"


async def _failed(conn: Conn, delivery: Delivery, error: Exception) -> None:
    """A fault of ours: tried again, later each time; given up in the end so that no freeze waits for it for ever."""
    after = backoff.next_try_seconds(delivery.attempts)
    log.get().exception("handler failed", action="delivery.failed", attempts=delivery.attempts + 1)
    if after is None:
        await deliveries.handled(conn, delivery, f"given up: {type(error).__name__}: {error}")
    else:
        await deliveries.postpone(conn, delivery, after, f"{type(error).__name__}: {error}")

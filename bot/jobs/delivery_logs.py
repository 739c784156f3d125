"""What GitHub delivered and we never stored, fetched from its log and stored as if it had arrived: with its first time.

What is stored so is understood by the same handlers; its row wakes them, as any delivery's does.
"""

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

import asyncpg

from bot import failpoints, log, metrics
from bot.errors import GivenUp
from bot.github import delivery_logs as github
from bot.jobs.desk import Desk
from bot.jobs.frame import Held
from bot.rules import delivery_logs as rules
from bot.rules.delivery_logs import Attempt, Logged
from bot.store import clock, deliveries, delivery_logs, enrolments, evidence, receipts
from bot.store.deliveries import Arrival
from bot.store.delivery_logs import Earlier, Reading
from bot.store.evidence import Witness

RECOVERED, ASKED, LOST, CAME = "recovered", "asked for again", "lost", "came meanwhile"


async def run(desk: Desk, held: Held) -> None:
    """Recover what was missed, add the first attempt's time to what is known, and note how far the log was read.

    A reading that is cut short begins anew: what it stored is known then, and not fetched again.
    """
    reading = await _begin(desk, held)
    attempts = await _list(desk, held, reading.back_to)
    logged = rules.deliveries(attempts)
    missed = await _missed(desk, held, logged)
    tally = Counter[str]()

    async def recover(one: Logged) -> None:
        tally[await _recover(desk, one)] += 1

    await held.each(missed, recover)
    improved = await _date(desk, held, logged)
    up_to = max((attempt.delivered_at for attempt in attempts), default=None)
    async with held.finishing() as conn:
        words = _words(len(logged), len(missed), tally, improved)
        await delivery_logs.finish(conn, held.lease, reading, up_to, words)


async def _begin(desk: Desk, held: Held) -> Reading:
    async with desk.pool.acquire() as conn:
        return await delivery_logs.begin(conn, held.lease)


async def _list(desk: Desk, held: Held, back_to: datetime | None) -> list[Attempt]:
    """Every attempt since then, newest first, whatever became of it."""
    found = list[Attempt]()
    async for page in github.newest_first(desk.hub):
        found += page
        if back_to is not None and page and page[-1].delivered_at < back_to:
            break
        await held.renew()
    return found


async def _missed(desk: Desk, held: Held, logged: Sequence[Logged]) -> list[Logged]:
    """What was never stored, of the events that are taken, in the order in which it is recovered."""
    taken = [one for one in logged if one.event in desk.filing.events]
    async with desk.pool.acquire() as conn:
        unknown = await delivery_logs.news(conn, [one.guid for one in taken])
        await delivery_logs.progress(conn, held.lease, f"{_count(len(logged))} listed, {len(unknown)} missed: at work")
    if unknown:
        log.get().warning("deliveries were missed", action="delivery_log.missed", count=len(unknown))
    return [one for one in taken if one.guid in unknown]


async def _recover(desk: Desk, one: Logged) -> str:
    """Store it with the time of its first attempt, or have it delivered again if it cannot be read; which of them."""
    arrival = _filed(desk, one, await github.payload(desk.hub, one.attempt_id))
    failpoints.reach("missed_delivery.read")
    if arrival is None:
        return await _ask_again(desk, one)
    try:
        async with desk.pool.acquire() as conn:
            fresh = await deliveries.record(conn, replace(arrival, logged_at=one.first_at), held_seconds=0)
    except asyncpg.DataError:
        # As in bot/webhooks/receive.py: nothing that GitHub sends. The answer to its redelivery will say so.
        return await _ask_again(desk, one)
    metrics.deliveries_total.labels(event=one.event, outcome="recovered").inc()
    return RECOVERED if fresh else CAME


def _filed(desk: Desk, one: Logged, payload: dict[str, object] | None) -> Arrival | None:
    """What it is filed under. GitHub's log gives the payload as a value: the body it signed is not to be had."""
    if payload is None:
        return None
    try:
        return desk.filing.understand(one.guid, one.event, json.dumps(payload, separators=(",", ":")).encode())
    except GivenUp as problem:
        log.get().warning("payload unusable", action="delivery_log.unusable", delivery=one.guid, error=str(problem))
        return None


async def _ask_again(desk: Desk, one: Logged) -> str:
    # In this order: it may arrive before we are told that it was sent, and must find its first time then.
    async with desk.pool.acquire() as conn:
        await delivery_logs.note(conn, one)
    sent = await github.redeliver(desk.hub, one.attempt_id)
    failpoints.reach("missed_delivery.asked")
    async with desk.pool.acquire() as conn:
        await delivery_logs.asked(conn, one)
    if not sent:
        log.get().warning("a delivery is lost", action="delivery_log.lost", delivery=one.guid, github_event=one.event)
    return ASKED if sent else LOST


async def _date(desk: Desk, held: Held, logged: Sequence[Logged]) -> int:
    """Add the first attempt to pushes that came later, by themselves or by a person's hand; to how many."""
    async with desk.pool.acquire() as conn:
        earlier = await delivery_logs.earlier(conn, logged)

    async def add(push: Earlier) -> None:
        await _add_time(desk, push)

    await held.each(earlier, add)
    return len(earlier)


async def _add_time(desk: Desk, push: Earlier) -> None:
    where = (push.account_id, push.repository_id)
    witness = Witness("delivery log", recovered=True, app_login=desk.app_login)
    async with desk.pool.acquire() as conn, conn.transaction():
        known = await delivery_logs.heard_by(conn, push)
        # Held once nobody is in the middle of understanding it any more, as whoever does takes them in this order.
        await enrolments.hold(conn, push.account_id, [push.repository_id])
        heard = [(told.head_sha, await receipts.hear(conn, source, told)) for source, told in known]
        await evidence.follow(conn, where, heard, witness, await clock.now(conn))


def _words(listed: int, missed: int, tally: Counter[str], improved: int) -> str:
    became = ", ".join(f"{count} {what}" for what, count in sorted(tally.items()))
    dated = f"; {improved} dated earlier" if improved else ""
    return f"{_count(listed)} listed, {missed} missed{f': {became}' if became else ''}{dated}"


def _count(number: int) -> str:
    return f"{number} {'delivery' if number == 1 else 'deliveries'}"

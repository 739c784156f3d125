"""What of GitHub's log is news, what it adds to what is known, and when it is to be read (docs/design.md section 3)."""

from datetime import datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest

from bot.rules.delivery_logs import Logged
from bot.store import clock, deliveries, delivery_logs, enrolments, leases, receipts
from bot.store.delivery_logs import Earlier, Reading
from bot.store.receipts import Push, Source
from bot.store.records import Conn

from . import rows
from .rows import ACCOUNT, DEADLINE, MAIN, TICK
from .sessions import beside
from .test_receipts import REPOSITORY, arrival
from .work import take

MINUTE = timedelta(minutes=1)
ZERO = "0" * 40
PUSH = Push(MAIN, "a", ZERO, False, None, 11, "amy", "User")


def logged(guid: UUID, first_at: datetime = DEADLINE) -> Logged:
    """A delivery as the log has it."""
    return Logged(str(guid), "push", first_at, 1)


async def earlier(conn: Conn, guid: UUID, first_at: datetime) -> list[Earlier]:
    """What one delivery of the log would add."""
    return await delivery_logs.earlier(conn, [logged(guid, first_at)])


async def add(conn: Conn, found: list[Earlier]) -> list[str]:
    """Add what the log tells, and what became of it."""
    return [
        (await receipts.hear(conn, source, push)).news
        for it in found
        for source, push in await delivery_logs.heard_by(conn, it)
    ]


async def test_news_is_what_was_neither_stored_nor_asked_for_again(conn: Conn) -> None:
    stored = await rows.delivery(conn, DEADLINE, account_id=8)
    noted, asked, never = uuid4(), uuid4(), uuid4()
    for guid in (noted, asked):
        await delivery_logs.note(conn, logged(guid))
    await delivery_logs.asked(conn, logged(asked))

    assert await delivery_logs.news(conn, [str(it) for it in (stored, noted, asked, never)]) == {str(noted), str(never)}


async def test_what_comes_again_has_the_earliest_first_attempt_that_was_noted(conn: Conn) -> None:
    await rows.installation(conn)
    await clock.stand(conn, DEADLINE + MINUTE)
    guid = uuid4()
    for moment in (DEADLINE, DEADLINE - MINUTE, DEADLINE):
        await delivery_logs.note(conn, logged(guid, moment))

    await deliveries.record(conn, arrival(PUSH, guid), 0.0)

    assert await conn.fetchval("SELECT logged_at FROM deliveries") == DEADLINE - MINUTE
    assert await conn.fetchval("SELECT received_at FROM receipts") == DEADLINE - MINUTE


async def test_only_a_time_before_what_stands_is_added(conn: Conn) -> None:
    await rows.installation(conn)
    guid = await rows.delivery(conn, DEADLINE, repository_id=REPOSITORY, handled_at=DEADLINE)
    await rows.receipt(conn, REPOSITORY, "a", DEADLINE, guid=guid, pushed_at=DEADLINE - MINUTE)

    assert await earlier(conn, guid, DEADLINE - MINUTE) == []
    assert await add(conn, await earlier(conn, guid, DEADLINE - MINUTE - TICK)) == ["earlier"]
    assert await conn.fetchval("SELECT received_at FROM receipts") == DEADLINE - MINUTE - TICK
    assert await earlier(conn, guid, DEADLINE - MINUTE - TICK) == []


async def test_a_claim_that_was_too_old_for_the_arrival_is_believed_once_the_log_agrees(conn: Conn) -> None:
    guid = await rows.delivery(conn, DEADLINE + 30 * MINUTE, repository_id=REPOSITORY, handled_at=DEADLINE)
    claimed = DEADLINE - TICK
    await rows.receipt(conn, REPOSITORY, "a", DEADLINE + 30 * MINUTE, guid=guid, claimed_at=claimed)

    await add(conn, await earlier(conn, guid, DEADLINE + MINUTE))

    assert await conn.fetchval("SELECT received_at FROM receipts") == claimed


async def test_a_head_that_came_back_gains_the_time_and_not_the_receipt_of_before(conn: Conn) -> None:
    guid = await rows.delivery(conn, DEADLINE + 9 * MINUTE, repository_id=REPOSITORY, handled_at=DEADLINE)
    await rows.receipt(conn, REPOSITORY, "a", DEADLINE - 9 * MINUTE)
    back = Push(MAIN, "a", "b", True, None, 11, "amy", "User")
    await receipts.hear(conn, Source(ACCOUNT, REPOSITORY, DEADLINE + 9 * MINUTE, guid), back)

    await add(conn, await earlier(conn, guid, DEADLINE))

    assert await conn.fetchval("SELECT received_at FROM returned_heads") == DEADLINE
    assert await conn.fetchval("SELECT received_at FROM receipts") == DEADLINE - 9 * MINUTE


@pytest.mark.parametrize("handled", [False, True])
async def test_a_delivery_without_receipt_takes_the_time_along_until_it_is_understood(
    conn: Conn, handled: bool
) -> None:
    columns: dict[str, Any] = {"repository_id": REPOSITORY, "handled_at": DEADLINE if handled else None}
    guid = await rows.delivery(conn, DEADLINE, **columns)

    found = await earlier(conn, guid, DEADLINE - MINUTE)
    assert await add(conn, found) == []

    assert len(found) == (not handled)
    assert await conn.fetchval("SELECT logged_at FROM deliveries") == (None if handled else DEADLINE - MINUTE)


async def test_who_dates_a_delivery_waits_for_who_understands_it_and_finds_its_receipt(conn: Conn, other: Conn) -> None:
    guid = await rows.delivery(conn, DEADLINE, repository_id=REPOSITORY)
    (it,) = await earlier(conn, guid, DEADLINE - MINUTE)

    async with conn.transaction():
        await conn.execute("SELECT FROM deliveries FOR UPDATE")
        dating = await beside(conn, other, delivery_logs.heard_by(other, it))
        assert not dating.done()
        await receipts.hear(conn, Source(ACCOUNT, REPOSITORY, DEADLINE, guid), PUSH)
        await conn.execute("UPDATE deliveries SET handled_at = $1", DEADLINE)

    ((source, push),) = await dating
    assert (source.logged_at, push.head_sha) == (DEADLINE - MINUTE, "a")


async def test_what_was_put_off_is_not_hastened_by_a_mark(conn: Conn) -> None:
    holder = await rows.process(conn)
    assert await delivery_logs.due(conn) == 1
    (lease,) = await take(conn, "delivery_logs", holder)
    await leases.fail(conn, lease, 600, after_seconds=1800)

    assert await delivery_logs.due(conn) == 0
    assert await take(conn, "delivery_logs", holder) == []


async def test_a_mark_made_while_it_is_read_stays_however_often_the_lease_was_renewed_since(conn: Conn) -> None:
    await delivery_logs.due(conn)
    (lease,) = await take(conn, "delivery_logs", await rows.process(conn))
    reading = await delivery_logs.begin(conn, lease)
    await delivery_logs.due(conn)
    lease = await leases.renew(conn, lease)

    await delivery_logs.finish(conn, lease, reading, DEADLINE, "read")
    assert await conn.fetchval("SELECT due_at > $1 FROM delivery_logs", reading.due_at)

    await delivery_logs.finish(conn, lease, await delivery_logs.begin(conn, lease), None, "read again")
    assert await conn.fetchval("SELECT due_at FROM delivery_logs") is None


async def test_a_reading_goes_back_to_ten_minutes_before_the_newest_attempt_of_the_last(conn: Conn) -> None:
    await delivery_logs.due(conn)
    (lease,) = await take(conn, "delivery_logs", await rows.process(conn))
    first = await delivery_logs.begin(conn, lease)
    assert first.back_to is None
    await clock.stand(conn, DEADLINE)

    for newest in (DEADLINE, DEADLINE - MINUTE, None):
        await delivery_logs.finish(conn, lease, first, newest, "read")
        assert await delivery_logs.begin(conn, lease) == Reading(DEADLINE, None, DEADLINE - 10 * MINUTE)


async def test_no_freeze_is_definitive_while_the_log_is_to_be_read_but_not_for_ever(conn: Conn) -> None:
    project_id = await rows.project(conn, state="closed")
    repository_id = await rows.enrolment(conn, project_id, deadline_applied_at=DEADLINE)
    await conn.execute(
        "INSERT INTO activities (account_id, repository_id, read_at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING",
        ACCOUNT,
        repository_id,
        DEADLINE,
    )
    await delivery_logs.due(conn)
    await conn.execute("UPDATE delivery_logs SET due_at = due_at + interval '1 hour', attempts = 239")
    assert await enrolments.freeze_due(conn, DEADLINE + MINUTE) == []

    await conn.execute("UPDATE delivery_logs SET attempts = 240")
    assert len(await enrolments.freeze_due(conn, DEADLINE + MINUTE)) == 1

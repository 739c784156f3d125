"""After an outage nothing is settled before GitHub's records were read (docs/design.md section 4)."""

from datetime import datetime, timedelta

import pytest

from bot.store import enrolments, outages
from bot.store.records import Conn

from . import rows
from .downtime import HOUR, MINUTE, OVER, applied, outage, read_activity, read_log, silent_for
from .rows import DEADLINE


async def test_the_freeze_waits_until_what_was_missed_was_asked_for_and_read(conn: Conn) -> None:
    repository = await applied(conn)
    await outage(conn, DEADLINE - HOUR, DEADLINE + MINUTE)
    assert await enrolments.freeze_due(conn, OVER) == []

    await outages.look(conn, OVER)
    await read_activity(conn, repository, OVER)
    assert await enrolments.freeze_due(conn, OVER) == []

    await read_log(conn, DEADLINE)
    assert await enrolments.freeze_due(conn, OVER) == [], "read before the outage was over"

    await read_log(conn, OVER)
    assert len(await enrolments.freeze_due(conn, OVER)) == 1


async def test_each_freeze_waits_for_its_own_repositorys_activity_and_for_no_other(conn: Conn) -> None:
    waiting, read = await applied(conn), await applied(conn)
    await rows.installation(conn)
    await outage(conn, DEADLINE - HOUR, DEADLINE + 5 * MINUTE)
    await outages.look(conn, OVER)
    await read_log(conn, OVER)
    await read_activity(conn, read, OVER)

    assert [row["repository_id"] for row in await enrolments.freeze_due(conn, OVER)] == [read]
    assert await outages.recover(conn, OVER) == 0

    await read_activity(conn, waiting, OVER)
    assert [row["repository_id"] for row in await enrolments.freeze_due(conn, OVER)] == [waiting]


@pytest.mark.parametrize(
    ("part", "began"), [("work", DEADLINE - HOUR), ("intake", OVER + rows.TICK)], ids=["work", "afterwards"]
)
async def test_the_freeze_does_not_wait_for_an_outage_that_hides_nothing_from_it(
    conn: Conn, part: str, began: datetime
) -> None:
    await applied(conn)
    await outage(conn, began, began + HOUR, part)

    assert len(await enrolments.freeze_due(conn, OVER + 2 * HOUR)) == 1


async def test_the_freeze_waits_while_nobody_takes_webhooks_in(conn: Conn) -> None:
    await applied(conn)
    await silent_for(conn, HOUR)
    # Silent since a moment before the grace ended, and since a moment after it.
    assert await enrolments.freeze_due(conn, OVER + HOUR - MINUTE) == []
    await silent_for(conn, timedelta(seconds=20), "intake")
    assert len(await enrolments.freeze_due(conn, OVER)) == 1


async def test_the_freeze_does_not_wait_where_the_silence_began_after_the_grace(conn: Conn) -> None:
    await applied(conn)
    await silent_for(conn, HOUR)

    assert len(await enrolments.freeze_due(conn, OVER + HOUR + MINUTE)) == 1


async def test_a_silence_of_the_workers_does_not_hold_the_freeze(conn: Conn) -> None:
    await applied(conn)
    await silent_for(conn, HOUR, "work")

    assert len(await enrolments.freeze_due(conn, OVER)) == 1


async def test_an_outage_is_recovered_once_log_inbox_and_activity_are_read(conn: Conn) -> None:
    repository = await applied(conn)
    await rows.installation(conn)
    await outage(conn, DEADLINE - HOUR, DEADLINE + 5 * MINUTE)
    assert await outages.recover(conn, OVER) == 0
    await outages.look(conn, OVER)

    await read_log(conn, OVER)
    assert await outages.recover(conn, OVER) == 0
    await read_activity(conn, repository, OVER)
    guid = await rows.delivery(conn, OVER, logged_at=DEADLINE - MINUTE)
    assert await outages.recover(conn, OVER) == 0
    await conn.execute("UPDATE deliveries SET handled_at = $1 WHERE guid = $2", OVER, guid)

    assert await outages.recover(conn, OVER) == 1
    assert await outages.recover(conn, OVER + HOUR) == 0
    assert await conn.fetchval("SELECT recovered_at FROM outages") == OVER


@pytest.mark.parametrize("state", ["suspended", "gone"])
async def test_the_recovery_does_not_wait_for_what_github_does_not_show_us(conn: Conn, state: str) -> None:
    await applied(conn)
    await rows.installation(conn, state=state)
    await outage(conn, DEADLINE - HOUR, DEADLINE + 5 * MINUTE)
    await outages.look(conn, OVER)
    await read_log(conn, OVER)

    assert await outages.recover(conn, OVER) == 1


async def test_neither_log_nor_activity_that_cannot_be_had_holds_anything_for_ever(conn: Conn) -> None:
    await applied(conn)
    await rows.installation(conn)
    await outage(conn, DEADLINE - HOUR, DEADLINE + 5 * MINUTE)
    await outages.look(conn, OVER)
    await conn.execute("UPDATE delivery_logs SET attempts = 240")
    await conn.execute("UPDATE activities SET attempts = 240")

    assert len(await enrolments.freeze_due(conn, OVER)) == 1
    assert await outages.recover(conn, OVER) == 1


async def test_the_recovery_counts_the_pushes_of_that_time_of_which_we_heard_afterwards(conn: Conn) -> None:
    repository = await applied(conn)
    began, ended = DEADLINE - HOUR, DEADLINE + 10 * MINUTE
    await rows.receipt(conn, repository, "before", ended, activity_at=began - MINUTE)
    await rows.receipt(conn, repository, "in time", ended, activity_at=DEADLINE - MINUTE)
    await rows.receipt(conn, repository, "in time by the log", ended + HOUR, logged_at=DEADLINE)
    await rows.receipt(conn, repository, "late", ended + HOUR, activity_at=DEADLINE + MINUTE)
    await rows.receipt(conn, repository, "by a bot", ended, activity_at=DEADLINE, pusher="bot")
    await rows.receipt(conn, repository, "heard at once", DEADLINE)
    await outage(conn, began, ended)
    await outages.look(conn, OVER)
    await read_log(conn, OVER)

    await outages.recover(conn, OVER)

    row = await conn.fetchrow("SELECT found, in_time FROM outage_repositories")
    assert row is not None
    assert tuple(row) == (3, 2)

"""When a commit reached GitHub, by which evidence, and who pushed it (docs/design.md section 3)."""

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest

from bot.store import clock, deliveries, receipts
from bot.store.deliveries import Arrival
from bot.store.receipts import Push, Source
from bot.store.records import Conn

from . import rows
from .rows import ACCOUNT, DEADLINE, INSTALLATION, MAIN
from .sessions import beside

MINUTE = timedelta(minutes=1)
REPOSITORY = 9
PUSH = Push(MAIN, "a", "0" * 40, False, None, 11, "amy", "User")


def arrival(push: Push | None, guid: UUID | None = None) -> Arrival:
    """A delivery of the event `push`."""
    return Arrival(ACCOUNT, guid or uuid4(), "push", None, INSTALLATION, REPOSITORY, b"{}", push)


@pytest.mark.parametrize(
    ("times", "evidence"),
    [
        ({}, "arrival"),
        ({"pushed_at": DEADLINE - MINUTE}, "pushed_at"),
        ({"pushed_at": DEADLINE + MINUTE}, "arrival"),
        ({"logged_at": DEADLINE - MINUTE}, "delivery log"),
        ({"activity_at": DEADLINE - MINUTE}, "activity"),
        ({"pushed_at": DEADLINE - MINUTE, "logged_at": DEADLINE, "activity_at": DEADLINE - 2 * MINUTE}, "activity"),
    ],
)
async def test_the_earliest_of_the_times_decides_and_is_named(
    conn: Conn, times: dict[str, datetime], evidence: str
) -> None:
    await rows.receipt(conn, REPOSITORY, "a", DEADLINE, **times)

    row = await conn.fetchrow("SELECT received_at, evidence FROM receipts")
    assert row is not None
    assert tuple(row) == (min([DEADLINE, *times.values()]), evidence)


async def test_the_arrival_is_course_time_less_the_time_the_request_was_held(conn: Conn) -> None:
    await rows.installation(conn)
    await clock.stand(conn, DEADLINE)

    await deliveries.record(conn, arrival(PUSH), held_seconds=2.5)

    received = DEADLINE - timedelta(seconds=2.5)
    assert await conn.fetchval("SELECT arrived_at FROM receipts") == received
    assert await conn.fetchval("SELECT received_at FROM deliveries") == received


async def test_a_delivery_is_stored_once_by_its_guid_and_its_receipt_with_it(conn: Conn) -> None:
    await rows.installation(conn)
    guid = uuid4()

    assert await deliveries.record(conn, arrival(PUSH, guid), 0.0)
    assert not await deliveries.record(conn, arrival(replace(PUSH, head_sha="b"), guid), 0.0)

    assert await conn.fetchval("SELECT count(*) FROM deliveries") == 1
    assert [row["head_sha"] for row in await conn.fetch("SELECT head_sha FROM receipts")] == ["a"]


async def test_of_two_sessions_that_store_one_delivery_one_is_told_that_it_is_new(conn: Conn, other: Conn) -> None:
    await rows.installation(conn)
    guid = uuid4()

    async with conn.transaction():
        assert await deliveries.record(conn, arrival(PUSH, guid), 0.0)
        second = await beside(conn, other, deliveries.record(other, arrival(PUSH, guid), 0.0))
        assert not second.done()

    assert not await second


async def test_the_same_head_again_on_the_branch_changes_nothing_and_on_another_branch_is_another_receipt(
    conn: Conn,
) -> None:
    await rows.installation(conn)
    await clock.stand(conn, DEADLINE)
    await deliveries.record(conn, arrival(PUSH), 0.0)
    await clock.stand(conn, DEADLINE + MINUTE)

    await deliveries.record(conn, arrival(replace(PUSH, sender_login="bo", pushed_at=DEADLINE - MINUTE)), 0.0)
    await deliveries.record(conn, arrival(replace(PUSH, ref="refs/heads/side")), 0.0)

    written = await conn.fetch("SELECT ref, received_at, sender_login FROM receipts ORDER BY ref")
    assert [tuple(row) for row in written] == [
        (MAIN, DEADLINE, "amy"),
        ("refs/heads/side", DEADLINE + MINUTE, "amy"),
    ]


@pytest.mark.parametrize("state", ["active", "suspended"])
async def test_a_push_of_a_known_installation_has_its_receipt_with_the_delivery(conn: Conn, state: str) -> None:
    await rows.installation(conn, state=state)

    await deliveries.record(conn, arrival(PUSH), 0.0)

    assert await conn.fetchval("SELECT count(*) FROM receipts") == 1


@pytest.mark.parametrize("state", [None, "unknown", "gone"])
async def test_a_push_of_an_installation_not_known_is_stored_without_a_receipt(conn: Conn, state: str | None) -> None:
    if state is not None:
        await rows.installation(conn, state=state)

    await deliveries.record(conn, arrival(PUSH), 0.0)

    assert await conn.fetchval("SELECT count(*) FROM receipts") == 0
    assert await conn.fetchval("SELECT count(*) FROM deliveries") == 1


async def test_a_receipt_written_afterwards_has_the_arrival_of_its_delivery_and_heard_again_it_is_left_as_it_is(
    conn: Conn,
) -> None:
    source = Source(ACCOUNT, REPOSITORY, DEADLINE, uuid4())

    await receipts.hear(conn, source, PUSH)
    await receipts.hear(conn, replace(source, arrived_at=DEADLINE + MINUTE), PUSH)

    assert [row["received_at"] for row in await conn.fetch("SELECT received_at FROM receipts")] == [DEADLINE]


@pytest.mark.parametrize("at_once", [True, False], ids=["with its delivery", "afterwards"])
@pytest.mark.parametrize(
    ("pushed_at", "believed"),
    [(DEADLINE - MINUTE, True), (DEADLINE - 2 * MINUTE, True), (DEADLINE - 3 * MINUTE, False)],
)
async def test_githubs_time_is_ignored_where_it_lies_before_the_receipt_of_the_commit_before(
    conn: Conn, at_once: bool, pushed_at: datetime, believed: bool
) -> None:
    await rows.installation(conn)
    await clock.stand(conn, DEADLINE)
    await rows.receipt(conn, REPOSITORY, "a", DEADLINE - 2 * MINUTE)
    push = replace(PUSH, head_sha="b", before_sha="a", pushed_at=pushed_at)

    if at_once:
        await deliveries.record(conn, arrival(push), 0.0)
    else:
        await receipts.hear(conn, Source(ACCOUNT, REPOSITORY, DEADLINE, uuid4()), push)

    received = await conn.fetchval("SELECT received_at FROM receipts WHERE head_sha = 'b'")
    assert received == (pushed_at if believed else DEADLINE)


@pytest.mark.parametrize(
    ("sender", "pusher"),
    [
        ({"sender_id": 11, "sender_login": "amy", "sender_type": "User"}, "student"),
        ({"sender_id": 12, "sender_login": "tess", "sender_type": "User"}, "staff"),
        ({"sender_id": 13, "sender_login": "both", "sender_type": "User"}, "student"),
        ({"sender_id": 14, "sender_login": "guest", "sender_type": "User"}, "person"),
        ({"sender_id": 15, "sender_login": "pencils[bot]", "sender_type": "Bot"}, "app"),
        ({"sender_id": 16, "sender_login": "github-actions[bot]", "sender_type": "Bot"}, "actions"),
        ({"sender_id": 17, "sender_login": "renovate[bot]", "sender_type": "Bot"}, "bot"),
        ({}, "person"),
    ],
)
async def test_what_kind_of_account_pushed(conn: Conn, sender: dict[str, Any], pusher: str) -> None:
    course = await rows.course(conn)
    repository = await rows.repository(conn)
    for user_id, login in ((11, "amy"), (13, "both")):
        person = {"user_id": user_id, "login": login, "role": "write"}
        await rows.insert(conn, "students", "login", account_id=ACCOUNT, repository_id=repository, **person)
    for user_id, login in ((12, "tess"), (13, "both")):
        await rows.insert(conn, "staff", "login", account_id=ACCOUNT, course_id=course, user_id=user_id, login=login)
    await rows.receipt(conn, repository, "a", DEADLINE, pusher="unknown", **sender)

    await receipts.classify(conn, ACCOUNT, [repository], "pencils[bot]")

    assert await conn.fetchval("SELECT pusher FROM receipts") == pusher


async def test_a_student_of_another_repository_is_a_person_like_any_other(conn: Conn) -> None:
    mine, theirs = await rows.repository(conn), await rows.repository(conn)
    student = {"user_id": 11, "login": "amy", "role": "write"}
    await rows.insert(conn, "students", "login", account_id=ACCOUNT, repository_id=mine, **student)
    await rows.receipt(conn, theirs, "a", DEADLINE, pusher="unknown", sender_id=11, sender_login="amy")

    await receipts.classify(conn, ACCOUNT, [theirs], "pencils[bot]")

    assert await conn.fetchval("SELECT pusher FROM receipts") == "person"

"""Several witnesses of one push, in any order: webhook, log of deliveries, activity (docs/design.md section 3)."""

from dataclasses import replace
from datetime import datetime, timedelta
from itertools import permutations
from typing import Any
from uuid import UUID

import pytest

from bot.store import enrolments, receipts
from bot.store.receipts import Heard, Push, Source
from bot.store.records import Conn

from . import rows
from .rows import ACCOUNT, DEADLINE, MAIN
from .sessions import beside

SECOND, MINUTE, HOUR = timedelta(seconds=1), timedelta(minutes=1), timedelta(hours=1)
REPOSITORY = 9
NOTHING = "0" * 40
PUSH = Push(MAIN, "a", NOTHING, False, None, 11, "amy", "User")


def webhook(arrived_at: datetime, number: int = 1, **also: Any) -> Source:
    """A delivery of its own."""
    return Source(ACCOUNT, REPOSITORY, arrived_at, UUID(int=number), **also)


def listed(activity_at: datetime, number: int = 1) -> Source:
    """An entry of GitHub's activity, read hours later."""
    return Source(ACCOUNT, REPOSITORY, DEADLINE + 9 * HOUR, activity_at=activity_at, activity_id=number)


async def receipt(conn: Conn, sha: str = "a") -> tuple[datetime, str]:
    """When a head was received, and what decided that."""
    row = await conn.fetchrow("SELECT received_at, evidence FROM receipts WHERE head_sha = $1", sha)
    assert row is not None
    return tuple(row)


async def returns(conn: Conn) -> list[datetime]:
    """When heads came back."""
    return [
        row["received_at"] for row in await conn.fetch("SELECT received_at FROM returned_heads ORDER BY received_at")
    ]


async def test_the_activity_adds_its_time_to_the_receipt_and_the_earlier_decides(conn: Conn) -> None:
    await receipts.hear(conn, webhook(DEADLINE + 20 * SECOND), PUSH)

    heard = await receipts.hear(conn, listed(DEADLINE - SECOND), PUSH)

    assert heard == Heard("earlier", DEADLINE + 20 * SECOND, DEADLINE - SECOND)
    assert await receipt(conn) == (DEADLINE - SECOND, "activity")
    assert await returns(conn) == []


async def test_a_later_time_is_kept_and_decides_nothing(conn: Conn) -> None:
    await receipts.hear(conn, webhook(DEADLINE), PUSH)

    heard = await receipts.hear(conn, listed(DEADLINE + 2 * SECOND), PUSH)

    assert (heard.news, heard.was, heard.becomes) == ("added", DEADLINE, DEADLINE)
    assert await receipt(conn) == (DEADLINE, "arrival")
    assert await conn.fetchval("SELECT activity_at FROM receipts") == DEADLINE + 2 * SECOND


@pytest.mark.parametrize("order", list(permutations(range(3))), ids=str)
async def test_three_witnesses_of_one_push_make_one_receipt_whichever_comes_first(
    conn: Conn, order: tuple[int, ...]
) -> None:
    pushed_at = DEADLINE - MINUTE
    told = replace(PUSH, pushed_at=pushed_at)
    witnesses = [
        (webhook(DEADLINE + 3 * MINUTE), told),
        (webhook(DEADLINE + HOUR, logged_at=DEADLINE - 50 * SECOND), told),
        (listed(pushed_at), PUSH),
    ]

    for number in order:
        await receipts.hear(conn, *witnesses[number])

    assert await receipt(conn) == (pushed_at, "pushed_at")
    (row,) = await conn.fetch("SELECT arrived_at, logged_at, activity_at, guid, activity_id FROM receipts")
    assert tuple(row) == (DEADLINE + 3 * MINUTE, DEADLINE - 50 * SECOND, pushed_at, UUID(int=1), 1)
    assert await returns(conn) == []


async def test_what_is_heard_again_is_no_news(conn: Conn) -> None:
    await receipts.hear(conn, webhook(DEADLINE), PUSH)
    await receipts.hear(conn, listed(DEADLINE), PUSH)

    assert (await receipts.hear(conn, webhook(DEADLINE), PUSH)).news == "known"
    assert (await receipts.hear(conn, listed(DEADLINE), PUSH)).news == "known"


async def test_of_two_sessions_that_hear_of_one_push_by_different_witnesses_one_makes_the_receipt(
    conn: Conn, other: Conn
) -> None:
    async with conn.transaction():
        await receipts.hear(conn, webhook(DEADLINE + 5 * SECOND), PUSH)
        second = await beside(conn, other, receipts.hear(other, listed(DEADLINE), PUSH))
        assert not second.done()

    assert (await second).news == "earlier"
    assert await receipt(conn) == (DEADLINE, "activity")


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0), (1, 2, 0)], ids=str)
@pytest.mark.parametrize("by", ["webhook", "activity"])
async def test_a_head_that_is_pushed_back_is_the_last_one_again_and_was_received_when_it_first_was(
    conn: Conn, by: str, order: tuple[int, ...]
) -> None:
    project_id = await rows.project(conn)
    await rows.enrolment(conn, project_id, await rows.repository(conn, id=REPOSITORY))
    moves = [(NOTHING, "a"), ("a", "b"), ("b", "a")]

    for number in order:
        before, sha = moves[number]
        at = DEADLINE - HOUR + number * MINUTE
        source = webhook(at, number) if by == "webhook" else listed(at, number)
        await receipts.hear(conn, source, replace(PUSH, head_sha=sha, before_sha=before, forced=number == 2))
    await receipts.classify(conn, ACCOUNT, [REPOSITORY], "app[bot]")

    assert (await receipt(conn))[0] == DEADLINE - HOUR
    assert await returns(conn) == [DEADLINE - HOUR + 2 * MINUTE]
    assert (await receipts.latest(conn, ACCOUNT, project_id))[REPOSITORY]["head_sha"] == "a"


async def test_a_head_that_came_back_is_known_by_both_its_witnesses_once(conn: Conn) -> None:
    for number, (before, sha) in enumerate([(NOTHING, "a"), ("a", "b"), ("b", "a")]):
        push = replace(PUSH, head_sha=sha, before_sha=before)
        await receipts.hear(conn, webhook(DEADLINE + number * HOUR, number), push)
        await receipts.hear(conn, listed(DEADLINE + number * HOUR - SECOND, number), push)

    assert await returns(conn) == [DEADLINE + 2 * HOUR - SECOND]
    assert (await receipt(conn))[0] == DEADLINE - SECOND


async def test_the_same_head_to_and_fro_within_a_minute_is_told_apart_by_githubs_own_numbers(conn: Conn) -> None:
    moves = [(NOTHING, "a"), ("a", "b"), ("b", "a"), ("a", "b"), ("b", "a")]
    for number, (before, sha) in enumerate(moves):
        await receipts.hear(
            conn, listed(DEADLINE + number * SECOND, number), replace(PUSH, head_sha=sha, before_sha=before)
        )

    assert await returns(conn) == [DEADLINE + number * SECOND for number in (2, 3, 4)]


async def test_a_commit_inside_a_push_was_received_with_it(conn: Conn) -> None:
    repository = await rows.enrolment(conn, await rows.project(conn), await rows.repository(conn, id=REPOSITORY))
    await receipts.hear(conn, webhook(DEADLINE - HOUR), replace(PUSH, head_sha="c"))
    await receipts.list_commits(conn, webhook(DEADLINE), MAIN, "c", ["a", "b", "c"], complete=True)
    # Pushed back to by force after the deadline.
    await receipts.hear(conn, webhook(DEADLINE + HOUR, 2), replace(PUSH, head_sha="b", before_sha="c", forced=True))
    await receipts.classify(conn, ACCOUNT, [repository], "app[bot]")
    run = await rows.run(conn, repository, "b", DEADLINE + HOUR)

    await enrolments.reselect(conn, ACCOUNT, [repository], DEADLINE + HOUR)

    assert await conn.fetchval("SELECT current_run FROM enrolments") == run
    assert await conn.fetchval("SELECT in_time($1, $2, 'main', 'b', $3)", ACCOUNT, repository, DEADLINE)
    inner = await conn.fetch("SELECT sha FROM inner_commits ORDER BY sha")
    assert [row["sha"] for row in inner] == ["a", "b"]


async def test_a_claim_long_before_anybody_heard_of_the_push_is_not_believed_at_once(conn: Conn) -> None:
    claimed = DEADLINE - 11 * MINUTE
    await receipts.hear(conn, webhook(DEADLINE), replace(PUSH, pushed_at=claimed))

    assert await receipt(conn) == (DEADLINE, "arrival")
    assert await conn.fetchval("SELECT claimed_at FROM receipts") == claimed


async def test_by_the_first_attempt_in_the_log_a_claim_is_believed_that_is_old_when_it_arrives(conn: Conn) -> None:
    claimed = DEADLINE - 2 * MINUTE
    await receipts.hear(conn, webhook(DEADLINE + 3 * HOUR, logged_at=DEADLINE), replace(PUSH, pushed_at=claimed))

    assert await receipt(conn) == (claimed, "pushed_at")


async def test_a_push_whose_claim_is_stale_and_whose_news_is_late_is_one_push(conn: Conn) -> None:
    told = replace(PUSH, pushed_at=DEADLINE - 2 * HOUR)
    await receipts.hear(conn, webhook(DEADLINE + 6 * MINUTE), told)

    heard = await receipts.hear(conn, listed(DEADLINE), PUSH)

    assert heard.news == "earlier"
    assert await receipt(conn) == (DEADLINE, "activity")
    assert await returns(conn) == []

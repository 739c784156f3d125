"""The gate of writes: shadow mode, pause and budget in one row for all processes (docs/design.md sections 2 and 5)."""

import asyncio

import pytest

from bot.store import gate
from bot.store.gate import Cost
from bot.store.records import Conn

from . import rows
from .rows import ACCOUNT, INSTALLATION
from .sessions import PATIENCE_SECONDS, beside

CEILING = 900
WRITE = Cost(points=5, content=0, ceiling=CEILING)
COMMENT = Cost(points=5, content=1, ceiling=CEILING)


async def verdict(conn: Conn, cost: Cost = WRITE, *targets: int) -> str:
    """The gate's word on one call."""
    word, _ = await gate.admit(conn, ACCOUNT, INSTALLATION, targets, cost)
    return word


async def spent(conn: Conn, column: str, amount: int, seconds_ago: int) -> None:
    """So much was spent at that time, and nothing since."""
    unit = 60 if column == "content_by_minute" else 1
    await conn.execute(
        f"""
        UPDATE installations SET budget_at = past.second, {column}[past.second / {unit} % 61 + 1] = $1
        FROM (SELECT floor(extract(epoch FROM clock_timestamp()))::bigint - $2 AS second) AS past
        """,
        amount,
        seconds_ago,
    )


async def test_what_fits_under_the_ceiling_goes_and_the_next_call_waits(conn: Conn) -> None:
    await rows.installation(conn)
    await spent(conn, "points_by_second", CEILING - 5, seconds_ago=10)

    assert [await verdict(conn), await verdict(conn)] == ["go", "wait"]


async def test_a_call_that_waits_is_told_for_how_long_and_costs_nothing(conn: Conn) -> None:
    await rows.installation(conn)
    await spent(conn, "points_by_second", CEILING, seconds_ago=10)
    before = await conn.fetchrow("SELECT * FROM installations")

    assert await gate.admit(conn, ACCOUNT, INSTALLATION, (), WRITE) == ("wait", 1.0)

    assert await conn.fetchrow("SELECT * FROM installations") == before


@pytest.mark.parametrize(("seconds_ago", "word"), [(0, "wait"), (45, "wait"), (61, "go"), (200, "go"), (100_000, "go")])
async def test_points_are_counted_over_the_last_minute(conn: Conn, seconds_ago: int, word: str) -> None:
    await rows.installation(conn)
    await spent(conn, "points_by_second", CEILING, seconds_ago)

    assert await verdict(conn) == word


async def test_points_of_different_seconds_add_up_and_the_old_ones_among_them_do_not(conn: Conn) -> None:
    await rows.installation(conn)
    await spent(conn, "points_by_second", 400, seconds_ago=75)
    await spent(conn, "points_by_second", 300, seconds_ago=40)
    await spent(conn, "points_by_second", 200, seconds_ago=20)

    assert await verdict(conn, Cost(5, 0, ceiling=504)) == "wait"
    assert await verdict(conn, Cost(5, 0, ceiling=505)) == "go"


async def test_less_urgent_calls_wait_while_urgent_ones_still_go(conn: Conn) -> None:
    await rows.installation(conn)
    await spent(conn, "points_by_second", 700, seconds_ago=5)

    assert await verdict(conn, Cost(5, 0, ceiling=700)) == "wait"
    assert await verdict(conn, Cost(5, 0, ceiling=900)) == "go"


@pytest.mark.parametrize(
    ("column", "most", "counted_ago", "forgotten_ago"),
    [("content_by_second", 80, 50, 61), ("content_by_minute", 500, 59 * 60, 62 * 60)],
)
async def test_at_most_80_contents_a_minute_and_500_an_hour_are_created(
    conn: Conn, column: str, most: int, counted_ago: int, forgotten_ago: int
) -> None:
    await rows.installation(conn)
    await spent(conn, column, most - 1, counted_ago)
    assert [await verdict(conn, COMMENT), await verdict(conn, COMMENT)] == ["go", "wait"]

    await conn.execute("UPDATE installations SET content_by_second = DEFAULT, content_by_minute = DEFAULT")
    await spent(conn, column, most, forgotten_ago)
    assert await verdict(conn, COMMENT) == "go"


async def test_calls_that_create_no_content_do_not_wait_for_those_that_do(conn: Conn) -> None:
    await rows.installation(conn)
    await spent(conn, "content_by_second", 80, seconds_ago=1)

    assert await verdict(conn, WRITE) == "go"


async def test_nothing_goes_out_while_github_asked_for_silence_and_a_shorter_wish_does_not_end_it(conn: Conn) -> None:
    await rows.installation(conn)
    await gate.pause(conn, ACCOUNT, INSTALLATION, 120)
    await gate.pause(conn, ACCOUNT, INSTALLATION, 1)

    word, after = await gate.admit(conn, ACCOUNT, INSTALLATION, (), WRITE)

    assert word == "paused"
    assert after == pytest.approx(120, abs=10)


async def test_calls_go_again_once_the_pause_is_over(conn: Conn) -> None:
    await rows.installation(conn)
    await gate.pause(conn, ACCOUNT, INSTALLATION, -1)

    assert await verdict(conn) == "go"


async def test_a_write_to_a_repository_of_shadow_courses_alone_is_held(conn: Conn) -> None:
    await rows.installation(conn)
    shadow = await rows.project(conn, await rows.course(conn, mode="shadow"))
    held = await rows.enrolment(conn, shadow)
    shared = await rows.enrolment(conn, shadow)
    await rows.enrolment(conn, await rows.project(conn, state="closed"), shared)
    foreign = await rows.repository(conn)

    assert await verdict(conn, WRITE, held) == "shadow"
    assert await verdict(conn, WRITE, shared, held) == "shadow"
    assert await verdict(conn, WRITE, shared, foreign) == "go"
    assert await verdict(conn, WRITE) == "go"


async def test_two_sessions_cannot_overspend(conn: Conn, other: Conn) -> None:
    await rows.installation(conn)
    await spent(conn, "points_by_second", CEILING - 5, seconds_ago=10)

    async with conn.transaction():
        assert await verdict(conn) == "go"
        second = await beside(conn, other, verdict(other))
        assert not second.done()

    assert await second == "wait"


async def test_a_call_that_waited_for_another_is_counted_in_the_second_in_which_it_goes(
    conn: Conn, other: Conn
) -> None:
    await rows.installation(conn)
    async with conn.transaction():
        await conn.execute("SELECT FROM installations FOR UPDATE")
        asked_in = await _second(conn)
        waiting = await beside(conn, other, verdict(other))
        async with asyncio.timeout(PATIENCE_SECONDS):
            while await _second(conn) == asked_in:
                pass
        assert await verdict(conn) == "go"
        written = await conn.fetchval("SELECT budget_at FROM installations")

    assert await waiting == "go"
    assert await conn.fetchval("SELECT budget_at FROM installations") >= written > asked_in


async def _second(conn: Conn) -> int:
    second: int = await conn.fetchval("SELECT floor(extract(epoch FROM clock_timestamp()))::bigint")
    return second

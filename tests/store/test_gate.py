"""The gate of writes: shadow mode, pause and budget in one row for all processes (docs/design.md sections 2 and 5)."""

import asyncio

import pytest

from bot.store import gate
from bot.store.gate import AT_ONCE, Cost, Targets
from bot.store.records import Conn

from . import rows
from .rows import ACCOUNT, INSTALLATION
from .sessions import PATIENCE_SECONDS, beside

CEILING = 900
WRITE = Cost(points=5, content=0, ceiling=CEILING)
COMMENT = Cost(points=5, content=1, ceiling=CEILING)


async def verdict(conn: Conn, cost: Cost = WRITE, *targets: int) -> str:
    """The gate's word on one call."""
    return (await gate.admit(conn, ACCOUNT, INSTALLATION, Targets(targets), cost)).verdict


async def spent(conn: Conn, column: str, amount: int, seconds_ago: int) -> None:
    """So much was spent at that time, and nothing since."""
    unit, slots = (60, 62) if column == "content_by_minute" else (1, 65)
    await conn.execute(
        f"""
        UPDATE installations SET budget_at = past.second, {column}[past.second / {unit} % {slots} + 1] = $1
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

    word = await gate.admit(conn, ACCOUNT, INSTALLATION, Targets(), WRITE)

    assert (word.verdict, word.at_once) == ("wait", AT_ONCE)
    assert word.after_seconds == pytest.approx(55, abs=2)
    assert await conn.fetchrow("SELECT * FROM installations") == before


async def test_it_waits_until_as_much_is_forgotten_as_it_needs(conn: Conn) -> None:
    await rows.installation(conn)
    for seconds_ago in (60, 40, 20):
        await spent(conn, "points_by_second", 300, seconds_ago)

    async def seconds(ceiling: int) -> float:
        return (await gate.admit(conn, ACCOUNT, INSTALLATION, Targets(), Cost(5, 0, ceiling))).after_seconds

    waits = [await seconds(ceiling) for ceiling in (904, 604, 304)]
    assert waits == [pytest.approx(wait, abs=2) for wait in (5, 25, 45)]


async def test_a_comment_waits_for_the_hour_where_that_is_what_it_lacks(conn: Conn) -> None:
    await rows.installation(conn)
    await spent(conn, "content_by_minute", 500, seconds_ago=600)

    word = await gate.admit(conn, ACCOUNT, INSTALLATION, Targets(), COMMENT)

    assert word.verdict == "wait"
    assert word.after_seconds == pytest.approx(52 * 60, abs=60)


@pytest.mark.parametrize(
    ("seconds_ago", "word"), [(0, "wait"), (45, "wait"), (61, "wait"), (65, "go"), (100_000, "go")]
)
async def test_points_are_counted_over_the_last_minute_and_the_time_that_calls_need_to_arrive(
    conn: Conn, seconds_ago: int, word: str
) -> None:
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
    [("content_by_second", 80, 50, 65), ("content_by_minute", 500, 59 * 60, 62 * 60)],
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

    word = await gate.admit(conn, ACCOUNT, INSTALLATION, Targets(), WRITE)

    assert word.verdict == "paused"
    assert word.after_seconds == pytest.approx(120, abs=10)


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


async def test_a_course_that_went_into_shadow_and_has_its_locks_lifted_is_written_to_for_that_alone(conn: Conn) -> None:
    await rows.installation(conn)
    course = await rows.course(conn, mode="shadow")
    repository = await rows.enrolment(conn, await rows.project(conn, course))
    lifting = Targets((repository,), lifts=True)
    assert (await gate.admit(conn, ACCOUNT, INSTALLATION, lifting, WRITE)).verdict == "shadow"

    await conn.execute("UPDATE courses SET locks_lifted = true WHERE id = $1", course)

    assert (await gate.admit(conn, ACCOUNT, INSTALLATION, lifting, WRITE)).verdict == "go"
    assert await verdict(conn, WRITE, repository) == "shadow"


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


async def test_the_calls_that_go_at_once_are_shared_by_the_workers_that_live(conn: Conn) -> None:
    await rows.installation(conn)
    for role, silent, stopped in [
        ("worker", 0, None),
        ("all", 0, None),
        ("all", 0, None),
        ("web", 0, None),
        ("worker", 40, None),
        ("worker", 0, "now"),
    ]:
        await conn.execute(
            "INSERT INTO processes (id, role, beat_at, stopped_at) "
            "VALUES (gen_random_uuid(), $1, now() - make_interval(secs => $2), $3::text::timestamptz)",
            role,
            silent,
            stopped,
        )

    assert (await gate.admit(conn, ACCOUNT, INSTALLATION, Targets(), WRITE)).at_once == AT_ONCE // 3

"""Codes that confirm a preview: once, in their own issue, for ten minutes of real time."""

from dataclasses import replace
from datetime import timedelta

from bot.model import Command, Person
from bot.rules.reading import Reading
from bot.store import confirmations
from bot.store.confirmations import Waiting
from bot.store.records import Conn

from .rows import ACCOUNT, DEADLINE
from .sessions import beside

COMMENT = Command(ACCOUNT, 1, 9, 3, 7, "tim", "/deadline +2d", DEADLINE, DEADLINE)
ELSEWHERE = replace(COMMENT, issue_number=4)
READING = Reading(DEADLINE, DEADLINE + timedelta(days=1), {17: DEADLINE, 18: DEADLINE + timedelta(microseconds=1)})
WAITING = Waiting("/deadline +2d", READING, "f00d")
TIM, OLGA = Person(7, "tim"), Person(8, "olga")


async def test_a_code_gives_back_what_waits_for_it_once(conn: Conn) -> None:
    assert await confirmations.ask(conn, COMMENT, "k7d2", WAITING)
    assert await confirmations.waiting(conn, ACCOUNT, 9, 3) == {"k7d2": "/deadline +2d"}

    assert await confirmations.use(conn, COMMENT, "k7d2", OLGA) == WAITING

    assert await confirmations.use(conn, COMMENT, "k7d2", OLGA) is None
    assert await confirmations.waiting(conn, ACCOUNT, 9, 3) == {}
    assert await confirmations.fate(conn, COMMENT, "k7d2") == "used"


async def test_a_code_is_given_out_once_in_a_repository(conn: Conn) -> None:
    assert await confirmations.ask(conn, COMMENT, "k7d2", WAITING)

    assert not await confirmations.ask(conn, ELSEWHERE, "k7d2", WAITING)
    assert await confirmations.ask(conn, replace(COMMENT, repository_id=10), "k7d2", WAITING)


async def test_a_code_is_good_in_its_own_issue_alone(conn: Conn) -> None:
    await confirmations.ask(conn, COMMENT, "k7d2", WAITING)

    assert await confirmations.use(conn, ELSEWHERE, "k7d2", TIM) is None
    assert await confirmations.waiting(conn, ACCOUNT, 9, 4) == {}
    assert await confirmations.fate(conn, ELSEWHERE, "k7d2") == 3
    assert await confirmations.fate(conn, COMMENT, "zzzz") == "unknown"


async def test_a_code_ends_after_ten_minutes(conn: Conn) -> None:
    await confirmations.ask(conn, COMMENT, "k7d2", WAITING)
    await conn.execute("UPDATE confirmations SET asked_at = now() - interval '9 minutes 59 seconds'")
    assert "k7d2" in await confirmations.waiting(conn, ACCOUNT, 9, 3)

    await conn.execute("UPDATE confirmations SET asked_at = now() - interval '10 minutes'")

    assert await confirmations.waiting(conn, ACCOUNT, 9, 3) == {}
    assert await confirmations.use(conn, COMMENT, "k7d2", TIM) is None
    assert await confirmations.fate(conn, COMMENT, "k7d2") == "expired"


async def test_of_two_that_use_a_code_at_once_one_finds_it_used(conn: Conn, other: Conn) -> None:
    await confirmations.ask(conn, COMMENT, "k7d2", WAITING)

    async with conn.transaction():
        assert await confirmations.use(conn, COMMENT, "k7d2", TIM) == WAITING
        second = await beside(conn, other, confirmations.use(other, COMMENT, "k7d2", OLGA))
        assert not second.done()

    assert await second is None
    assert await conn.fetchval("SELECT used_by FROM confirmations") == TIM.id


async def test_a_use_that_is_rolled_back_leaves_the_code_to_the_next(conn: Conn, other: Conn) -> None:
    await confirmations.ask(conn, COMMENT, "k7d2", WAITING)

    transaction = conn.transaction()
    await transaction.start()
    await confirmations.use(conn, COMMENT, "k7d2", TIM)
    second = await beside(conn, other, confirmations.use(other, COMMENT, "k7d2", OLGA))
    await transaction.rollback()

    assert await second == WAITING

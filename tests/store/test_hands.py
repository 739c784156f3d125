"""Hands are given back only where they say something, and never over what was said since (docs/design.md section 4)."""

from datetime import timedelta
from typing import Any

import pytest

from bot.rules.inverses import Hand, HandMove
from bot.store import hands
from bot.store.records import Conn

from . import rows
from .rows import ACCOUNT, DEADLINE
from .sessions import beside

HOUR = timedelta(hours=1)
NOW = DEADLINE + HOUR
NONE, OPEN, SHUT = Hand(None), Hand(False), Hand(True)


async def a_repository(conn: Conn, applied: bool = False, **columns: Any) -> int:
    """A repository of a project whose deadline has come, and was `applied` or waits for the next tick."""
    project_id = await rows.project(conn, **columns)
    return await rows.enrolment(conn, project_id, deadline_applied_at=DEADLINE if applied else None)


async def stored(conn: Conn, repository_id: int, hand: Hand, left: Hand = NONE) -> Hand | None:
    """What is stored after that hand was given back; None where something else was there."""
    found = await hands.restore(conn, ACCOUNT, [HandMove(repository_id, left, hand)], NOW)
    row = await conn.fetchrow("SELECT staff_lock, staff_lock_until FROM repositories WHERE id = $1", repository_id)
    assert row is not None
    assert repository_id not in found or found[repository_id] == Hand(*row)
    return found.get(repository_id)


@pytest.mark.parametrize(
    ("hand", "applied", "columns", "expected"),
    [
        (OPEN, True, {}, OPEN),
        (OPEN, False, {}, OPEN),
        (OPEN, False, {"strategy": "commit"}, NONE),
        (OPEN, False, {"deadline_at": NOW + HOUR}, NONE),
        (OPEN, False, {"state": "draft"}, NONE),
        (OPEN, True, {"archived_at": NOW}, NONE),
        (SHUT, True, {}, NONE),
        (SHUT, False, {}, NONE),
        (SHUT, False, {"strategy": "commit"}, SHUT),
        (SHUT, False, {"deadline_at": NOW + HOUR}, SHUT),
        (Hand(False, NOW + HOUR), True, {}, Hand(False, NOW + HOUR)),
        (Hand(False, NOW), True, {}, NONE),
    ],
)
async def test_a_hand_is_stored_where_the_deadline_holds_or_is_about_to_hold_something_else(
    conn: Conn, hand: Hand, applied: bool, columns: dict[str, Any], expected: Hand
) -> None:
    assert await stored(conn, await a_repository(conn, applied, **columns), hand) == expected


async def test_a_deadline_ahead_in_another_project_leaves_it_open_anyway(conn: Conn) -> None:
    repository_id = await a_repository(conn, state="closed")
    await rows.enrolment(conn, await rows.project(conn, deadline_at=NOW + HOUR), repository_id)

    assert await stored(conn, repository_id, OPEN) == NONE


@pytest.mark.parametrize("gone", ["gone_at = now()", "gone_at = now(), gone_as = 'deleted'"])
async def test_nothing_is_stored_of_what_cannot_be_reached(conn: Conn, gone: str) -> None:
    repository_id = await a_repository(conn)
    await conn.execute(f"UPDATE repositories SET {gone} WHERE id = $1", repository_id)

    assert await stored(conn, repository_id, OPEN) == NONE


@pytest.mark.parametrize(("present", "left"), [(SHUT, NONE), (Hand(False, NOW + HOUR), OPEN)])
async def test_a_hand_that_is_not_as_it_was_left_stays(conn: Conn, present: Hand, left: Hand) -> None:
    repository_id = await a_repository(conn, applied=True)
    await conn.execute(
        "UPDATE repositories SET staff_lock = $2, staff_lock_until = $3 WHERE id = $1",
        repository_id,
        present.lock,
        present.until,
    )

    assert await stored(conn, repository_id, OPEN, left) is None
    assert await stored(conn, repository_id, OPEN, present) == OPEN


async def test_a_hand_that_another_session_changes_meanwhile_ends_as_it_is_by_then(conn: Conn, other: Conn) -> None:
    repository_id = await a_repository(conn, applied=True)
    await hands.set_hand(conn, ACCOUNT, [repository_id], False, None)

    async with conn.transaction():
        await hands.set_hand(conn, ACCOUNT, [repository_id], False, NOW + HOUR)
        ending = await beside(conn, other, hands.drop(other, ACCOUNT, [repository_id], []))

    assert await ending == [HandMove(repository_id, left=NONE, before=Hand(False, NOW + HOUR))]

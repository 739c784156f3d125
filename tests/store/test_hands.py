"""Hands are given back only where they say something, and never over what was said since (docs/design.md section 4)."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from bot.model import Project
from bot.rules.inverses import Hand, HandMove
from bot.store import courses, enrolments, hands, projects
from bot.store.records import Conn

from . import rows
from .rows import ACCOUNT, DEADLINE
from .sessions import beside

HOUR = timedelta(hours=1)
NOW = DEADLINE + HOUR
HAND = "SELECT staff_lock, staff_lock_until, exempt_from FROM repositories WHERE id = $1"
NONE, OPEN, SHUT = Hand(None), Hand(False), Hand(True)


async def a_repository(conn: Conn, applied: bool = False, **columns: Any) -> int:
    """A repository of a project whose deadline has come, and was `applied` or waits for the next tick."""
    project_id = await rows.project(conn, **columns)
    return await rows.enrolment(conn, project_id, deadline_applied_at=DEADLINE if applied else None)


async def stored(conn: Conn, repository_id: int, hand: Hand, left: Hand = NONE) -> Hand | None:
    """What is stored after that hand was given back; None where something else was there."""
    found = await hands.restore(conn, ACCOUNT, [HandMove(repository_id, left, hand)], NOW)
    row = await conn.fetchrow(HAND, repository_id)
    assert row is not None
    given = found.get(repository_id)
    assert given is None or given == Hand(row["staff_lock"], row["staff_lock_until"], tuple(row["exempt_from"]))
    return given and replace(given, exempt_from=())


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
    repository_id = await a_repository(conn)
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
    project = await projects.hold(conn, ACCOUNT, await conn.fetchval("SELECT project_id FROM enrolments"))
    await hands.set_hand(conn, ACCOUNT, [repository_id], False, None, NOW)

    async with conn.transaction():
        await hands.set_hand(conn, ACCOUNT, [repository_id], False, NOW + HOUR, NOW)
        ending = await beside(conn, other, hands.drop(other, project, [repository_id], []))

    assert await ending == [HandMove(repository_id, left=NONE, before=Hand(False, NOW + HOUR, (project.id,)))]


async def unlocked(conn: Conn, *, parts: int = 2) -> tuple[int, list[Project]]:
    """A repository that so many closed projects close, unlocked by hand: an exemption from each of them."""
    repository_id = await a_repository(conn, applied=True, state="closed")
    for _ in range(parts - 1):
        await rows.enrolment(
            conn, await rows.project(conn, state="closed"), repository_id, deadline_applied_at=DEADLINE
        )
    ids = [row["project_id"] for row in await conn.fetch("SELECT project_id FROM enrolments ORDER BY project_id")]
    laid = await hands.set_hand(conn, ACCOUNT, [repository_id], False, None, NOW)
    assert laid[repository_id].move.left == Hand(False, None, tuple(ids))
    return repository_id, [await projects.hold(conn, ACCOUNT, key) for key in ids]


async def exemption(conn: Conn, repository_id: int) -> tuple[bool | None, list[int], bool]:
    """The hand, the projects it is from, and whether the repository is to be closed."""
    row = await conn.fetchrow(
        "SELECT staff_lock, exempt_from, wanted_lock FROM repositories WHERE id = $1", repository_id
    )
    assert row is not None
    return tuple(row)


async def test_an_unlock_ends_deadline_by_deadline_as_each_of_them_moves(conn: Conn) -> None:
    repository_id, (one, two) = await unlocked(conn)
    assert await exemption(conn, repository_id) == (False, [one.id, two.id], False)

    (move,) = await hands.drop(conn, one, [repository_id], [])

    assert (move.before.exempt_from, move.left.exempt_from) == ((one.id, two.id), (two.id,))
    assert await exemption(conn, repository_id) == (False, [two.id], True)
    await hands.drop(conn, two, [repository_id], [])
    assert await exemption(conn, repository_id) == (None, [], True)


async def test_an_unlock_taken_back_and_given_again_is_from_the_deadlines_that_still_close(conn: Conn) -> None:
    repository_id, (one, two) = await unlocked(conn)
    given = Hand(False, None, (one.id, two.id))
    await hands.restore(conn, ACCOUNT, [HandMove(repository_id, given, NONE)], NOW)
    assert await exemption(conn, repository_id) == (None, [], True)
    await conn.execute("UPDATE enrolments SET withdrawn_at = $1 WHERE project_id = $2", NOW, two.id)

    await hands.restore(conn, ACCOUNT, [HandMove(repository_id, NONE, given)], NOW)

    assert await exemption(conn, repository_id) == (False, [one.id], False)


async def test_an_unlock_that_was_said_again_for_another_deadline_is_not_taken_back_as_the_first(conn: Conn) -> None:
    repository_id, (one,) = await unlocked(conn, parts=1)
    two = await rows.project(conn, state="closed")
    await rows.enrolment(conn, two, repository_id, deadline_applied_at=DEADLINE)
    await hands.set_hand(conn, ACCOUNT, [repository_id], False, None, NOW)

    assert await hands.restore(conn, ACCOUNT, [HandMove(repository_id, Hand(False, None, (one.id,)), NONE)], NOW) == {}
    assert await exemption(conn, repository_id) == (False, [one.id, two], False)


async def test_a_withdrawal_ends_the_exemption_from_that_project_alone(conn: Conn) -> None:
    repository_id, (one, two) = await unlocked(conn)
    await conn.execute("UPDATE enrolments SET withdrawn_at = $1 WHERE project_id = $2", NOW, one.id)

    (move,) = await hands.drop_withdrawn(conn, one, [repository_id])

    assert move.left == Hand(False, None, (two.id,))
    assert await exemption(conn, repository_id) == (False, [two.id], False)
    await conn.execute("UPDATE enrolments SET withdrawn_at = $1 WHERE project_id = $2", NOW, two.id)
    await hands.drop_withdrawn(conn, two, [repository_id])
    assert (await exemption(conn, repository_id))[:2] == (None, [])


async def test_an_unlock_of_an_older_version_names_no_deadline_and_is_from_all(conn: Conn) -> None:
    repository_id = await a_repository(conn, applied=True, state="closed")

    await conn.execute("UPDATE repositories SET staff_lock = false WHERE id = $1", repository_id)

    assert await exemption(conn, repository_id) == (False, [], False)


async def test_a_hand_lies_nowhere_where_no_rule_speaks(conn: Conn) -> None:
    repository_id = await a_repository(conn, applied=True)
    await conn.execute("UPDATE courses SET mode = 'shadow', locks_lifted = true")

    for lock in (True, False):
        laid = await hands.set_hand(conn, ACCOUNT, [repository_id], lock, None, NOW)
        assert (laid[repository_id].closes, laid[repository_id].move.left) == (None, NONE)
    await conn.execute("UPDATE repositories SET staff_lock = true WHERE id = $1", repository_id)
    assert (await exemption(conn, repository_id))[2] is False


async def test_a_lock_by_hand_is_over_once_the_deadline_closes_the_repository_too(conn: Conn) -> None:
    repository_id = await a_repository(conn)
    await conn.execute("UPDATE repositories SET staff_lock = true WHERE id = $1", repository_id)
    assert await exemption(conn, repository_id) == (True, [], True)

    await enrolments.apply_due(conn, NOW)

    assert await exemption(conn, repository_id) == (None, [], True)


async def test_a_course_that_lets_go_leaves_the_unlock_from_another_courses_deadline(conn: Conn) -> None:
    repository_id, (one, two) = await unlocked(conn)
    staff = await conn.fetchval("SELECT repository_id FROM courses WHERE id = $1", one.course_id)
    course = await courses.by_repository(conn, ACCOUNT, staff)
    assert course is not None

    await conn.execute("UPDATE courses SET mode = 'shadow', locks_lifted = true WHERE id = $1", course.id)
    await courses.take_hands_off(conn, course)

    assert await exemption(conn, repository_id) == (False, [two.id], False)


async def test_an_unlock_counts_with_a_project_that_lets_go_at_the_next_tick(conn: Conn) -> None:
    repository_id = await a_repository(conn, applied=True, state="closed")
    await rows.enrolment(conn, await rows.project(conn, strategy="commit"), repository_id)
    closing = await conn.fetchval("SELECT id FROM projects WHERE state = 'closed'")

    laid = await hands.set_hand(conn, ACCOUNT, [repository_id], False, None, NOW)

    # The open project closes nothing and is over: what closes then is the deadline of the one before it.
    assert (laid[repository_id].closes, laid[repository_id].move.left.exempt_from) == (True, (closing,))


async def test_an_unlock_that_waits_for_the_tick_is_from_the_deadline_that_was_applied_meanwhile(
    conn: Conn, other: Conn
) -> None:
    repository_id = await a_repository(conn)
    project_id = await conn.fetchval("SELECT project_id FROM enrolments")

    async with conn.transaction():
        await enrolments.apply_due(conn, NOW)
        # Its own clock was read before the deadline.
        laying = await beside(
            conn, other, hands.set_hand(other, ACCOUNT, [repository_id], False, None, DEADLINE - HOUR)
        )

    assert (await laying)[repository_id].move.left == Hand(False, None, (project_id,))
    assert await exemption(conn, repository_id) == (False, [project_id], False)

"""What a command would change, as the difference of two pictures (docs/design.md section 10)."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from bot.rules.effects import Crossing, Effects, Flip, Move, Picture, Recount, Standing, between

DEADLINE = datetime(2026, 12, 1, 22, 59, tzinfo=UTC)
HOUR = timedelta(hours=1)
NOW = DEADLINE - HOUR


def standing(number: int, **different: Any) -> Standing:
    """An open repository with a commit `a`."""
    row = Standing(number, f"lab1-{number}", DEADLINE, False, False, 1, "a", None)
    return replace(row, **different)


def picture(*rows: Standing, state: str = "open", locks: bool = True, deadline_at: datetime = DEADLINE) -> Picture:
    return Picture(state, locks, deadline_at, {row.repository_id: row for row in rows})


def effects(before: Picture, after: Picture, *crossed: Crossing, now: datetime = NOW) -> Effects:
    return between(before, after, crossed, now)


def test_the_same_picture_twice_has_no_effects_and_is_not_wide() -> None:
    same = picture(standing(1), standing(2))

    found = effects(same, same)
    assert found == Effects(None, None, (), (), (), (), (), (), False)
    assert not found.wide


def test_a_deadline_moved_ahead_of_open_repositories_is_not_wide() -> None:
    later = DEADLINE + HOUR
    after = picture(standing(1, effective_at=later), standing(2, effective_at=later), deadline_at=later)

    found = effects(picture(standing(1), standing(2)), after)

    assert found.project == Move("", DEADLINE, later)
    assert found.moved == (Move("lab1-1", DEADLINE, later), Move("lab1-2", DEADLINE, later))
    assert not found.wide


@pytest.mark.parametrize("to", [NOW, NOW - HOUR])
def test_a_deadline_that_has_come_by_the_move_closes_though_no_tick_applied_it_and_is_wide(to: datetime) -> None:
    found = effects(picture(standing(1)), picture(standing(1, effective_at=to)))

    assert found.closing == ("lab1-1",)
    assert found.passed
    assert found.wide


def test_what_the_staffs_hand_leaves_open_does_not_close_though_its_deadline_has_come_and_two_are_wide() -> None:
    held_open = [standing(number, effective_at=NOW, staff_lock=False) for number in (1, 2)]
    after = picture(*held_open)

    found = effects(picture(standing(1), standing(2)), after)

    assert (found.closing, found.kept, found.wide) == ((), ("lab1-1", "lab1-2"), True)
    assert replace(found, passed=False).wide
    assert not after.is_locked(held_open[0], NOW)
    assert found.fingerprint(NOW, None) != replace(found, kept=()).fingerprint(NOW, None)


@pytest.mark.parametrize("hand", [None, False])
def test_where_the_strategy_locks_nothing_deadlines_come_and_go_and_only_a_hand_closes(hand: bool | None) -> None:
    rows = [standing(number, staff_lock=hand) for number in (1, 2)]
    before = picture(*rows, locks=False)
    past = picture(*(replace(row, effective_at=NOW) for row in rows), locks=False)
    locked = picture(*(replace(row, wanted_lock=True) for row in rows), locks=False)
    names = ("lab1-1", "lab1-2")

    found = effects(before, past)
    assert (found.passing, found.closing, found.kept, found.wide) == (names, (), (), True)
    assert replace(found, passed=False).wide
    assert found.fingerprint(NOW, None) != replace(found, passing=()).fingerprint(NOW, None)
    back = effects(past, before)
    assert (back.ahead, back.opening, back.wide) == (names, (), True)
    assert back.fingerprint(NOW, None) != replace(back, ahead=()).fingerprint(NOW, None)
    assert (effects(before, locked).closing, effects(before, locked).passing) == (names, ())
    assert (effects(locked, before).opening, effects(locked, before).ahead) == (names, ())
    left = picture(*(replace(row, withdrawn=True) for row in past.standings.values()), locks=False)
    assert (effects(past, left).ahead, effects(left, past).passing) == ((), names)
    assert effects(picture(locks=False), past).passing == names
    assert effects(picture(locks=False), locked).closing == names


def test_in_a_draft_nothing_closes_is_judged_or_wide() -> None:
    before = picture(standing(1), state="draft")
    after = picture(standing(1, effective_at=NOW - HOUR), state="draft")

    found = effects(before, after, Crossing(1, "a", NOW))

    assert (found.closing, found.flips, found.passed, found.wide) == ((), (), False, False)


def test_two_that_open_are_wide_and_one_is_not() -> None:
    shut, opened = standing(1, applied=True, wanted_lock=True), standing(1, round=2)
    one = effects(picture(shut), picture(opened))
    two = effects(
        picture(shut, replace(shut, repository_id=2, name="lab1-2")),
        picture(opened, replace(opened, repository_id=2, name="lab1-2")),
    )

    assert (one.opening, one.wide) == (("lab1-1",), False)
    assert (two.opening, two.wide) == (("lab1-1", "lab1-2"), True)


def test_a_lock_by_hand_counts_like_a_deadline() -> None:
    unlocked, locked = (picture(standing(1, wanted_lock=hand), standing(2, wanted_lock=hand)) for hand in (False, True))

    assert effects(unlocked, locked).closing == ("lab1-1", "lab1-2")
    assert effects(locked, unlocked).opening == ("lab1-1", "lab1-2")
    assert effects(locked, unlocked).wide


def test_where_no_rule_speaks_of_locks_nothing_is_unlocked() -> None:
    assert effects(picture(standing(1, wanted_lock=None)), picture(standing(1))).opening == ()


def test_a_repository_that_stays_closed_neither_closes_nor_opens() -> None:
    shut = standing(1, applied=True, wanted_lock=True, effective_at=NOW - HOUR)

    found = effects(picture(shut), picture(replace(shut, effective_at=NOW - 2 * HOUR)))

    assert (found.closing, found.opening, found.passed) == ((), (), True)


def test_a_commit_between_the_deadlines_becomes_late_by_its_distance_from_the_new_one() -> None:
    earlier = NOW - HOUR
    after = picture(standing(1, effective_at=earlier, counts_sha="b"))

    found = effects(picture(standing(1)), after, Crossing(1, "a", earlier + timedelta(minutes=12)))

    assert found.flips == (Flip("lab1-1", "a", earlier + timedelta(minutes=12), True, timedelta(minutes=12), False),)
    assert found.recounts == (Recount("lab1-1", "a", "b"),)


def test_a_commit_that_becomes_in_time_was_late_by_its_distance_from_the_old_one_and_may_count() -> None:
    at = DEADLINE + timedelta(minutes=12)
    shut = standing(1, applied=True, counts_sha="b")

    found = effects(picture(shut), picture(standing(1, effective_at=DEADLINE + HOUR)), Crossing(1, "a", at), now=at)

    assert found.flips == (Flip("lab1-1", "a", at, False, timedelta(minutes=12), True),)
    assert found.recounts == ()


def test_verdicts_of_two_repositories_are_wide_and_two_of_one_are_not() -> None:
    later = DEADLINE + HOUR
    before, after = (picture(standing(1, effective_at=at), standing(2, effective_at=at)) for at in (DEADLINE, later))
    first, second = Crossing(1, "a", DEADLINE + HOUR / 2), Crossing(1, "b", DEADLINE + HOUR / 2)

    assert not effects(before, after, first, second).wide
    assert effects(before, after, first, replace(second, repository_id=2)).wide


def test_a_review_of_another_commit_than_will_count_is_named_unless_a_new_round_begins() -> None:
    shut = standing(1, applied=True, effective_at=NOW - HOUR, asked_sha="a")
    moved = replace(shut, effective_at=NOW - 2 * HOUR, counts_sha="b")

    assert effects(picture(shut), picture(moved)).reviewed == ("lab1-1",)
    assert effects(picture(shut), picture(replace(moved, asked_sha=None, round=2))).reviewed == ()
    assert effects(picture(moved), picture(shut)).reviewed == ()


def test_the_fingerprint_is_that_of_what_was_announced() -> None:
    before, after = picture(standing(1)), picture(standing(1, effective_at=NOW - HOUR))
    announced = effects(before, after, Crossing(1, "a", NOW)).fingerprint(NOW, {"to": 1})

    assert effects(before, after, Crossing(1, "a", NOW)).fingerprint(NOW, {"to": 1}) == announced
    assert effects(before, after).fingerprint(NOW, {"to": 1}) != announced
    assert effects(before, after, Crossing(1, "a", NOW)).fingerprint(NOW, {"to": 2}) != announced
    elsewhere = picture(standing(1, effective_at=NOW - 2 * HOUR))
    assert effects(before, elsewhere, Crossing(1, "a", NOW)).fingerprint(NOW, {"to": 1}) != announced


def test_a_push_after_the_preview_leaves_the_fingerprint_as_it_was() -> None:
    before, after = picture(standing(1)), picture(standing(1, effective_at=NOW - HOUR))
    seen, pushed = Crossing(1, "a", NOW), Crossing(1, "b", NOW + timedelta(microseconds=1))

    assert effects(before, after, seen).fingerprint(NOW, None) == effects(before, after, seen, pushed).fingerprint(
        NOW, None
    )

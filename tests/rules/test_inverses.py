"""Inverses as data: kept, read again, and what they are about."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from bot.rules.inverses import (
    DeadlineMove,
    Hand,
    HandMove,
    HandMoves,
    Inverse,
    Nothing,
    OpeningMove,
    OwnDeadline,
    OwnMove,
    OwnMoves,
    Publication,
    TaskMove,
    TaskState,
    between,
    is_void,
    project_of,
    read,
    stored,
)
from bot.rules.modes import Settings, as_data, with_data
from bot.rules.when import When

AT = datetime(2026, 12, 1, 22, 59, tzinfo=UTC)
FIRST = When(AT, "2026-12-01 23:59:00", "Europe/Zurich")
SECOND = When(AT + timedelta(days=2), "2026-12-03 23:59:00", "Europe/Zurich")
SETTINGS = Settings(
    timezone="Europe/Zurich",
    mode="active",
    staff_team_id=3,
    staff_team="teachers",
    assistants_team_id=None,
    assistants_team=None,
    task_due=timedelta(days=2),
    escalate_after=timedelta(days=7),
    locks_lifted=False,
)
MOVED = between(SETTINGS, replace(SETTINGS, task_due=timedelta(hours=36), escalate_after=None))

ALL: list[Inverse] = [
    DeadlineMove(FIRST, SECOND),
    DeadlineMove(FIRST, SECOND, [HandMove(7, Hand(None), Hand(False, AT))]),
    OwnMoves([OwnMove(7, OwnDeadline(FIRST, "ill"), OwnDeadline(None))]),
    HandMoves([HandMove(7, Hand(False, AT), Hand(None))]),
    OpeningMove(AT, None),
    Publication("open"),
    MOVED,
    TaskMove(7, 4, TaskState("refused", "no", "role", "staff", None), TaskState(None, None, "user", "ada", 9)),
    Nothing(),
]


@pytest.mark.parametrize("inverse", ALL, ids=lambda inverse: type(inverse).__name__)
def test_what_is_kept_is_read_again(inverse: Inverse) -> None:
    assert read(stored(inverse)) == inverse


@pytest.mark.parametrize("inverse", [ALL[0], ALL[2]])
def test_what_was_kept_before_hands_were_is_read_as_if_none_had_ended(inverse: Inverse) -> None:
    older = {name: value for name, value in stored(inverse).items() if name != "hands"}

    assert len(older) < len(stored(inverse))
    assert read(older) == inverse


def test_only_the_settings_that_differ_are_kept_and_they_are_given_back_into_what_others_changed() -> None:
    after = replace(SETTINGS, task_due=None, assistants_team_id=4, assistants_team="tas")
    inverse = between(SETTINGS, after)

    assert set(inverse.left) == set(inverse.before) == {"task_due", "assistants_team_id", "assistants_team"}
    elsewhere = replace(after, timezone="America/New_York")
    assert with_data(elsewhere, inverse.before) == replace(SETTINGS, timezone="America/New_York")
    assert with_data(with_data(elsewhere, inverse.before), inverse.left) == elsewhere


def test_what_was_kept_before_a_setting_came_is_read_and_leaves_that_setting_alone() -> None:
    assert as_data(with_data(SETTINGS, {"timezone": "UTC", "gone_by_now": 7})) == as_data(
        replace(SETTINGS, timezone="UTC")
    )


def test_a_change_is_of_its_issues_project_but_settings_are_the_courses_and_a_task_has_a_project_of_its_own() -> None:
    assert [project_of(inverse, 3) for inverse in ALL] == [3, 3, 3, 3, 3, 3, None, 4, 3]


def test_where_nothing_was_changed_there_is_nothing_to_take_back() -> None:
    assert [inverse for inverse in ALL if is_void(inverse)] == [Nothing()]
    assert is_void(between(SETTINGS, SETTINGS))
    assert is_void(HandMoves([]))
    assert is_void(OwnMoves([]))
    assert is_void(DeadlineMove(FIRST, FIRST))
    assert is_void(DeadlineMove(FIRST, When(AT, "2026-12-01 22:59:00", "UTC"))), "an instant is the same in any zone"


def test_an_own_deadline_is_another_by_its_instant_or_its_reason_and_none_by_nothing() -> None:
    ill, elsewhere = OwnDeadline(FIRST, "ill"), OwnDeadline(When(AT, "2026-12-01 22:59:00", "UTC"), "ill")

    assert ill.is_as(elsewhere)
    assert OwnDeadline(None, "well again").is_as(OwnDeadline(None))
    assert ill.is_at(OwnDeadline(FIRST))
    for other in (OwnDeadline(FIRST), OwnDeadline(SECOND, "ill"), OwnDeadline(None, "ill")):
        assert not ill.is_as(other)

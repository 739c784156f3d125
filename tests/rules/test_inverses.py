"""Inverses as data: kept, read again, and turned for the undo of an undo."""

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
    read,
    stored,
    turned,
)
from bot.rules.when import When

AT = datetime(2026, 12, 1, 22, 59, tzinfo=UTC)
FIRST = When(AT, "2026-12-01 23:59:00", "Europe/Zurich")
SECOND = When(AT + timedelta(days=2), "2026-12-03 23:59:00", "Europe/Zurich")

ALL: list[Inverse] = [
    DeadlineMove(FIRST, SECOND),
    OwnMoves([OwnMove(7, OwnDeadline(FIRST, "ill"), OwnDeadline(None))]),
    HandMoves([HandMove(7, Hand(False, AT), Hand(None))]),
    OpeningMove(AT, None),
    Publication("open"),
    Nothing(),
]


@pytest.mark.parametrize("inverse", ALL, ids=lambda inverse: type(inverse).__name__)
def test_what_is_kept_is_read_again_and_turned_twice_is_as_it_was(inverse: Inverse) -> None:
    assert read(stored(inverse)) == inverse
    assert turned(turned(inverse)) == inverse


def test_turned_it_leaves_what_was_before() -> None:
    assert turned(DeadlineMove(FIRST, SECOND)) == DeadlineMove(SECOND, FIRST)
    assert turned(OpeningMove(AT, None)) == OpeningMove(None, AT)
    assert turned(Publication("open")) == Publication("draft")
    own = OwnMoves([OwnMove(7, OwnDeadline(FIRST, "ill"), OwnDeadline(None))])
    assert turned(own) == OwnMoves([OwnMove(7, OwnDeadline(None), OwnDeadline(FIRST, "ill"))])

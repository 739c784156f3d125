"""The boundaries of a deadline, and what moving it does (docs/design.md sections 3 and 4)."""

from datetime import UTC, datetime, timedelta

import pytest

from bot.rules import deadlines
from bot.rules.deadlines import Consequence

DEADLINE = datetime(2026, 12, 1, 22, 59, tzinfo=UTC)
TICK = timedelta(microseconds=1)
HOUR = timedelta(hours=1)


def test_the_own_deadline_wins_be_it_earlier_or_later() -> None:
    assert deadlines.effective(None, DEADLINE) == DEADLINE
    assert deadlines.effective(DEADLINE - HOUR, DEADLINE) == DEADLINE - HOUR
    assert deadlines.effective(DEADLINE + HOUR, DEADLINE) == DEADLINE + HOUR


def test_a_deadline_has_come_at_its_very_instant_and_what_is_received_then_is_in_time() -> None:
    assert not deadlines.has_come(DEADLINE, DEADLINE - TICK)
    assert deadlines.has_come(DEADLINE, DEADLINE)
    assert deadlines.in_time(DEADLINE, DEADLINE)
    assert not deadlines.in_time(DEADLINE + TICK, DEADLINE)


def test_the_grace_follows_the_deadline_in_exact_seconds() -> None:
    over_the_turn = datetime(2026, 10, 25, 0, 45, tzinfo=UTC)

    assert deadlines.settles_at(over_the_turn, 1_800) == datetime(2026, 10, 25, 1, 15, tzinfo=UTC)


@pytest.mark.parametrize(
    ("applied", "after", "consequence"),
    [
        (False, DEADLINE + 2 * HOUR, Consequence.NOTHING),
        (False, DEADLINE - HOUR, Consequence.NOTHING),
        (True, DEADLINE + HOUR + TICK, Consequence.REOPENED),
        (True, DEADLINE + HOUR, Consequence.JUDGED_AGAIN),
        (True, DEADLINE - HOUR, Consequence.JUDGED_AGAIN),
        (True, DEADLINE, Consequence.NOTHING),
    ],
)
def test_what_was_applied_opens_again_or_is_judged_again(
    applied: bool, after: datetime, consequence: Consequence
) -> None:
    assert deadlines.of_move(applied, DEADLINE, after, DEADLINE + HOUR) is consequence

"""What becomes of each push, and which are shown where not all can be."""

from datetime import timedelta
from typing import Any

import pytest

from bot.rules.pushes import Kind, Verdict, by_weight, judge

from .pushed import DEADLINE, MINUTE, SHA, part, push

SECOND = timedelta(seconds=1)


@pytest.mark.parametrize(
    ("late_by", "kind"), [(-MINUTE, Kind.ON_TIME), (0 * SECOND, Kind.ON_TIME), (SECOND, Kind.LATE)]
)
def test_late_is_strictly_after_the_deadline(late_by: timedelta, kind: Kind) -> None:
    assert judge(push(DEADLINE + late_by), part(), DEADLINE) == Verdict(kind, abs(late_by))


@pytest.mark.parametrize(
    ("facts", "kind"),
    [
        ({"pusher": "staff"}, Kind.NO_STUDENT),
        ({"pusher": "app"}, Kind.NO_STUDENT),
        ({"pusher": "actions"}, Kind.NO_STUDENT),
        ({"pusher": "bot", "tracked": False}, Kind.NO_STUDENT),
        ({"pusher": "unknown"}, Kind.UNREAD),
        ({"pusher": "person"}, Kind.ON_TIME),
        ({"tracked": False, "first_at": None}, Kind.UNTRACKED),
    ],
)
def test_what_no_student_pushed_and_what_is_on_another_branch_is_not_judged_by_time(
    facts: dict[str, Any], kind: Kind
) -> None:
    assert judge(push(**facts), part(counts_sha="other"), DEADLINE).kind == kind


@pytest.mark.parametrize(
    ("late_by", "facts", "kind"),
    [
        (MINUTE, {"settled": False}, Kind.UNSETTLED),
        (MINUTE, {"settled": True}, Kind.LATE),
        (11 * MINUTE, {"settled": False}, Kind.LATE),
        (11 * MINUTE, {"settled": False, "receipt_claimed_at": DEADLINE}, Kind.UNSETTLED),
        (-MINUTE, {"settled": False}, Kind.ON_TIME),
    ],
)
def test_what_the_activity_may_still_turn_is_not_called_late(
    late_by: timedelta, facts: dict[str, Any], kind: Kind
) -> None:
    received = DEADLINE + late_by

    assert judge(push(received, receipt_at=received, **facts), part(), DEADLINE).kind == kind


def test_a_head_that_came_back_late_is_judged_by_its_first_receipt() -> None:
    back = push(DEADLINE + MINUTE, returned=True, receipt_at=DEADLINE - MINUTE, first_at=DEADLINE - MINUTE)

    assert judge(back, part(), DEADLINE) == Verdict(Kind.ON_TIME, MINUTE)


def test_a_head_that_came_back_waits_for_what_its_receipt_waits_for() -> None:
    first = DEADLINE + MINUTE
    back = push(DEADLINE + 30 * MINUTE, returned=True, receipt_at=first, first_at=first, settled=False)

    assert judge(back, part(), DEADLINE).kind == Kind.UNSETTLED


@pytest.mark.parametrize(
    ("now", "settled", "kind"),
    [
        (DEADLINE - SECOND, False, Kind.ON_TIME),
        (DEADLINE, False, Kind.UNSETTLED),
        (DEADLINE, True, Kind.LATE),
    ],
)
def test_a_head_that_was_never_heard_of_is_on_time_then_unsettled_then_late(
    now: Any, settled: bool, kind: Kind
) -> None:
    assert judge(push(None, settled=settled), part(), now) == Verdict(kind)


def test_a_head_that_was_never_heard_of_but_came_inside_a_push_is_dated_by_that_one() -> None:
    assert judge(push(None, first_at=DEADLINE - MINUTE), part(), DEADLINE) == Verdict(Kind.ON_TIME, MINUTE)


@pytest.mark.parametrize(("facts", "counts"), [({}, True), ({"tracked": False}, False), ({"pusher": "staff"}, False)])
def test_the_commit_that_counts_is_marked_where_a_student_pushed_it_to_a_branch_that_counts(
    facts: dict[str, Any], counts: bool
) -> None:
    assert judge(push(**facts), part(counts_sha=SHA), DEADLINE).counts is counts


def test_what_counts_and_what_nothing_dates_is_shown_before_the_newest_and_the_nearest_to_the_deadline() -> None:
    minutes = [-500, -400, -300, -1, 200, 300, 400]
    pushes = [push(DEADLINE + minute * MINUTE, sha=f"{minute}") for minute in minutes]
    pushes.append(push(None, sha="never heard of"))

    order = [pushes[place].sha for place in by_weight(pushes, part(counts_sha="-400"))]

    assert order[:2] == ["-400", "never heard of"]
    assert order[2:5] == ["400", "-1", "300"]
    assert sorted(order) == sorted(push.sha for push in pushes)

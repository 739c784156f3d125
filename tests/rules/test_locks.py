"""What to send so that GitHub holds the wanted set (docs/design.md section 6)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.rules.locks import SetPlan, plan_set

IDS = st.sets(st.integers(1, 12))


@pytest.mark.parametrize(
    ("wanted", "sent", "plan"),
    [
        pytest.param([], None, None, id="nothing to close and no ruleset yet"),
        pytest.param([], [], None, id="nothing to close and nothing closed"),
        pytest.param([2, 1], [1, 2], None, id="the same in another order"),
        pytest.param([1], None, SetPlan((1,)), id="the first to close"),
        pytest.param([3, 1], [1], SetPlan((1, 3)), id="one more"),
        pytest.param([1], [1, 2], SetPlan((1,)), id="one less"),
        pytest.param([], [1, 2], SetPlan(()), id="all open again"),
    ],
)
def test_the_whole_set_is_sent_in_order_where_it_differs(
    wanted: list[int], sent: list[int] | None, plan: SetPlan | None
) -> None:
    assert plan_set(wanted, sent, known=[1, 2, 3]) == plan


def test_an_id_that_would_be_opened_though_no_row_speaks_of_it_is_named() -> None:
    assert plan_set([1], sent=[1, 9, 8], known=[1]) == SetPlan((1,), unexplained=(8, 9))


def test_an_id_that_is_added_needs_no_explanation() -> None:
    assert plan_set([1, 9], sent=[1], known=[]) == SetPlan((1, 9))


@given(wanted=IDS, sent=st.none() | IDS, known=IDS)
def test_once_a_plan_is_sent_there_is_nothing_more_to_send(
    wanted: set[int], sent: set[int] | None, known: set[int]
) -> None:
    plan = plan_set(wanted, sent, known)

    now_sent = sent if plan is None else plan.repository_ids
    assert plan_set(wanted, now_sent, known) is None
    assert set(now_sent or ()) == wanted

"""A project's life as a table of edges (docs/design.md section 8)."""

import pytest

from bot.errors import Told
from bot.model import State
from bot.rules.states import EDGES, Held, check_edge, check_held_elsewhere


def test_the_edges_are_those_of_the_design_and_no_other() -> None:
    edges = {f"{here} → {to}" for here, to in EDGES}

    assert edges == {"draft → open", "open → draft", "open → closed", "closed → open"}


@pytest.mark.parametrize("here", State)
def test_no_state_leads_to_itself(here: State) -> None:
    with pytest.raises(Told):
        check_edge(here, here)


@pytest.mark.parametrize(
    ("here", "to", "reason"),
    [
        (State.DRAFT, State.CLOSED, "The project is draft: from there it can become open, not closed."),
        (State.OPEN, State.RELEASED, "The project is open: from there it can become closed or draft, not released."),
        (State.RELEASED, State.OPEN, "The project is released: from there it can become nothing, not open."),
    ],
)
def test_a_refusal_says_where_the_project_is_and_where_it_can_go(here: State, to: State, reason: str) -> None:
    with pytest.raises(Told) as refusal:
        check_edge(here, to)

    assert (refusal.value.code, refusal.value.reason) == ("E-STATE", reason)


def test_a_project_whose_repositories_nobody_holds_may_open() -> None:
    check_held_elsewhere([])


def test_the_first_repositories_held_elsewhere_are_named_with_their_project_and_the_rest_counted() -> None:
    with pytest.raises(Told) as refusal:
        check_held_elsewhere([Held(f"lab1-{name}", "lab1", False) for name in ("amy", "bo", "cy", "di", "ed")])

    assert refusal.value.code == "E-HELD"
    assert "`lab1-amy` (in `lab1`), `lab1-bo` (in `lab1`), `lab1-cy` (in `lab1`) and 2 more." in refusal.value.reason


def test_what_closes_now_is_no_refusal_that_lasts_unless_something_else_stays() -> None:
    closing, staying = Held("lab1-amy", "lab1", True), Held("lab1-bo", "lab0", False)

    with pytest.raises(Told) as refusal:
        check_held_elsewhere([closing])
    assert refusal.value.code == "E-HELD-STILL"
    assert "`lab1-amy` (in `lab1`). Its deadline has come and it closes now." in refusal.value.reason

    with pytest.raises(Told) as refusal:
        check_held_elsewhere([closing, staying])
    assert refusal.value.code == "E-HELD"
    assert refusal.value.reason.endswith("of this one: `lab1-bo` (in `lab0`).")

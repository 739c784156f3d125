"""A project's life as a table of edges (docs/design.md section 8); anything else is refused with the reason."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from bot.errors import Told
from bot.model import State
from bot.rules import deadlines

EDGES: frozenset[tuple[State, State]] = frozenset(
    {
        (State.DRAFT, State.OPEN),
        (State.OPEN, State.DRAFT),  # only by `/undo` of the publication, while nothing has happened
        (State.OPEN, State.CLOSED),
        (State.CLOSED, State.OPEN),
    }
)

NAMED_AT_MOST = 3

HELD_STILL = "E-HELD-STILL"
"""The code of a refusal that ends by itself: every project in the way closes now."""


@dataclass(frozen=True, slots=True)
class Held:
    """A repository that another open project holds; `closes_now`: the deadline of that project has come."""

    repository: str
    slug: str
    closes_now: bool


def check_edge(here: State, to: State) -> None:
    """Raises Told where a project cannot go from `here` to `to`."""
    if (here, to) not in EDGES:
        reachable = " or ".join(sorted(end.value for start, end in EDGES if start is here)) or "nothing"
        raise Told("E-STATE", f"The project is {here.value}: from there it can become {reachable}, not {to.value}.")


def check_opens_before(deadline: datetime, now: datetime) -> None:
    """What is past its deadline is not opened: everything would be late at once. Raises Told."""
    if deadlines.has_come(deadline, now):
        raise Told("E-PAST", "Its deadline had come before it could open.")


def check_held_elsewhere(held: Sequence[Held]) -> None:
    """At most one open project holds a repository. Raises Told naming repositories and the projects that hold them."""
    # One that stays is in the way for as long, whatever closes beside it.
    in_the_way = [one for one in held if not one.closes_now] or held
    if not in_the_way:
        return
    named = ", ".join(f"`{one.repository}` (in `{one.slug}`)" for one in in_the_way[:NAMED_AT_MOST])
    more = f" and {len(in_the_way) - NAMED_AT_MOST} more" if len(in_the_way) > NAMED_AT_MOST else ""
    reason = f"Another open project holds repositories of this one: {named}{more}."
    if in_the_way[0].closes_now:
        raise Told(HELD_STILL, f"{reason} Its deadline has come and it closes now.", "Write it again in a moment.")
    raise Told("E-HELD", reason, "Wait until that project is closed, or choose another pattern for this one.")

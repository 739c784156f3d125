"""A project's life as a table of edges (docs/design.md section 8); anything else is refused with the reason."""

from collections.abc import Sequence

from bot.errors import Told
from bot.model import State

EDGES: frozenset[tuple[State, State]] = frozenset(
    {
        (State.DRAFT, State.OPEN),
        (State.OPEN, State.DRAFT),  # only by `/undo` of the publication, while nothing has happened
        (State.OPEN, State.CLOSED),
        (State.CLOSED, State.OPEN),
    }
)

NAMED_AT_MOST = 3


def check_edge(here: State, to: State) -> None:
    """Raises Told where a project cannot go from `here` to `to`."""
    if (here, to) not in EDGES:
        reachable = " or ".join(sorted(end.value for start, end in EDGES if start is here)) or "nothing"
        raise Told("E-STATE", f"The project is {here.value}: from there it can become {reachable}, not {to.value}.")


def check_held_elsewhere(held: Sequence[tuple[str, str]]) -> None:
    """At most one open project holds a repository. Raises Told naming repositories and the projects that hold them."""
    if held:
        named = ", ".join(f"`{name}` (in `{slug}`)" for name, slug in held[:NAMED_AT_MOST])
        more = f" and {len(held) - NAMED_AT_MOST} more" if len(held) > NAMED_AT_MOST else ""
        raise Told(
            "E-HELD",
            f"Another open project holds repositories of this one: {named}{more}.",
            "Wait until that project is closed, or choose another pattern for this one.",
        )

"""Did you mean: the nearest known name to a mistyped one."""

from collections.abc import Iterable

FARTHEST = 2


def suggest(name: str, known: Iterable[str]) -> str | None:
    """The nearest of the `known` names, at most two slips away; None for a word that was never meant as a command."""
    # The lengths first: a word of a whole comment's length would be compared letter by letter.
    likely = [other for other in known if abs(len(name) - len(other)) <= FARTHEST]
    near = [(slips, other) for other in likely if (slips := _slips(name, other)) <= FARTHEST]
    return min(near)[1] if near else None


def _slips(one: str, other: str) -> int:
    """The edit distance: letters added, dropped or replaced (two neighbours swapped are two slips)."""
    row = list(range(len(other) + 1))
    for i, letter in enumerate(one, 1):
        above, row = row, [i]
        for j, wanted in enumerate(other, 1):
            row.append(min(above[j] + 1, row[-1] + 1, above[j - 1] + (letter != wanted)))
    return row[-1]

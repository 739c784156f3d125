"""What to send so that GitHub holds the set of closed repositories that the rows want (docs/design.md section 6)."""

from collections.abc import Collection
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SetPlan:
    """The ids to send. `unexplained`: ids that would be opened though no row speaks of them; nothing is sent then."""

    repository_ids: tuple[int, ...]
    unexplained: tuple[int, ...] = ()


def plan_set(
    wanted: Collection[int], sent: Collection[int] | None, known: Collection[int], *, unsure: bool = False
) -> SetPlan | None:
    """The next set for one ruleset of the pair, or None where what was last sent is what is wanted.

    `sent` None means that there is no ruleset yet, which nothing needs as long as nothing is closed. An id that would
    be dropped from the set must be one of `known`, or a lost row would open a repository. `unsure`: the outcome of a
    later call is not known, or other teams may bypass by now: GitHub may hold something else than is wanted.
    """
    ids = tuple(sorted(wanted))
    if set(ids) == set(sent or ()) and not unsure:
        return None
    unexplained = tuple(sorted(set(sent or ()) - set(ids) - set(known)))
    return SetPlan(ids, unexplained)

"""The next step towards the mark of a deadline on one branch (docs/design.md section 4).

A mark is an empty commit of ours. It is made first, then recorded, then the branch moves to it; so what is recorded may
be on the branch or not, and nothing is made again before that is known.
"""

import enum
from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Mark:
    """What is known of the mark of one branch in one round: the commit made last, and what it was made on.

    `by_default`: the branch is marked because it is the default one, and not because the project names it.
    """

    account_id: int
    project_id: int
    repository_id: int
    branch: str
    round: int
    course_id: int
    slug: str
    timezone: str
    effective_at: datetime
    by_default: bool
    sha: str | None = None
    parent_sha: str | None = None


class Step(enum.Enum):
    """What to do, by what is recorded and where the branch is."""

    MISSING = "there is no such branch"
    THERE = "the branch carries the mark"
    ASK = "the branch went on: from the mark, or past it"
    MAKE = "make a commit on the head"
    MOVE = "move the branch to the commit that was made on this head"


def next_step(mark: Mark, head: str | None) -> Step:
    """The step for a branch that is at `head`, or that is not there."""
    if head is None:
        return Step.MISSING
    if mark.sha is None:
        return Step.MAKE
    if head == mark.sha:
        return Step.THERE
    return Step.MOVE if head == mark.parent_sha else Step.ASK

"""When a deadline has come, what is in time for it, and what moving it changes (docs/design.md sections 3 and 4).

Where many rows are judged at once SQL decides the same: the twin is named at each rule, and tests/store/test_twins.py
draws whole courses in which the two must agree. Times are UTC.
"""

import enum
from datetime import datetime, timedelta


class Consequence(enum.Enum):
    """What a moved deadline does to one repository."""

    NOTHING = "nothing"
    REOPENED = "reopened"
    JUDGED_AGAIN = "judged again"


def effective(own: datetime | None, project: datetime) -> datetime:
    """The repository's own deadline if it has one, else the project's. Twin: the triggers that keep `effective_at`."""
    return project if own is None else own


def has_come(deadline: datetime, now: datetime) -> bool:
    """Whether it no longer lies ahead: at its very instant it has come. Twins: `apply_due`, `claim_due`."""
    return deadline <= now


def in_time(received_at: datetime, deadline: datetime) -> bool:
    """Late is strictly after: what is received at the very instant is in time. Twins: `reselect`, `crossed`."""
    return received_at <= deadline


def settles_at(deadline: datetime, grace_seconds: int) -> datetime:
    """When the grace ends and the freeze may become definitive; its length knows no calendar.

    Twin: the view `evidence_is_in`.
    """
    return deadline + timedelta(seconds=grace_seconds)


def of_move(applied: bool, before: datetime, after: datetime, now: datetime) -> Consequence:
    """What becomes of a repository whose effective deadline was `before` and is `after`.

    One that was applied opens in a new round where its deadline lies ahead again, and is judged again behind the closed
    door where another deadline has come. Twins: `reopen` and `settle_anew`.
    """
    if not applied:
        return Consequence.NOTHING
    if not has_come(after, now):
        return Consequence.REOPENED
    return Consequence.NOTHING if after == before else Consequence.JUDGED_AGAIN

"""What is believed of the times a push is known by, and when its verdict must wait (docs/design.md section 3).

SQL decides the same for many rows at once: the twin is named at each rule, and tests/store/test_twins.py draws times in
which the two must agree. Times are UTC.
"""

from datetime import datetime, timedelta

DOUBTED_BEFORE = timedelta(minutes=10)
"""A payload's `pushed_at` this long before anybody heard of the push is asked about before it is believed."""

NEAR = timedelta(minutes=10)
"""A push that would be late by less than this is not late before GitHub's activity was asked."""

ASKED_ENOUGH = 3
"""The activity may list a push late; after so many times of asking, its silence is an answer."""


def believed_claim(claimed: datetime | None, heard: datetime, before: datetime | None) -> datetime | None:
    """What a payload's `pushed_at` is worth at once; None if it must be asked about first.

    It cannot lie before the receipt of the commit that was there `before`. Twin: `believed_claim`.
    """
    if claimed is None or claimed < heard - DOUBTED_BEFORE:
        return None
    return claimed if before is None or claimed >= before else None


def is_settled(listed: bool, asked: int) -> bool:
    """Whether GitHub's activity has said when a push was, or was asked often enough. Twin: `is_settled`."""
    return listed or asked >= ASKED_ENOUGH


def is_unsettled(received: datetime, claimed: datetime | None, settled: bool, deadline: datetime) -> bool:
    """Whether a push that would be late is not called so yet. Twin: `is_unsettled`."""
    if settled or received <= deadline:
        return False
    return received < deadline + NEAR or (claimed is not None and claimed <= deadline)

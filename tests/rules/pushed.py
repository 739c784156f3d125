"""Pushes and parts of projects to judge: each builder asks only for what matters."""

from datetime import UTC, datetime, timedelta
from typing import Any

from bot.rules.pushes import PartFacts, PushFacts, ReplacedVerdict

DEADLINE = datetime(2026, 12, 1, 22, 59, tzinfo=UTC)
MINUTE, DAY = timedelta(minutes=1), timedelta(days=1)
KEYS = {"project_id": 1, "repository_id": 9}
SHA = "3f2c1a9" + "0" * 33


def part(**facts: Any) -> PartFacts:
    """Amy's part in an open project with half an hour of grace, of which nothing counts yet."""
    row: dict[str, Any] = {
        **KEYS,
        "repository": "lab1-amy",
        "slug": "lab1",
        "state": "open",
        "zone": "Europe/Zurich",
        "effective_at": DEADLINE,
        "own": False,
        "grace_seconds": 1800,
        "deadline_applied_at": None,
        "frozen_at": None,
        "counts_sha": None,
        "counts_at": None,
        "locked_at": None,
        "gone_at": None,
    }
    return PartFacts(**(row | facts))


def push(received_at: datetime | None = DEADLINE, **facts: Any) -> PushFacts:
    """Amy's push to `main`, known by its arrival alone (or None: never heard of), settled."""
    row: dict[str, Any] = {
        **KEYS,
        "ref": "refs/heads/main",
        "sha": SHA,
        "told": True,
        "forced": False,
        "returned": False,
        "arrived_at": received_at,
        "claimed_at": None,
        "pushed_at": None,
        "logged_at": None,
        "activity_at": None,
        "received_at": received_at,
        "evidence": received_at and "arrival",
        "login": received_at and "amy",
        "pusher": "student" if received_at else "unknown",
        "receipt_at": received_at,
        "receipt_claimed_at": None,
        "settled": True,
        "tracked": True,
        "first_at": received_at,
    }
    return PushFacts(**(row | facts))


def replaced(**facts: Any) -> ReplacedVerdict:
    """A commit that was late by a minute until a teacher gave Amy and Bo another day."""
    row: dict[str, Any] = {
        **KEYS,
        "sha": SHA,
        "received_at": DEADLINE + MINUTE,
        "deadline_at": DEADLINE,
        "late": True,
        "submission": False,
        "replaced_at": DEADLINE + DAY,
        "replaced_by_login": "tim",
        "reason": "/extend @amy @bo +1d --reason ill",
    }
    return ReplacedVerdict(**(row | facts))

"""The scans that run every second rest on partial indexes (docs/design.md section 4)."""

from typing import Any
from uuid import uuid4

import pytest

from bot.store import queries
from bot.store.records import Conn

from .rows import ACCOUNT, DEADLINE
from .work import LEASE_SECONDS

LEASE = (uuid4(), LEASE_SECONDS)


@pytest.mark.parametrize(
    ("module", "name", "arguments", "index"),
    [
        ("projects", "claim_due", (DEADLINE,), "projects_deadline_due"),
        ("projects", "claim_openings", (DEADLINE,), "projects_opening_due"),
        ("projects", "next_due", (DEADLINE,), "projects_deadline_due"),
        ("projects", "next_due", (DEADLINE,), "enrolments_not_applied"),
        ("enrolments", "apply_due", (DEADLINE,), "enrolments_not_applied"),
        ("enrolments", "freezable", (DEADLINE,), "enrolments_not_frozen"),
        ("enrolments", "freezable", (DEADLINE,), "deliveries_due"),
        ("dispatches", "claim", LEASE, "enrolments_review_due"),
        ("dispatches", "due", (ACCOUNT, 1), "enrolments_review_due"),
        ("enforcement", "claim", LEASE, "repositories_lock_differs"),
        ("enforcement", "claim", LEASE, "repositories_weaker"),
        ("enforcement", "claim", LEASE, "repositories_lock_unsure"),
        ("enforcement", "claim", LEASE, "enrolments_not_committed"),
        ("enforcement", "marks_due", (ACCOUNT, 1), "enrolments_not_committed"),
        ("locks", "claim", LEASE, "repositories_lock_differs"),
        ("locks", "claim", LEASE, "repositories_weaker"),
        ("locks", "claim", LEASE, "repositories_verify_due"),
        ("locks", "differs", (ACCOUNT,), "repositories_lock_differs"),
        ("deliveries", "next", (), "deliveries_due"),
        ("installations", "claim_reads", (*LEASE, 1), "installations_read_due"),
        ("repositories", "claim_reads", (*LEASE, 1), "repositories_read_due"),
        ("runs", "claim_reads", (*LEASE, 1), "runs_read_due"),
        ("reconciliations", "claim", (*LEASE, 1), "reconciliations_due"),
        ("commands", "claim", (*LEASE, 1), "commands_due"),
        ("checks", "claim", (*LEASE, 1), "checks_due"),
        ("outbox", "claim", (*LEASE, 1), "outbox_due"),
        ("boards", "claim", (*LEASE, 1), "board_news_of_project"),
        ("nudges", "claim_drafts", (DEADLINE,), "projects_to_nudge"),
        ("tasks", "open", (DEADLINE,), "dispatches_not_confirmed"),
        ("tasks", "open", (DEADLINE,), "runs_to_verify"),
        ("tasks", "close", (DEADLINE,), "tasks_once"),
        ("scheduled_tasks", "purge_deliveries", (DEADLINE, 1), "deliveries_to_purge"),
    ],
)
async def test_the_claim_can_be_answered_from_its_index(
    conn: Conn, module: str, name: str, arguments: tuple[Any, ...], index: str
) -> None:
    # On tables as empty as these any plan is cheap: forbidding the costly one shows whether the index fits at all.
    await conn.execute("SET enable_seqscan = off; SET enable_bitmapscan = off")

    plan = await conn.fetch(f"EXPLAIN {queries.load(module)[name]}", *arguments)

    assert index in "\n".join(row[0] for row in plan)

"""Deadline and grace are over and the evidence is in: what counts is settled (docs/design.md section 4)."""

from collections import defaultdict
from typing import Any

from bot.model import CLOCK
from bot.store import audit, checks, enrolments
from bot.store.audit import Subject
from bot.sweeper.tick import Claimed, Tick


async def claim(tick: Tick) -> Claimed:
    """Write the definitive freeze, and why no review follows where none does."""
    frozen: dict[tuple[int, int], dict[int, dict[str, Any]]] = defaultdict(dict)
    for row in await enrolments.freeze_due(tick.conn, tick.now):
        received = row["submission_at"].isoformat() if row["submission_at"] else None
        detail = {
            "deadline": row["effective_at"].isoformat(),
            "submission": row["submission_sha"],
            "received": received,
            "review_skipped": row["review_skipped"],
        }
        frozen[row["account_id"], row["project_id"]][row["repository_id"]] = detail
    for (account_id, project_id), details in sorted(frozen.items()):
        subject = Subject(account_id, project_id=project_id)
        await audit.record_each(tick.conn, subject, "repository.frozen", CLOCK, tick.now, details)
        skipped = {key: {"reason": it["review_skipped"]} for key, it in details.items() if it["review_skipped"]}
        await audit.record_each(tick.conn, subject, "review.skipped", CLOCK, tick.now, skipped)
        await checks.due_of_repositories(tick.conn, account_id, project_id, list(details))
    return []

"""Deadlines that have come: the project closes, and each repository's provisional freeze is written (section 4)."""

from collections import defaultdict
from datetime import datetime

from bot import failpoints, metrics
from bot.model import CLOCK, State
from bot.store import audit, checks, enrolments, projects
from bot.store.audit import Subject
from bot.sweeper.tick import Claimed, Tick


async def claim(tick: Tick) -> Claimed:
    """Projects first, by their own deadline; then repositories, each by its effective one."""
    for project in await projects.claim_due(tick.conn, tick.now):
        await projects.transition(tick.conn, project, State.CLOSED, CLOCK, tick.now)
    applied: dict[tuple[int, int], dict[int, datetime]] = defaultdict(dict)
    for row in await enrolments.apply_due(tick.conn, tick.now):
        applied[row["account_id"], row["project_id"]][row["repository_id"]] = row["effective_at"]
        metrics.due_to_claimed_seconds.observe((tick.now - row["effective_at"]).total_seconds())
    for (account_id, project_id), repositories in sorted(applied.items()):
        subject = Subject(account_id, project_id=project_id)
        details = {repository: {"deadline": at.isoformat()} for repository, at in repositories.items()}
        await audit.record_each(tick.conn, subject, "repository.applied", CLOCK, tick.now, details)
        await checks.due_of_repositories(tick.conn, account_id, project_id, list(repositories))
        failpoints.reach("deadlines.applied")
    return []

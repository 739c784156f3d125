"""Show the `Deadline` check on a pushed head, with what is true of it now."""

import hashlib
from datetime import datetime
from typing import Literal

from bot import failpoints
from bot.github import checks as github
from bot.github.api import Api
from bot.github.failures import GitHubFailure, HeldByShadow, NotFound, Refused
from bot.jobs.desk import Desk
from bot.jobs.frame import Held
from bot.store import checks, clock, repositories
from bot.store.checks import CheckRow
from bot.text.checks import CheckFacts, CheckText, deadline_check

NAME = "Deadline"


async def run(desk: Desk, held: Held) -> None:
    """Say it once; the same words are not sent again."""
    account_id, check_id = held.lease.account_id, held.lease.key
    api = await desk.api(account_id)
    async with desk.pool.acquire() as conn:
        row = await checks.facts(conn, account_id, check_id)
        now = await clock.now(conn)
    if row is None:
        return
    text = deadline_check(facts_of(row, now))
    said = hashlib.sha256(f"{text.title}\n{text.summary}\n{text.conclusion}".encode()).hexdigest()
    check_run_id = row.check_run_id
    try:
        if said != row.said:
            check_run_id = await _show(desk, api, held, row, text)
    except (NotFound, Refused, HeldByShadow) as refusal:
        async with held.finishing() as conn:
            await checks.give_up(conn, held.lease, refusal.message)
            if isinstance(refusal, NotFound) and not row.attempts:
                # Once: if the repository is there all the same, its checks become due again and are told the same.
                await repositories.heard_of(conn, account_id, [row.repository_id], None)
        return
    async with held.finishing() as conn:
        await checks.shown(conn, held.lease, check_run_id, said)


async def _show(desk: Desk, api: Api, held: Held, row: CheckRow, text: CheckText) -> int:
    external_id = f"{row.project_id}:{row.head_sha}"
    body = {
        "name": NAME,
        "external_id": external_id,
        "status": "completed",
        "conclusion": text.conclusion,
        "output": {"title": text.title, "summary": text.summary},
    }
    check_run_id = row.check_run_id
    if check_run_id is None and row.tried_at is not None:
        # The answer of an earlier try was lost: look for what it may have made.
        check_run_id = await github.find(api, row.repository_id, row.head_sha, NAME, external_id)
    if check_run_id is not None:
        await github.update(api, row.repository_id, check_run_id, body)
        return check_run_id
    async with desk.pool.acquire() as conn:
        await checks.trying(conn, held.lease.account_id, held.lease.key)
    failpoints.reach("check.trying")
    try:
        made_id = await github.create(api, row.repository_id, body | {"head_sha": row.head_sha})
    except GitHubFailure as failure:
        if not failure.ambiguous:
            # Nothing was made (the budget was spent, say): the next try need not look for it.
            async with desk.pool.acquire() as conn:
                await checks.not_tried(conn, held.lease.account_id, held.lease.key)
        raise
    failpoints.reach("check.made")
    return made_id


def facts_of(row: CheckRow, now: datetime) -> CheckFacts:
    """The row in the words of the text: before the freeze, what counts is the newest commit received in time."""
    state: Literal["open", "applied", "frozen"] = "open"
    if row.deadline_applied_at is not None:
        state = "frozen" if row.frozen_at is not None else "applied"
    frozen = state == "frozen"
    submission_sha = row.submission_sha if frozen else row.latest_sha
    return CheckFacts(
        project=row.slug,
        zone=row.timezone,
        sha=row.head_sha,
        received_at=row.received_at,
        evidence=row.evidence,
        pusher=row.pusher,
        tracked=row.tracked is not False,
        unsettled=row.unsettled,
        deadline_at=row.effective_at,
        grace_seconds=row.grace_seconds,
        now=now,
        state=state,
        is_submission=submission_sha == row.head_sha,
        submission_sha=submission_sha,
        submission_received_at=row.submission_at if frozen else row.latest_at,
        locked=row.locked,
        withdrawn=row.withdrawn,
        graded=row.graded,
        locks=row.locks,
    )

"""`workflow_run`: each attempt of each run is recorded, in any order; a completed one is read by a job."""

from bot.store import runs
from bot.store.deliveries import Delivery
from bot.store.records import Conn
from bot.store.runs import RunHeard
from bot.webhooks import payloads
from bot.webhooks.handling import Handling, decode


async def handle(conn: Conn, delivery: Delivery, _handling: Handling) -> None:
    """Record the attempt as the event tells it."""
    body = decode(payloads.WorkflowRunBody, delivery)
    run = body.workflow_run
    heard = RunHeard(
        account_id=delivery.account_id,
        repository_id=body.repository.id,
        run_id=run.id,
        attempt=run.run_attempt,
        check_suite_id=run.check_suite_id,
        # For some events GitHub adds the ref that the workflow file was read from.
        workflow=run.path.partition("@")[0],
        event=run.event,
        head_branch=run.head_branch,
        head_sha=run.head_sha,
        display_title=run.display_title,
        actor_id=run.actor.id if run.actor else None,
        status=run.status,
        conclusion=run.conclusion,
        created_at=run.created_at,
        started_at=run.run_started_at,
        # A run has no time of completion of its own: it is the last time it was updated.
        completed_at=run.updated_at if run.status == "completed" else None,
    )
    await runs.record(conn, heard)

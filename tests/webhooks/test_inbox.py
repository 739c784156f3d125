"""Understanding what was stored: any number of times, in any order, and never for ever (docs/design.md section 2)."""

from datetime import timedelta

import structlog

from bot.rules.backoff import MOST_ATTEMPTS, next_try_seconds
from bot.store import clock, deliveries, enrolments, installations
from bot.store.installations import Reading
from tests.store import rows
from tests.store.rows import ACCOUNT, DEADLINE, INSTALLATION

from . import bodies
from .conftest import GitHub, Pool

BREAK = """
CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'the disk is on fire'; END $$;
CREATE TRIGGER fail BEFORE INSERT ON commands FOR EACH ROW EXECUTE FUNCTION fail();
"""
MEND = "DROP TRIGGER fail ON commands"


async def installed(pool: Pool, state: str = "active") -> None:
    """The App is installed, and course time stands at the deadline."""
    async with pool.acquire() as conn:
        await rows.installation(conn, state=state)
        await clock.stand(conn, DEADLINE)


async def look_up(pool: Pool, state: str) -> None:
    """What the job does once GitHub has said what the installation is."""
    async with pool.acquire() as conn:
        await installations.record(conn, ACCOUNT, INSTALLATION, Reading(state, "prog1"))
        await deliveries.wake(conn, ACCOUNT, INSTALLATION)


async def test_what_is_understood_is_handled_and_stays_known(github: GitHub) -> None:
    await installed(github.pool)

    await github.tell("push", bodies.push())

    assert await github.outcomes() == [("push", "understood")]


async def test_an_event_without_a_handler_is_only_recorded(github: GitHub) -> None:
    await github.tell("ping", {"zen": "Keep it logically awesome.", "hook_id": 1})

    assert await github.outcomes() == [("ping", "recorded")]


async def test_an_installation_nobody_has_heard_of_is_looked_up(github: GitHub) -> None:
    await github.tell("push", bodies.push())

    row = await github.pool.fetchrow("SELECT installation_id, state, read_due_at <= now() FROM installations")
    assert row is not None
    assert tuple(row) == (INSTALLATION, "unknown", True)
    assert await github.outcomes() == [("push", "its installation is being looked up")]


async def test_a_push_whose_installation_was_looked_up_has_its_receipt_with_the_time_it_arrived(
    github: GitHub,
) -> None:
    async with github.pool.acquire() as conn:
        await clock.stand(conn, DEADLINE)
    await github.tell("push", bodies.push())
    arrived = await github.pool.fetchval("SELECT received_at FROM deliveries")
    async with github.pool.acquire() as conn:
        await clock.stand(conn, DEADLINE + timedelta(hours=1))

    await look_up(github.pool, "active")
    await github.understand()

    assert await github.pool.fetchval("SELECT received_at FROM receipts") == arrived
    assert await github.outcomes() == [("push", "understood")]


async def test_what_github_does_not_know_either_stays_stored_and_is_ignored(github: GitHub) -> None:
    await github.tell("push", bodies.push())

    await look_up(github.pool, "gone")
    await github.understand()

    assert await github.outcomes() == [("push", "ignored: GitHub knows no such installation")]
    assert await github.pool.fetchval("SELECT count(*) FROM receipts") == 0


async def test_a_body_that_is_not_what_its_event_promises_is_given_up_at_once_and_named(github: GitHub) -> None:
    await installed(github.pool)

    with structlog.testing.capture_logs() as lines:
        await github.tell("workflow_run", bodies.envelope(action="completed"))

    ((_, outcome),) = await github.outcomes()
    assert outcome is not None
    assert outcome.startswith("given up: workflow_run body:")
    assert "workflow_run" in outcome
    assert [line["action"] for line in lines] == ["delivery.given_up"]


async def test_a_handler_that_fails_keeps_the_row_undoes_its_half_and_is_tried_again_later(github: GitHub) -> None:
    await installed(github.pool)
    await github.pool.execute(BREAK)

    with structlog.testing.capture_logs():
        await github.tell("issue_comment", bodies.comment())

    row = await github.pool.fetchrow(
        "SELECT handled_at, attempts, outcome, extract(epoch FROM due_at - now())::float AS wait FROM deliveries"
    )
    assert row is not None
    assert (row["handled_at"], row["attempts"]) == (None, 1)
    assert "the disk is on fire" in row["outcome"]
    assert 0 < row["wait"] <= (next_try_seconds(0) or 0)

    await github.pool.execute(MEND)
    await wake(github)
    assert await github.outcomes() == [("issue_comment", "understood")]
    assert await github.pool.fetchval("SELECT count(*) FROM commands") == 1


async def test_one_delivery_that_fails_does_not_hold_up_the_others(github: GitHub) -> None:
    await installed(github.pool)
    await github.pool.execute(BREAK)

    with structlog.testing.capture_logs():
        await github.tell("issue_comment", bodies.comment())
        await github.tell("push", bodies.push())

    assert ("push", "understood") in await github.outcomes()


async def test_a_fault_that_stays_is_given_up_in_the_end_and_then_no_freeze_waits_for_it(github: GitHub) -> None:
    await installed(github.pool)
    async with github.pool.acquire() as conn:
        await rows.enrolment(conn, await rows.project(conn), deadline_applied_at=DEADLINE)
    await github.pool.execute(BREAK)

    with structlog.testing.capture_logs():
        await github.tell("issue_comment", bodies.comment())
        for _ in range(MOST_ATTEMPTS):
            assert await freezes(github) == 0
            await wake(github)

    ((_, outcome),) = await github.outcomes()
    assert outcome is not None
    assert outcome.startswith("given up: ")
    assert await freezes(github) == 1


async def wake(github: GitHub) -> None:
    """The time of waiting is over."""
    await github.pool.execute("UPDATE deliveries SET due_at = now()")
    await github.understand()


async def freezes(github: GitHub) -> int:
    """How many repositories can be frozen now."""
    async with github.pool.acquire() as conn:
        return len(await enrolments.freeze_due(conn, DEADLINE))

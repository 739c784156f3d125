"""The ledger of reviews: claimed before the call, at most once in a round (docs/design.md section 7)."""

from datetime import timedelta
from typing import Any
from uuid import uuid4

import asyncpg
import pytest

from bot.model import Project
from bot.store import dispatches, enrolments, projects
from bot.store.dispatches import Entry
from bot.store.records import Conn

from . import rows
from .rows import ACCOUNT, DEADLINE
from .sessions import beside
from .work import LEASE_SECONDS

FROZEN: dict[str, Any] = {
    "deadline_applied_at": DEADLINE,
    "frozen_at": DEADLINE,
    "submission_sha": "a",
    "submission_at": DEADLINE,
}
LATER = DEADLINE + timedelta(hours=1)


async def frozen(conn: Conn, **columns: Any) -> tuple[Project, int]:
    """A closed project with one frozen repository that has a submission."""
    project_id = await rows.project(conn, state="closed", deadline_applied_at=DEADLINE)
    repository = await rows.enrolment(conn, project_id, **(FROZEN | columns))
    return await projects.hold(conn, ACCOUNT, project_id), repository


async def entered(conn: Conn, project: Project, repository: int) -> Entry:
    """The review, claimed."""
    entry = await dispatches.enter(conn, project, repository, uuid4(), LATER)
    assert entry is not None
    return entry


async def reopened(conn: Conn, project: Project) -> None:
    """The project's deadline was moved ahead, and what was applied began a new round."""
    await conn.execute("UPDATE projects SET deadline_at = $1", LATER)
    await enrolments.reopen(conn, project, DEADLINE)


async def test_a_review_is_due_until_it_is_claimed(conn: Conn) -> None:
    project, repository = await frozen(conn)
    assert await dispatches.due(conn, ACCOUNT, project.id) == [repository]

    entry = await entered(conn, project, repository)

    assert (entry.sha, entry.deadline) == ("a", DEADLINE)
    assert await dispatches.due(conn, ACCOUNT, project.id) == []
    assert await dispatches.enter(conn, project, repository, uuid4(), LATER) is None


@pytest.mark.parametrize(
    "columns",
    [
        {"frozen_at": None},
        {"withdrawn_at": DEADLINE},
        {"review_settled_at": DEADLINE},
        {"submission_sha": None, "submission_at": None},
    ],
    ids=lambda columns: "-".join(columns),
)
async def test_what_is_not_due_cannot_be_claimed(conn: Conn, columns: dict[str, Any]) -> None:
    project, repository = await frozen(conn, **columns)

    assert await dispatches.enter(conn, project, repository, uuid4(), LATER) is None


async def test_of_two_sessions_one_claims_a_review(conn: Conn, other: Conn) -> None:
    project, repository = await frozen(conn)

    async with conn.transaction():
        await entered(conn, project, repository)
        second = await beside(conn, other, dispatches.enter(other, project, repository, uuid4(), LATER))
        assert not second.done(), "the second waits for the repository's row"

    assert await second is None
    assert await conn.fetchval("SELECT count(*) FROM dispatches") == 1


async def test_a_second_row_of_a_round_is_refused_by_the_database_itself_even_to_another_session(
    conn: Conn, other: Conn
) -> None:
    project, repository = await frozen(conn)

    async with conn.transaction():
        await _force(conn, project, repository)
        second = await beside(conn, other, _force(other, project, repository))
        assert not second.done(), "the second waits for what becomes of the first"

    with pytest.raises(asyncpg.UniqueViolationError, match="dispatches_once"):
        await second


async def test_a_claim_that_waits_for_a_reopen_finds_nothing_to_ask_for(conn: Conn, other: Conn) -> None:
    project, repository = await frozen(conn)

    async with conn.transaction():
        await reopened(conn, project)
        claiming = await beside(conn, other, dispatches.enter(other, project, repository, uuid4(), LATER))
        assert not claiming.done()

    assert await claiming is None


async def test_a_claim_given_back_is_due_again_in_the_same_round(conn: Conn) -> None:
    project, repository = await frozen(conn)
    first = await entered(conn, project, repository)

    await dispatches.give_back(conn, first, refused=True)

    assert await dispatches.due(conn, ACCOUNT, project.id) == [repository]
    second = await entered(conn, project, repository)
    assert second.id != first.id


@pytest.mark.parametrize("outcome", ["accepted", "not confirmed"])
async def test_what_was_answered_stays_answered(conn: Conn, outcome: str) -> None:
    project, repository = await frozen(conn)
    entry = await entered(conn, project, repository)
    await dispatches.answered(conn, entry, outcome, DEADLINE)

    await dispatches.answered(conn, entry, "given back", None)
    await dispatches.give_back(conn, entry, refused=True)

    row = await conn.fetchrow("SELECT outcome, github_date FROM dispatches")
    assert row is not None
    assert tuple(row) == (outcome, DEADLINE)
    assert await dispatches.due(conn, ACCOUNT, project.id) == []


async def test_a_reopen_begins_a_new_round_and_voids_the_row_of_the_old_one(conn: Conn) -> None:
    project, repository = await frozen(conn)
    old = await entered(conn, project, repository)

    await reopened(conn, project)
    assert await dispatches.void_old(conn, project, [repository], LATER) == 1
    await _freeze(conn)
    new = await entered(conn, project, repository)

    ledger = await conn.fetch("SELECT id, round, voided_at FROM dispatches ORDER BY id")
    assert [tuple(row) for row in ledger] == [(old.id, 1, LATER), (new.id, 2, None)]
    assert await dispatches.void_old(conn, project, [repository], LATER) == 0


async def test_a_refusal_that_comes_after_a_reopen_does_not_make_the_old_round_due(conn: Conn) -> None:
    project, repository = await frozen(conn)
    old = await entered(conn, project, repository)
    await reopened(conn, project)
    await _freeze(conn)
    await entered(conn, project, repository)

    await dispatches.give_back(conn, old, refused=True)

    assert await dispatches.due(conn, ACCOUNT, project.id) == []


async def test_a_refusal_is_new_once(conn: Conn) -> None:
    project, _ = await frozen(conn)

    news = [await dispatches.set_failure(conn, project, reason) for reason in ("403", "403", None, "403")]

    assert news == [True, False, True, True]


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE installations SET state = 'suspended'",
        "UPDATE installations SET paused_until = now() + interval '1 minute'",
        "UPDATE repositories SET gone_at = now(), gone_as = 'deleted'",
        "UPDATE projects SET archived_at = now()",
        "UPDATE courses SET mode = 'shadow'",
        "UPDATE enrolments SET withdrawn_at = now()",
    ],
)
async def test_no_process_takes_reviews_that_cannot_be_asked_for_now(conn: Conn, change: str) -> None:
    await rows.installation(conn)
    await frozen(conn)

    await conn.execute(change)

    assert await dispatches.claim(conn, await rows.process(conn), LEASE_SECONDS) == []


async def _force(conn: Conn, project: Project, repository: int) -> None:
    key = (project.account_id, project.id, repository)
    await conn.execute(dispatches.Q["enter"], *key, 1, "a", uuid4(), LATER)


async def _freeze(conn: Conn) -> None:
    await conn.execute("UPDATE enrolments SET deadline_applied_at = $1, frozen_at = $1, submission_sha = 'b'", LATER)


WAITS = "SELECT extract(epoch FROM review_due_at - now())::integer FROM enrolments"


async def given_back(conn: Conn, project: Project, repository: int, *, refused: bool) -> int | None:
    """Claimed and given back; the seconds until it is due, None for at once."""
    async with conn.transaction():
        await dispatches.give_back(conn, await entered(conn, project, repository), refused=refused)
        seconds: int | None = await conn.fetchval(WAITS)
    return seconds


async def test_a_refused_review_is_due_later_each_time_up_to_an_hour(conn: Conn) -> None:
    project, repository = await frozen(conn)

    waits = [await given_back(conn, project, repository, refused=True) for _ in range(9)]

    assert waits == [0, 30, 90, 210, 450, 930, 1890, 3600, 3600]
    assert await dispatches.due(conn, ACCOUNT, project.id) == []
    assert await dispatches.claim(conn, uuid4(), LEASE_SECONDS) == []


async def test_a_pause_or_a_spent_budget_is_no_refusal_and_puts_no_review_off(conn: Conn) -> None:
    project, repository = await frozen(conn)

    for _ in range(9):
        assert await given_back(conn, project, repository, refused=False) is None

    assert await dispatches.due(conn, ACCOUNT, project.id) == [repository]
    assert await given_back(conn, project, repository, refused=True) == 0, "the first refusal is the first"


async def test_a_new_round_forgets_the_refusals_of_the_old_one(conn: Conn) -> None:
    project, repository = await frozen(conn)
    for _ in range(4):
        await given_back(conn, project, repository, refused=True)

    await reopened(conn, project)
    await _freeze(conn)

    assert await dispatches.due(conn, ACCOUNT, project.id) == [repository]
    assert await given_back(conn, project, repository, refused=True) == 0

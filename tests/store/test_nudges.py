"""A nudge is claimed once per visit of a state (docs/design.md section 8)."""

from datetime import timedelta
from typing import Any

import pytest

from bot.model import CLOCK, State
from bot.store import nudges, projects
from bot.store.records import Conn

from . import rows
from .rows import ACCOUNT, DEADLINE, TICK
from .sessions import beside

DAY = timedelta(days=1)
MADE = DEADLINE - 7 * DAY


async def test_a_draft_is_claimed_a_day_before_its_deadline_and_once(conn: Conn) -> None:
    project_id = await rows.project(conn, state="draft", created_at=MADE)

    assert await nudges.claim_drafts(conn, DEADLINE - DAY - TICK) == []
    assert [found[1] for found in await nudges.claim_drafts(conn, DEADLINE - DAY)] == [project_id]
    assert await nudges.claim_drafts(conn, DEADLINE - DAY / 2) == []


@pytest.mark.parametrize(
    "columns",
    [
        {"state": "open"},
        {"archived_at": MADE},
        {"opens_at": DEADLINE - TICK},
        {"created_at": DEADLINE - DAY / 2 - timedelta(minutes=59)},
    ],
    ids=["open", "archived", "opens by itself", "made a moment ago"],
)
async def test_others_are_left_in_peace(conn: Conn, columns: dict[str, Any]) -> None:
    draft: dict[str, Any] = {"state": "draft", "created_at": MADE}
    await rows.project(conn, **(draft | columns))

    assert await nudges.claim_drafts(conn, DEADLINE - DAY / 2) == []


async def test_a_draft_that_could_not_open_at_its_time_is_claimed(conn: Conn) -> None:
    project_id = await rows.project(conn, state="draft", created_at=MADE, opens_at=DEADLINE - 2 * DAY)

    assert [found[1] for found in await nudges.claim_drafts(conn, DEADLINE - DAY)] == [project_id]


async def test_a_draft_whose_last_day_was_missed_is_claimed_late_and_once(conn: Conn) -> None:
    project_id = await rows.project(conn, state="draft", created_at=MADE)

    assert [found[1] for found in await nudges.claim_drafts(conn, DEADLINE + DAY)] == [project_id]
    assert await nudges.claim_drafts(conn, DEADLINE + DAY + TICK) == []


async def test_two_sessions_at_once_claim_it_once(conn: Conn, other: Conn) -> None:
    await rows.project(conn, state="draft", created_at=MADE)

    async with conn.transaction():
        first = await nudges.claim_drafts(conn, DEADLINE - DAY)
        second = await beside(conn, other, nudges.claim_drafts(other, DEADLINE - DAY))

    assert len(first) == 1
    assert await second == []


async def test_another_visit_of_the_state_may_be_nudged_again(conn: Conn) -> None:
    project_id = await rows.project(conn, state="draft", created_at=MADE)
    await nudges.claim_drafts(conn, DEADLINE - DAY)

    async with conn.transaction():
        project = await projects.hold(conn, ACCOUNT, project_id)
        await projects.transition(conn, project, State.OPEN, CLOCK, DEADLINE - DAY)

    assert await conn.fetchval("SELECT nudged_at FROM projects") is None

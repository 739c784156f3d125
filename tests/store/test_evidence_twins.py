"""What is believed of a push's times, and when it is unsettled: the rules and their twins in SQL never disagree."""

import asyncio
from contextlib import AsyncExitStack
from dataclasses import dataclass
from datetime import datetime, timedelta

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.rules import evidence
from bot.store.pool import open_connection
from bot.store.records import Conn

from . import rows
from .rows import ACCOUNT, DEADLINE, MAIN

SETTINGS = settings(
    max_examples=150, derandomize=True, database=None, deadline=None, suppress_health_check=list(HealthCheck)
)
EDGES = [0, 1, 599, 600, 601, 1200]
SOME = st.sampled_from([sign * edge for edge in EDGES for sign in (1, -1)]).map(
    lambda seconds: DEADLINE + timedelta(seconds=seconds)
)
BELIEVED = f"SELECT believed_claim({ACCOUNT}, 9, '{MAIN}', 'before', $1, $2)"
UNSETTLED = "SELECT is_settled(r), is_unsettled(r, $1) FROM receipts r WHERE head_sha = 'a'"


@dataclass(frozen=True)
class Times:
    claimed: datetime | None
    arrived: datetime
    before: datetime | None
    listed: datetime | None
    asked: int


def test_the_rules_and_their_twins_agree_at_every_edge(dsn: str) -> None:
    with asyncio.Runner() as runner:
        stack = AsyncExitStack()
        conn = runner.run(stack.enter_async_context(open_connection(dsn)))

        @SETTINGS
        @given(st.builds(Times, SOME | st.none(), SOME, SOME | st.none(), SOME | st.none(), st.integers(0, 4)))
        def agree(times: Times) -> None:
            runner.run(_hold_against(conn, times))

        try:
            agree()
        finally:
            runner.run(stack.aclose())


async def _hold_against(conn: Conn, it: Times) -> None:
    transaction = conn.transaction()
    await transaction.start()
    try:
        if it.before:
            await rows.receipt(conn, 9, "before", it.before)
        believed = await conn.fetchval(BELIEVED, it.claimed, it.arrived)
        assert believed == evidence.believed_claim(it.claimed, it.arrived, it.before)
        await rows.receipt(conn, 9, "a", it.arrived, claimed_at=it.claimed, activity_at=it.listed, asked=it.asked)
        row = await conn.fetchrow(UNSETTLED, DEADLINE)
        settled = evidence.is_settled(it.listed is not None, it.asked)
        received = min(it.arrived, it.listed or it.arrived)
        assert row is not None
        assert tuple(row) == (settled, evidence.is_unsettled(received, it.claimed, settled, DEADLINE))
    finally:
        await transaction.rollback()

"""The gate that the GitHub room asks before every call, kept in the installation's row for all processes together."""

import asyncpg

from bot.github.gate import Admission, Call, Urgency
from bot.store import gate
from bot.store.gate import Cost

CEILINGS = {
    # Of GitHub's 900 points a minute, what each urgency may use up: deadlines always find some left.
    Urgency.DEADLINE: 900,
    Urgency.REVIEW: 860,
    Urgency.READ: 800,
    Urgency.CHECK: 700,
    Urgency.COMMENT: 650,
}


class SharedGate:
    """Shadow mode, pause and budget (docs/design.md sections 2 and 5)."""

    def __init__(self, pool: "asyncpg.Pool[asyncpg.Record]") -> None:
        self._pool = pool

    async def admit(self, call: Call) -> Admission:
        """Decide in one statement, and count what is let through."""
        cost = Cost(call.points, int(call.creates_content), CEILINGS[call.urgency])
        targets = call.repository_ids if call.writes else ()
        async with self._pool.acquire() as conn:
            verdict, after = await gate.admit(conn, call.account_id, call.installation_id, targets, cost)
        return Admission(verdict, after)

    async def pause(self, call: Call, seconds: float) -> None:
        """GitHub limited the installation: every process keeps still for `seconds` (real time)."""
        async with self._pool.acquire() as conn:
            await gate.pause(conn, call.account_id, call.installation_id, seconds)

"""The gate that the GitHub room asks before every call, kept in the installation's row for all processes together."""

from collections import Counter

import asyncpg

from bot.github.gate import Admission, Call, Urgency
from bot.store import gate, installations, repositories
from bot.store.gate import Cost, Targets

CEILINGS = {
    # Of GitHub's 900 points a minute, what each urgency may use up: deadlines always find some left, and the reviews
    # of a large course, which take minutes, most of what checks and comments would otherwise keep them from.
    Urgency.DEADLINE: 900,
    Urgency.REVIEW: 860,
    Urgency.READ: 750,
    Urgency.CHECK: 500,
    Urgency.COMMENT: 450,
}


FIRST_SHARE = gate.AT_ONCE // 4
"""How many calls a process has out at once before it is told how many workers there are."""

SOON_SECONDS = 0.1


class SharedGate:
    """Shadow mode, pause and budget (docs/design.md sections 2 and 5), and this process's share of calls at once."""

    def __init__(self, pool: "asyncpg.Pool[asyncpg.Record]") -> None:
        self._pool = pool
        self._share = FIRST_SHARE
        self._out: Counter[int] = Counter()

    async def admit(self, call: Call) -> Admission:
        """Decide in one statement, and count what is let through; each of these is to be `done`."""
        if not self._has_room(call):
            return Admission("wait", SOON_SECONDS)
        # Taken before asking: others may ask meanwhile.
        self._out[call.installation_id] += 1
        admission = Admission("wait", SOON_SECONDS)
        try:
            admission = await self._ask(call)
        finally:
            if admission.verdict != "go":
                self.done(call)
        return admission

    def done(self, call: Call) -> None:
        """An admitted call has ended, however."""
        self._out[call.installation_id] -= 1

    async def pause(self, call: Call, seconds: float) -> None:
        """GitHub limited the installation: every process keeps still for `seconds` (real time)."""
        async with self._pool.acquire() as conn:
            await gate.pause(conn, call.account_id, call.installation_id, seconds)

    async def moved(self, call: Call) -> None:
        """GitHub knows what the call was about by another name now: it is read again, and the name stored."""
        async with self._pool.acquire() as conn:
            if call.repository_ids:
                await repositories.heard_of(conn, call.account_id, call.repository_ids, None)
            else:
                await installations.look_again(conn, call.account_id)

    def _has_room(self, call: Call) -> bool:
        """The less urgent leave some of the share to the more urgent, as they do of the points."""
        most = self._share * CEILINGS[call.urgency] // CEILINGS[Urgency.DEADLINE]
        return self._out[call.installation_id] < max(1, most)

    async def _ask(self, call: Call) -> Admission:
        cost = Cost(call.points, int(call.creates_content), CEILINGS[call.urgency])
        targets = Targets(call.repository_ids if call.writes else (), call.lifts)
        async with self._pool.acquire() as conn:
            word = await gate.admit(conn, call.account_id, call.installation_id, targets, cost)
        self._share = word.at_once
        return Admission(word.verdict, word.after_seconds)

"""The leases of every kind of work that calls GitHub, taken in the order of urgency: deadlines first, comments last."""

from collections.abc import Awaitable, Callable, Mapping
from uuid import UUID

from bot.store import (
    activities,
    boards,
    checks,
    commands,
    delivery_logs,
    dispatches,
    enforcement,
    installations,
    locks,
    outbox,
    reconciliations,
    repositories,
    runs,
)
from bot.store.records import Conn
from bot.sweeper.tick import Claimed, Tick

Take = Callable[[Tick], Awaitable[Claimed]]

TAKE: Mapping[str, Take] = {
    "locks": lambda tick: locks.claim(tick.conn, tick.holder, tick.lease_seconds),
    "enforcement": lambda tick: enforcement.claim(tick.conn, tick.holder, tick.lease_seconds),
    "dispatches": lambda tick: dispatches.claim(tick.conn, tick.holder, tick.lease_seconds),
    "installations": lambda tick: installations.claim_reads(*_some(tick, "installations")),
    "delivery_logs": lambda tick: delivery_logs.claim(*_some(tick, "delivery_logs")),
    "commands": lambda tick: commands.claim(*_some(tick, "commands")),
    "repositories": lambda tick: repositories.claim_reads(*_some(tick, "repositories")),
    "activities": lambda tick: activities.claim(*_some(tick, "activities")),
    "runs": lambda tick: runs.claim_reads(*_some(tick, "runs")),
    "reconciliations": lambda tick: reconciliations.claim(*_some(tick, "reconciliations")),
    "checks": lambda tick: checks.claim(*_some(tick, "checks")),
    "outbox": lambda tick: outbox.claim(*_some(tick, "outbox")),
    "boards": lambda tick: boards.claim(*_some(tick, "boards")),
}


def claim_of(kind: str) -> Take:
    """The task that takes leases of one kind, as many as this process has hands for."""

    async def claim(tick: Tick) -> Claimed:
        return await TAKE[kind](tick) if tick.free.get(kind, 0) > 0 else []

    return claim


def _some(tick: Tick, kind: str) -> tuple[Conn, UUID, int, int]:
    return tick.conn, tick.holder, tick.lease_seconds, tick.free[kind]

"""What a task of the sweeper is handed: one transaction, course time, and how much work may be taken."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from bot.store.leases import Lease
from bot.store.records import Conn


@dataclass(frozen=True, slots=True)
class Tick:
    """One task's turn. `free` is how many more leases of each kind this process can work on; empty without a worker."""

    conn: Conn
    now: datetime
    holder: UUID
    lease_seconds: int
    free: Mapping[str, int]


Claimed = list[Lease]

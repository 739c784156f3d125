"""The shared half of the gate of writes: shadow mode, pause and budget of an installation, in its row."""

from dataclasses import dataclass
from typing import Literal

from bot.store import queries
from bot.store.records import Conn

Q = queries.load("gate")

Verdict = Literal["go", "wait", "paused", "shadow"]

AT_ONCE = 100
"""How many calls of an installation GitHub takes at a time ("Rate limits for the REST API")."""


@dataclass(frozen=True, slots=True)
class Cost:
    """What a call costs of GitHub's limits; `ceiling` is how many points per minute its urgency may reach."""

    points: int
    content: int
    ceiling: int


@dataclass(frozen=True, slots=True)
class Targets:
    """The repositories that a call would change, and whether it takes their lock off."""

    repository_ids: tuple[int, ...] = ()
    lifts: bool = False


@dataclass(frozen=True, slots=True)
class Word:
    """The gate's answer: after which real seconds to ask again, and how many calls each worker may have out at once."""

    verdict: Verdict
    after_seconds: float
    at_once: int


async def admit(conn: Conn, account_id: int, installation_id: int, targets: Targets, cost: Cost) -> Word:
    """Whether a call that changes `targets` may go; what goes is counted."""
    about = (list(targets.repository_ids), targets.lifts)
    limits = (cost.points, cost.content, cost.ceiling, AT_ONCE)
    (row,) = await conn.fetch(Q["admit"], account_id, installation_id, *about, *limits)
    return Word(row["verdict"], row["after_seconds"], row["at_once"])


async def pause(conn: Conn, account_id: int, installation_id: int, seconds: float) -> None:
    """GitHub asked for silence: no process calls through this installation for `seconds` (real time)."""
    await conn.execute(Q["pause"], account_id, installation_id, seconds)

"""The shared half of the gate of writes: shadow mode, pause and budget of an installation, in its row."""

from dataclasses import dataclass
from typing import Literal

from bot.store import queries
from bot.store.records import Conn

Q = queries.load("gate")

Verdict = Literal["go", "wait", "paused", "shadow"]


@dataclass(frozen=True, slots=True)
class Cost:
    """What a call costs of GitHub's limits; `ceiling` is how many points per minute its urgency may reach."""

    points: int
    content: int
    ceiling: int


async def admit(
    conn: Conn, account_id: int, installation_id: int, targets: tuple[int, ...], cost: Cost
) -> tuple[Verdict, float]:
    """`go`, `wait`, `paused` or `shadow`, with the seconds (real time) after which to ask again."""
    limits = (cost.points, cost.content, cost.ceiling)
    (row,) = await conn.fetch(Q["admit"], account_id, installation_id, list(targets), *limits)
    return row["verdict"], row["after_seconds"]


async def pause(conn: Conn, account_id: int, installation_id: int, seconds: float) -> None:
    """GitHub asked for silence: no process calls through this installation for `seconds` (real time)."""
    await conn.execute(Q["pause"], account_id, installation_id, seconds)

"""After an outage of ours, GitHub's records are read for what nobody took in (docs/design.md sections 3 and 4)."""

from bot import log
from bot.store import outages
from bot.sweeper.tick import Claimed, Tick


async def claim(tick: Tick) -> Claimed:
    """Look at each outage once, before anything can be frozen, and see whether its recovery is over."""
    for outage in await outages.look(tick.conn, tick.now):
        log.get().warning(
            "this service was down",
            action="outage.seen",
            part=outage.part,
            began_at=outage.began_at.isoformat(),
            ended_at=outage.ended_at.isoformat(),
        )
    if recovered := await outages.recover(tick.conn, tick.now):
        log.get().info("what was missed is known", action="outage.recovered", outages=recovered)
    return []

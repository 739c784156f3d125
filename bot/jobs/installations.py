"""Read from GitHub what an installation is now; the events only said which one (docs/design.md section 14)."""

from bot import failpoints
from bot.github import installations as github
from bot.github.failures import Closing, GitHubFailure
from bot.github.hub import Hub
from bot.github.installations import InstallationState
from bot.jobs.desk import Desk
from bot.jobs.frame import Held
from bot.model import GITHUB
from bot.store import audit, clock, deliveries, installations, locks, outages
from bot.store.audit import Subject
from bot.store.installations import Reading


async def run(desk: Desk, held: Held) -> None:
    """Record its state, and wake the deliveries that waited for it."""
    account_id, installation_id = held.lease.account_id, held.lease.key
    found = await github.read(desk.hub, installation_id)
    # Whatever made us look: what it may do now, a token of before need not.
    desk.hub.forget_token(installation_id)
    reading = await _reading(desk.hub, found) if found and found.account_id == account_id else Reading("gone")
    failpoints.reach("installation.read")
    async with held.finishing() as conn:
        before = await installations.by_id(conn, account_id, installation_id)
        # Deliveries before the installation, as the handler of its events takes them: never in each other's way.
        await deliveries.wake(conn, account_id, installation_id)
        other_plan = await installations.record(conn, account_id, installation_id, reading)
        if reading.state == "active":
            await locks.doubt(conn, account_id, await clock.now(conn), other_plan=other_plan)
        if before is not None and before.state != reading.state:
            detail = {"installation": installation_id, "state": reading.state}
            await audit.record(conn, Subject(account_id), "installation.read", GITHUB, await clock.now(conn), detail)
            if reading.state == "active":
                await outages.returned(conn, account_id)


async def _reading(hub: Hub, found: InstallationState) -> Reading:
    if found.suspended:
        return Reading("suspended", found.login, found.permissions)
    api = hub.installation(found.account_id, found.installation_id, found.login)
    try:
        plan = await github.plan(api)
    except Closing:
        raise
    except GitHubFailure:
        # Which plan it is can wait; that it is there cannot.
        plan = None
    return Reading("active", found.login, found.permissions, plan)


async def hear_of_all(desk: Desk) -> None:
    """At the start: every installation GitHub lists, and every one we knew, is read again."""
    found = await github.read_all(desk.hub)
    async with desk.pool.acquire() as conn, conn.transaction():
        await installations.all_due(conn)
        for installation in found:
            await installations.heard_of(
                conn, installation.account_id, installation.installation_id, installation.login
            )

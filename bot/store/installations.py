"""Where the App is installed, as GitHub said when it was last read."""

from dataclasses import dataclass
from uuid import UUID

from bot.model import Installation, LockTrouble
from bot.rules.permissions import InstallationStanding
from bot.store import leases, queries
from bot.store.leases import Lease
from bot.store.records import Conn, many, one

Q = queries.load("installations")


@dataclass(frozen=True, slots=True)
class Reading:
    """What GitHub said of an installation; None leaves what was known."""

    state: str
    login: str | None = None
    permissions: dict[str, str] | None = None
    plan: str | None = None


async def heard_of(conn: Conn, account_id: int, installation_id: int, login: str) -> None:
    """An event or a list named it: its state is to be read from GitHub (docs/design.md section 14)."""
    await conn.execute(Q["heard_of"], account_id, installation_id, login)


async def look_again(conn: Conn, account_id: int) -> None:
    """An answer of GitHub's said that the account's installation is no longer what we know: it is to be read."""
    await conn.execute(Q["look_again"], account_id)


async def all_due(conn: Conn) -> None:
    """At the start, read every installation again."""
    await conn.execute(Q["all_due"])


async def claim_reads(conn: Conn, holder: UUID, lease_seconds: int, limit: int) -> list[Lease]:
    """Take up to `limit` installations to be read."""
    return leases.taken("installations", holder, await conn.fetch(Q["claim_reads"], holder, lease_seconds, limit))


async def by_id(conn: Conn, account_id: int, installation_id: int) -> Installation | None:
    """One installation in whatever state."""
    return one(Installation, await conn.fetchrow(Q["by_id"], account_id, installation_id))


async def active(conn: Conn, account_id: int) -> Installation | None:
    """The installation through which the account can be reached now."""
    return one(Installation, await conn.fetchrow(Q["active"], account_id))


async def record(conn: Conn, account_id: int, installation_id: int, reading: Reading) -> bool:
    """Write what GitHub said, and whether the plan is another one than was known.

    An active one takes the place of an older one of the same account.
    """
    if reading.state == "active":
        await conn.execute(Q["replaced"], account_id, installation_id)
    fact = (reading.state, reading.login, reading.permissions, reading.plan)
    return bool(await conn.fetchval(Q["set_state"], account_id, installation_id, *fact))


async def set_lock_refused(conn: Conn, account_id: int, reason: str) -> bool:
    """Why there can be no organisation rulesets, in GitHub's words; True if that is news, to be audited."""
    return bool(await conn.fetchval(Q["set_lock_refused"], account_id, reason))


async def lock_taken(conn: Conn, account_id: int) -> None:
    """GitHub took the rulesets: a refusal from now on is news, and there is no failure to show."""
    await conn.execute(Q["lock_taken"], account_id)


async def set_lock_failure(conn: Conn, account_id: int, reason: str | None) -> bool:
    """Why the rulesets could not be changed, or None once they could; True if that is news, to be audited."""
    return await conn.fetchval(Q["set_lock_failure"], account_id, reason) is not None


async def lock_trouble(conn: Conn, account_id: int) -> LockTrouble:
    """What keeps the account's repositories from being closed, if anything does."""
    return one(LockTrouble, await conn.fetchrow(Q["lock_trouble"], account_id)) or LockTrouble()


async def standing(conn: Conn, account_id: int) -> list[InstallationStanding]:
    """How the App stands in the organisation, by installation; usually one."""
    return many(InstallationStanding, await conn.fetch(Q["standing"], account_id))

"""The organisation's set of closed repositories: what the rows want, what was sent, what GitHub said it holds."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from bot.store import leases, queries
from bot.store.leases import Lease
from bot.store.records import Conn, many

Q = queries.load("locks")


@dataclass(frozen=True, slots=True)
class Ruleset:
    """One of the pair, as last sent; `tried_at` says since when the outcome of a call is not known.

    `bypass_stale`: it names teams of the staff that are no longer theirs, or misses one.
    """

    target: str
    ruleset_id: int | None
    repository_ids: list[int]
    tried_at: datetime | None = None
    bypass_stale: bool = False


async def claim(conn: Conn, holder: UUID, lease_seconds: int) -> list[Lease]:
    """Take the organisations whose pair of rulesets differs from what the rows say."""
    return leases.taken("locks", holder, await conn.fetch(Q["claim"], holder, lease_seconds))


async def wanted(conn: Conn, account_id: int) -> list[int]:
    """The ids that the pair should hold now."""
    return [row["id"] for row in await conn.fetch(Q["wanted"], account_id)]


async def known(conn: Conn, account_id: int, repository_ids: Sequence[int]) -> set[int]:
    """Those of the ids that a row explains."""
    return {row["id"] for row in await conn.fetch(Q["known"], account_id, list(repository_ids))}


async def differs(conn: Conn, account_id: int) -> bool:
    """Whether GitHub still holds something else than the rows say, or may do so."""
    return bool(await conn.fetchval(Q["differs"], account_id))


async def rulesets(conn: Conn, account_id: int) -> dict[str, Ruleset]:
    """The pair as last sent, by target."""
    return {row.target: row for row in many(Ruleset, await conn.fetch(Q["rulesets"], account_id))}


async def trying(conn: Conn, account_id: int, target: str) -> datetime:
    """Written before the call; the `Ruleset` that is `sent` carries it, to tell this try from one that overlaps."""
    tried_at: datetime = await conn.fetchval(Q["trying"], account_id, target)
    return tried_at


async def sent(
    conn: Conn, account_id: int, ruleset: Ruleset, team_ids: Sequence[int], now: datetime
) -> list[tuple[int, bool | None]]:
    """Record the ids sent, for these teams to bypass, as the fact, and settle each repository.

    (id, whether it is locked from now on) where a ruleset more or less names it; None where it is neither news.
    """
    await conn.execute(Q["hold"], account_id)
    fact = (ruleset.target, ruleset.ruleset_id, ruleset.repository_ids, now, ruleset.tried_at)
    await conn.execute(Q["sent"], account_id, *fact, list(team_ids))
    return await _settle(conn, account_id, now)


async def doubt(conn: Conn, account_id: int, now: datetime, *, other_plan: bool) -> None:
    """The installation was read: what its plan may have stopped applying, or applies again, is asked of GitHub."""
    await conn.execute(Q["hold"], account_id)
    await conn.execute(Q["doubt"], account_id, now, other_plan)
    if other_plan:
        await conn.execute(Q["doubt_pair"], account_id)


async def lapse(conn: Conn, account_id: int, now: datetime) -> list[tuple[int, bool | None]]:
    """The plan has no organisation rulesets any more, so the pair holds nothing until it is sent anew: as `sent`."""
    await conn.execute(Q["hold"], account_id)
    await conn.execute(Q["lapse"], account_id)
    return await _settle(conn, account_id, now)


async def lapse_one(conn: Conn, account_id: int, repository_id: int, now: datetime) -> list[tuple[int, bool | None]]:
    """The pair does not close this repository, and it cannot be sent: as `sent`."""
    await conn.execute(Q["hold"], account_id)
    await conn.execute(Q["lapse_one"], account_id, repository_id)
    return await _settle(conn, account_id, now)


async def due_since(conn: Conn, account_id: int, repository_ids: Sequence[int]) -> list[datetime]:
    """The deadlines for which these repositories have just been closed."""
    return [row["effective_at"] for row in await conn.fetch(Q["due_since"], account_id, list(repository_ids))]


async def to_verify(conn: Conn, account_id: int) -> list[tuple[int, str]]:
    """(id, default branch) of locked repositories whose rules have not been read back."""
    return [(row["id"], row["default_branch"]) for row in await conn.fetch(Q["to_verify"], account_id)]


async def verified(conn: Conn, account_id: int, repository_id: int, now: datetime) -> None:
    """GitHub itself said that students cannot push there."""
    await conn.execute(Q["verified"], account_id, repository_id, now)


async def absent(conn: Conn, account_id: int, repository_id: int, now: datetime) -> bool:
    """The lock did not show; True if that is news: then it is sent once more, and read back again."""
    row = await conn.fetchrow(Q["absent"], account_id, repository_id, now)
    if row is None or not row["news"]:
        return False
    if row["lock_kind"] == "organisation":
        await conn.execute(Q["doubt_pair"], account_id)
    return True


async def verify_off(conn: Conn, account_id: int, repository_id: int) -> None:
    """The lock could not be read: not asked for ever."""
    await conn.execute(Q["verify_off"], account_id, repository_id)


async def _settle(conn: Conn, account_id: int, now: datetime) -> list[tuple[int, bool | None]]:
    return [(row["id"], row["locked"]) for row in await conn.fetch(Q["settle"], account_id, now)]

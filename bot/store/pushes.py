"""Every push of a repository with all the times that are held of it, in their order (docs/design.md section 3)."""

from collections.abc import Sequence

from bot.rules.pushes import PartFacts, PushFacts, ReplacedVerdict
from bot.store import queries
from bot.store.records import Conn, many

Q = queries.load("pushes")


async def parts(
    conn: Conn, account_id: int, repository_ids: Sequence[int], project_id: int | None = None
) -> list[PartFacts]:
    """What pushes of these repositories are judged by: in one project, or in all that students may know of."""
    return many(PartFacts, await conn.fetch(Q["parts"], account_id, list(repository_ids), project_id))


async def heard(conn: Conn, account_id: int, parts: Sequence[PartFacts]) -> list[PushFacts]:
    """Each push as each of these parts sees it, in order of time; last what nothing dates."""
    return many(PushFacts, await conn.fetch(Q["heard"], account_id, *_keys(parts)))


async def replaced(conn: Conn, account_id: int, parts: Sequence[PartFacts]) -> list[ReplacedVerdict]:
    """Verdicts that hold no more, oldest first."""
    return many(ReplacedVerdict, await conn.fetch(Q["replaced"], account_id, *_keys(parts)))


def _keys(parts: Sequence[PartFacts]) -> tuple[list[int], list[int]]:
    """The repositories and the projects; a repository is asked about in each of the projects that it is part of."""
    return list({part.repository_id for part in parts}), list({part.project_id for part in parts})

"""What is looked at grows with what there is, not with its square: pages of the database are counted, not time.

A statement that walks through all pushes of a branch for each push of it passes every other test, and outlasts the
time limit of a statement on the evening of a deadline.
"""

from collections import defaultdict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from bench import ground
from bench.ground import ACCOUNT, DEADLINE, OVER
from bot.store import checks, clock, enrolments, standings
from bot.store.records import Conn
from tests.conftest import Servers

REPOSITORIES = 8
FEW, MANY = 20, 160
AT_MOST = 2.0
"""How many times more than in proportion: plans differ a little with the amount."""


@asynccontextmanager
async def course(server: str, pushes: int) -> AsyncIterator[Conn]:
    """A course at the end of its grace, its deadline applied, so many pushes in each repository."""
    async with ground.ground(server) as on:
        await ground.fill(on, REPOSITORIES, pushes)
        async with on.pool.acquire() as conn:
            await clock.stand(conn, OVER)
            await conn.execute("UPDATE projects SET state = 'closed', deadline_applied_at = $1", DEADLINE)
            await conn.execute("UPDATE enrolments SET holding = false, deadline_applied_at = $1", DEADLINE)
            await conn.execute("UPDATE delivery_logs SET due_at = NULL, read_at = $1", OVER)
            yield conn


async def pages(conn: Conn, statement: str, *values: Any) -> int:
    """How many pages the statement looks at."""
    transaction = conn.transaction()
    await transaction.start()
    try:
        ((plan,),) = await conn.fetch(f"EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) {statement}", *values)
    finally:
        await transaction.rollback()
    looked: int = plan[0]["Plan"]["Shared Hit Blocks"] + plan[0]["Plan"]["Shared Read Blocks"]
    return looked


async def statements(conn: Conn) -> dict[str, tuple[Any, ...]]:
    """What a deadline, a freeze and a preview run over all repositories, with its values."""
    project_id = await conn.fetchval("SELECT id FROM projects")
    ids = [row["id"] for row in await conn.fetch("SELECT id FROM repositories ORDER BY id")]
    keys = [ACCOUNT] * len(ids), [project_id] * len(ids), ids
    return {
        "checks of a deadline": (checks.Q["due_of_repositories"], ACCOUNT, project_id, ids),
        "undated": (enrolments.Q["undated"], *keys),
        "due to be frozen": (enrolments.Q["freezable"], OVER),
        "freeze": (enrolments.Q["freeze"], OVER, *keys),
        "scores chosen": (enrolments.Q["reselect"], ACCOUNT, ids, OVER, None),
        "preview": (standings.Q["of_project"], ACCOUNT, project_id),
    }


async def test_eight_times_the_pushes_cost_eight_times_the_pages(servers: Servers, server_version: int) -> None:
    looked: dict[str, list[int]] = defaultdict(list)
    for pushes in (FEW, MANY):
        async with course(servers.address(server_version), pushes) as conn:
            for name, statement in (await statements(conn)).items():
                looked[name].append(await pages(conn, *statement))

    assert {name: it for name, it in looked.items() if it[1] / it[0] >= AT_MOST * MANY / FEW} == {}

"""Leases that a living process holds without working on them, since an answer was lost: they are freed at once."""

import pytest

from bot.jobs.crew import Crew
from bot.jobs.desk import Desk
from bot.store import leases
from tests.jobs.conftest import taken
from tests.store import work


@pytest.mark.parametrize("kind", sorted(work.DUE))
async def test_a_lease_that_nobody_works_on_is_free_again_before_it_runs_out(desk: Desk, kind: str) -> None:
    await taken(desk, kind)

    await Crew(desk).release_strays()

    async with desk.pool.acquire() as conn:
        assert await work.take(conn, kind, desk.process_id)


async def test_a_lease_at_work_is_no_stray_and_another_processs_neither(desk: Desk) -> None:
    lease = await taken(desk, "runs")

    async with desk.pool.acquire() as conn:
        assert await leases.release_strays(conn, desk.process_id, "runs", [lease.key]) == 0
        await conn.execute("UPDATE runs SET leased_by = gen_random_uuid()")
        assert await leases.release_strays(conn, desk.process_id, "runs", []) == 0

"""Leases, the same for every kind: one holder at a time, fenced by the token (docs/design.md section 5)."""

from dataclasses import replace
from datetime import timedelta

import pytest

from bot.store import clock, leases, processes
from bot.store.leases import KINDS, RETRY_SECONDS, Lease, LeaseLost
from bot.store.records import Conn

from . import rows
from .sessions import beside
from .work import DUE, LEASE_SECONDS, take

each_kind = pytest.mark.parametrize("kind", KINDS)


async def test_every_kind_has_work_in_these_tests() -> None:
    assert set(DUE) == set(KINDS)


@each_kind
async def test_of_two_sessions_one_takes_the_work(conn: Conn, other: Conn, kind: str) -> None:
    await DUE[kind](conn)
    mine, theirs = await rows.process(conn), await rows.process(conn)

    async with conn.transaction():
        assert len(await take(conn, kind, mine)) == 1
        second = await beside(conn, other, take(other, kind, theirs))

    assert await second == []


@each_kind
async def test_what_is_held_is_not_taken_again(conn: Conn, kind: str) -> None:
    await _taken(conn, kind)

    assert await take(conn, kind, await rows.process(conn)) == []


@each_kind
async def test_what_was_given_back_with_its_work_undone_is_taken_again(conn: Conn, kind: str) -> None:
    lease = await _taken(conn, kind)

    await leases.give_back(conn, lease)

    assert not await leases.held(conn, lease)
    assert len(await take(conn, kind, await rows.process(conn))) == 1


@each_kind
async def test_a_renewal_moves_the_token_on(conn: Conn, kind: str) -> None:
    lease = await _taken(conn, kind)

    renewed = await leases.renew(conn, lease)

    assert renewed.token > lease.token
    assert await leases.held(conn, renewed)
    assert not await leases.held(conn, lease)


@each_kind
async def test_slow_work_that_is_renewed_is_nobody_elses_long_after_it_was_taken(conn: Conn, kind: str) -> None:
    nine_minutes = LEASE_SECONDS - 60
    lease = await _age(conn, await _taken(conn, kind), nine_minutes)

    renewed = await _age(conn, await leases.renew(conn, lease), nine_minutes)

    assert await take(conn, kind, await rows.process(conn)) == []
    assert await leases.held(conn, renewed)


@each_kind
async def test_a_stale_token_renews_gives_back_and_fails_nothing(conn: Conn, kind: str) -> None:
    stale = await _taken(conn, kind)
    current = await leases.renew(conn, stale)

    with pytest.raises(LeaseLost):
        await leases.renew(conn, stale)
    with pytest.raises(LeaseLost):
        await leases.give_back(conn, stale)
    await leases.fail(conn, stale, LEASE_SECONDS)

    assert await leases.held(conn, current)


@each_kind
async def test_the_same_token_in_another_hand_is_no_lease(conn: Conn, kind: str) -> None:
    lease = await _taken(conn, kind)
    stranger = replace(lease, holder=await rows.process(conn))

    with pytest.raises(LeaseLost):
        await leases.renew(conn, stranger)
    with pytest.raises(LeaseLost):
        await leases.give_back(conn, stranger)

    assert await leases.held(conn, lease)
    assert not await leases.held(conn, stranger)


@each_kind
async def test_a_lease_that_ran_out_is_taken_over_and_its_first_holder_has_lost_it(conn: Conn, kind: str) -> None:
    lease = await _taken(conn, kind)
    older = await _age(conn, lease, LEASE_SECONDS + 1)

    (taken_over,) = await take(conn, kind, await rows.process(conn))

    with pytest.raises(LeaseLost):
        await leases.renew(conn, older)
    assert await leases.held(conn, taken_over)


@each_kind
async def test_the_lease_of_a_process_that_ended_is_taken_over_at_once(conn: Conn, kind: str) -> None:
    lease = await _taken(conn, kind)

    await processes.stop(conn, lease.holder)

    assert len(await take(conn, kind, await rows.process(conn))) == 1


@each_kind
async def test_failed_work_waits_and_is_then_taken_again(conn: Conn, kind: str) -> None:
    lease = await _taken(conn, kind)

    await leases.fail(conn, lease, LEASE_SECONDS)

    assert await take(conn, kind, await rows.process(conn)) == []
    assert await _seconds_to_wait(conn, kind) == pytest.approx(RETRY_SECONDS, abs=5)
    await _let_pass(conn, kind, RETRY_SECONDS - 10)
    assert await take(conn, kind, await rows.process(conn)) == []
    await _let_pass(conn, kind, 11)
    assert len(await take(conn, kind, await rows.process(conn))) == 1


@each_kind
async def test_work_put_off_waits_though_its_worker_falls_silent_or_looks_for_strays(conn: Conn, kind: str) -> None:
    lease = await _taken(conn, kind)
    await leases.fail(conn, lease, LEASE_SECONDS)

    await processes.stop(conn, lease.holder)
    await leases.release_strays(conn, lease.holder, kind, [])

    assert await take(conn, kind, await rows.process(conn)) == []


@pytest.mark.parametrize("kind", [kind for kind, columns in KINDS.items() if columns.due])
async def test_a_failure_of_one_rows_work_is_counted_and_frees_the_row(conn: Conn, kind: str) -> None:
    lease = await _taken(conn, kind)

    await leases.fail(conn, lease, LEASE_SECONDS)

    columns = KINDS[kind]
    row = await conn.fetchrow(f"SELECT attempts, {columns.at} AS at, {columns.by} AS holder FROM {columns.table}")
    assert row is not None
    assert dict(row) == {"attempts": 1, "at": None, "holder": None}


@each_kind
async def test_a_lease_in_question_is_held_against_others_until_the_transaction_ends(
    conn: Conn, other: Conn, kind: str
) -> None:
    lease = await _taken(conn, kind)
    await processes.stop(conn, lease.holder)
    successor = await rows.process(conn)

    async with conn.transaction():
        assert await leases.held(conn, lease)
        taking = await beside(conn, other, take(other, kind, successor))
        if taking.done():
            assert taking.result() == []
    await taking


async def _taken(conn: Conn, kind: str) -> Lease:
    await DUE[kind](conn)
    (lease,) = await take(conn, kind, await rows.process(conn))
    return lease


async def _age(conn: Conn, lease: Lease, seconds: float) -> Lease:
    at = KINDS[lease.kind].at
    moved = f"UPDATE {KINDS[lease.kind].table} SET {at} = {at} - make_interval(secs => $1::float) RETURNING {at}"
    return replace(lease, token=await conn.fetchval(moved, float(seconds)))


async def _seconds_to_wait(conn: Conn, kind: str) -> float:
    """Until the work is due again, or until its lease runs out."""
    columns = KINDS[kind]
    instant = await conn.fetchval(f"SELECT {columns.due or columns.at} FROM {columns.table}")
    until = instant if columns.due else instant + timedelta(seconds=LEASE_SECONDS)
    seconds: float = (until - await clock.real_now(conn)).total_seconds()
    return seconds


async def _let_pass(conn: Conn, kind: str, seconds: float) -> None:
    column = KINDS[kind].due or KINDS[kind].at
    await conn.execute(
        f"UPDATE {KINDS[kind].table} SET {column} = {column} - make_interval(secs => $1::float)", float(seconds)
    )

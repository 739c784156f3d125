"""The organisation's set of closed repositories: what is sent is the fact, and what differs is work (section 6)."""

from datetime import timedelta

from bot.store import courses, locks, repository_locks
from bot.store.locks import Ruleset
from bot.store.records import Conn
from bot.store.repository_locks import OwnPair

from . import rows
from .rows import ACCOUNT, DEADLINE
from .sessions import beside
from .work import LEASE_SECONDS

LATER = DEADLINE + timedelta(seconds=5)


async def wanted_closed(conn: Conn) -> int:
    """A repository whose deadline was applied."""
    return await rows.enrolment(conn, await rows.project(conn), deadline_applied_at=DEADLINE)


async def teams_now(conn: Conn) -> list[int]:
    """The teams that may push where students may not."""
    return await courses.staff_teams(conn, ACCOUNT)


async def want_open(conn: Conn, repository_id: int) -> None:
    """Its deadline lies ahead again."""
    await conn.execute("UPDATE enrolments SET deadline_applied_at = NULL WHERE repository_id = $1", repository_id)


async def test_a_repository_is_locked_once_both_rulesets_name_it(conn: Conn) -> None:
    repository = await wanted_closed(conn)

    assert await _sent(conn, "branch", repository) == [(repository, None)]
    assert await _row(conn, repository) == {"rulesets": 1, "locked_at": None, "verify_due_at": None}

    assert await locks.sent(conn, ACCOUNT, Ruleset("tag", 2, [repository]), await teams_now(conn), LATER) == [
        (repository, True)
    ]
    assert await _row(conn, repository) == {"rulesets": 2, "locked_at": LATER, "verify_due_at": LATER}


async def test_a_repository_is_open_once_neither_names_it(conn: Conn) -> None:
    repository = await wanted_closed(conn)
    await _lock(conn, repository)
    await locks.verified(conn, ACCOUNT, repository, DEADLINE)

    assert await _sent(conn, "branch") == [(repository, None)]
    row = await conn.fetchrow("SELECT locked_at, lock_verified_at, verify_due_at FROM repositories")
    assert row is not None
    assert tuple(row) == (DEADLINE, None, None), "half open is no longer a lock that was read back"

    assert await _sent(conn, "tag") == [(repository, False)]
    assert await _row(conn, repository) == {"rulesets": 0, "locked_at": None, "verify_due_at": None}


async def test_a_lock_half_opened_and_closed_again_was_never_lifted(conn: Conn) -> None:
    repository = await wanted_closed(conn)
    await _lock(conn, repository)

    assert await _sent(conn, "branch") == [(repository, None)]
    assert await _sent(conn, "branch", repository) == [(repository, None)]


async def test_a_lock_half_set_and_taken_back_was_never_one(conn: Conn) -> None:
    repository = await wanted_closed(conn)

    assert await _sent(conn, "branch", repository) == [(repository, None)]
    assert await _sent(conn, "branch") == [(repository, None)]


async def test_what_was_sent_for_other_teams_than_the_present_ones_differs(conn: Conn) -> None:
    repository = await wanted_closed(conn)
    former = await teams_now(conn)
    await _lock(conn, repository)
    assert not await locks.differs(conn, ACCOUNT)

    await conn.execute("UPDATE courses SET assistants_team_id = 987")

    assert await teams_now(conn) == sorted([*former, 987])
    assert await locks.differs(conn, ACCOUNT)
    await locks.sent(conn, ACCOUNT, Ruleset("branch", 1, [repository]), await teams_now(conn), DEADLINE)
    await locks.sent(conn, ACCOUNT, Ruleset("tag", 1, [repository]), former, DEADLINE)
    stale = {row.target: row.bypass_stale for row in (await locks.rulesets(conn, ACCOUNT)).values()}
    assert stale == {"branch": False, "tag": True}


async def test_what_was_settled_is_not_reported_again(conn: Conn) -> None:
    repository = await wanted_closed(conn)
    await _lock(conn, repository)

    assert await _sent(conn, "branch", repository) == []
    assert await locks.sent(conn, ACCOUNT, Ruleset("tag", 2, [repository]), await teams_now(conn), LATER) == []
    assert (await _row(conn, repository))["locked_at"] == DEADLINE


async def test_closing_interrupted_between_the_two_rulesets_stays_due(conn: Conn) -> None:
    await rows.installation(conn)
    repository = await wanted_closed(conn)
    await _sent(conn, "branch", repository)

    assert await locks.differs(conn, ACCOUNT)
    assert len(await locks.claim(conn, await rows.process(conn), LEASE_SECONDS)) == 1


async def test_opening_interrupted_between_the_two_rulesets_stays_due(conn: Conn) -> None:
    await rows.installation(conn)
    repository = await wanted_closed(conn)
    await _lock(conn, repository)
    await locks.verify_off(conn, ACCOUNT, repository)
    await want_open(conn, repository)
    await _sent(conn, "branch")

    assert await locks.differs(conn, ACCOUNT)
    assert len(await locks.claim(conn, await rows.process(conn), LEASE_SECONDS)) == 1


async def test_nothing_is_due_once_github_holds_what_the_rows_want_and_it_was_read_back(conn: Conn) -> None:
    await rows.installation(conn)
    repository = await wanted_closed(conn)
    await _lock(conn, repository)
    await locks.verified(conn, ACCOUNT, repository, DEADLINE)

    assert not await locks.differs(conn, ACCOUNT)
    assert await locks.claim(conn, await rows.process(conn), LEASE_SECONDS) == []


async def test_a_lock_that_was_not_read_back_is_due(conn: Conn) -> None:
    await rows.installation(conn)
    repository = await wanted_closed(conn)
    await _lock(conn, repository)

    assert await locks.to_verify(conn, ACCOUNT) == [(repository, "main")]
    assert len(await locks.claim(conn, await rows.process(conn), LEASE_SECONDS)) == 1


async def test_a_locked_repository_that_is_not_working_stays_in_the_set(conn: Conn) -> None:
    gone, archived, closed = await wanted_closed(conn), await wanted_closed(conn), await wanted_closed(conn)
    await _lock(conn, gone, archived, closed)
    await conn.execute("UPDATE repositories SET gone_at = $1, gone_as = 'removed' WHERE id = $2", DEADLINE, gone)
    await conn.execute(
        "UPDATE projects SET archived_at = $1 WHERE id = (SELECT project_id FROM enrolments WHERE repository_id = $2)",
        DEADLINE,
        archived,
    )
    await want_open(conn, closed)

    assert await locks.wanted(conn, ACCOUNT) == sorted([gone, archived])


async def test_a_repository_that_was_never_locked_and_is_not_working_is_not_in_the_set(conn: Conn) -> None:
    repository = await wanted_closed(conn)
    await conn.execute("UPDATE repositories SET gone_at = $1, gone_as = 'deleted'", DEADLINE)

    assert await locks.wanted(conn, ACCOUNT) == []
    assert await locks.known(conn, ACCOUNT, [repository, 1]) == {repository}


async def test_a_pair_that_comes_to_hold_a_repository_while_its_own_lock_is_taken_off_goes_on_holding_it(
    conn: Conn, other: Conn
) -> None:
    own = {"branch_ruleset_id": 1, "tag_ruleset_id": 2, "rulesets": 2, "lock_kind": "repository", "locked_at": DEADLINE}
    repository = await rows.enrolment(
        conn, await rows.project(conn), await rows.repository(conn, **own), deadline_applied_at=DEADLINE
    )

    async def take_off() -> bool | None:
        async with other.transaction():
            return await repository_locks.holds(other, ACCOUNT, repository, OwnPair(None, None, (), None), LATER)

    async with conn.transaction():
        await _lock(conn, repository)
        taking_off = await beside(conn, other, take_off())
        assert not taking_off.done()

    assert await taking_off is None, "it was locked all along"
    held = await conn.fetchrow("SELECT rulesets, lock_kind, locked_at FROM repositories")
    assert held is not None
    assert tuple(held) == (2, "organisation", DEADLINE)


async def test_a_pair_that_the_plan_no_longer_has_holds_nothing(conn: Conn) -> None:
    repository = await wanted_closed(conn)
    await _lock(conn, repository)

    assert await locks.lapse(conn, ACCOUNT, LATER) == [(repository, False)]
    assert [(row.repository_ids, row.tried_at is None) for row in (await locks.rulesets(conn, ACCOUNT)).values()] == [
        ([], False)
    ] * 2, "GitHub keeps it: it is sent again once there is a plan for it"
    assert await _row(conn, repository) == {"rulesets": 0, "locked_at": None, "verify_due_at": None}


async def test_the_ids_sent_are_remembered_by_target(conn: Conn) -> None:
    ruleset = Ruleset("branch", 1, [7, 8])

    await locks.sent(conn, ACCOUNT, ruleset, [], DEADLINE)

    assert await locks.rulesets(conn, ACCOUNT) == {"branch": ruleset}


async def test_the_organisations_set_is_not_touched_while_github_asks_for_silence_or_has_no_rulesets(
    conn: Conn,
) -> None:
    await rows.installation(conn)
    await wanted_closed(conn)
    holder = await rows.process(conn)

    await conn.execute("UPDATE installations SET paused_until = now() + interval '1 minute'")
    assert await locks.claim(conn, holder, LEASE_SECONDS) == []
    await conn.execute("UPDATE installations SET paused_until = now(), lock_refused = 'Upgrade to GitHub Team'")
    assert await locks.claim(conn, holder, LEASE_SECONDS) == []
    await conn.execute("UPDATE installations SET lock_refused = NULL, state = 'suspended'")
    assert await locks.claim(conn, holder, LEASE_SECONDS) == []


async def test_a_wish_that_changes_while_the_fact_is_recorded_remains_as_work(conn: Conn, other: Conn) -> None:
    repository = await wanted_closed(conn)
    await _sent(conn, "branch", repository)

    async with conn.transaction():
        await locks.sent(conn, ACCOUNT, Ruleset("tag", 2, [repository]), await teams_now(conn), DEADLINE)
        reopening = await beside(conn, other, want_open(other, repository))
        assert not reopening.done()
    await reopening

    assert (await _row(conn, repository))["locked_at"] == DEADLINE
    assert await locks.differs(conn, ACCOUNT)


async def _sent(conn: Conn, target: str, *repository_ids: int) -> list[tuple[int, bool | None]]:
    ruleset_id = {"branch": 1, "tag": 2}[target]
    return await locks.sent(
        conn, ACCOUNT, Ruleset(target, ruleset_id, list(repository_ids)), await teams_now(conn), DEADLINE
    )


async def _lock(conn: Conn, *repository_ids: int) -> None:
    await _sent(conn, "branch", *repository_ids)
    await _sent(conn, "tag", *repository_ids)


async def _row(conn: Conn, repository_id: int) -> dict[str, object]:
    row = await conn.fetchrow(
        "SELECT rulesets, locked_at, verify_due_at FROM repositories WHERE id = $1", repository_id
    )
    assert row is not None
    return dict(row)

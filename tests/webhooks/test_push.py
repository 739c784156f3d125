"""A push, understood: whose it was, which check it needs, and which score it makes count (docs/design.md 3 and 4)."""

from bot.store import checks, clock, enrolments
from tests.store import rows
from tests.store.rows import ACCOUNT, DEADLINE
from tests.store.work import LEASE_SECONDS

from . import bodies
from .conftest import APP_LOGIN, GitHub, Pool

SHA = "a" * 40


async def studied(pool: Pool) -> int:
    """A repository of an open project in which amy works, an hour before its deadline."""
    async with pool.acquire() as conn:
        await rows.installation(conn)
        await clock.stand(conn, DEADLINE)
        project = await rows.project(conn, deadline_at=DEADLINE.replace(hour=23))
        repository = await rows.enrolment(conn, project)
        person = {"user_id": 11, "login": "amy", "role": "write"}
        await rows.insert(conn, "students", "login", account_id=ACCOUNT, repository_id=repository, **person)
        return repository


async def test_a_students_push_is_a_students_and_its_check_is_due(github: GitHub) -> None:
    repository = await studied(github.pool)

    await github.tell("push", bodies.push(SHA, repository))

    assert await github.pool.fetchval("SELECT pusher FROM receipts") == "student"
    async with github.pool.acquire() as conn:
        assert len(await checks.claim(conn, await rows.process(conn), LEASE_SECONDS, 8)) == 1


async def test_a_push_by_our_own_app_is_the_apps(github: GitHub) -> None:
    repository = await studied(github.pool)
    sender = {"id": 99, "login": APP_LOGIN, "type": "Bot"}

    await github.tell("push", bodies.push(SHA, repository, sender=sender))

    assert await github.pool.fetchval("SELECT pusher FROM receipts") == "app"


async def test_a_push_to_a_repository_of_no_project_is_a_receipt_without_a_check(github: GitHub) -> None:
    await studied(github.pool)

    await github.tell("push", bodies.push(SHA, repository_id=12345))

    assert await github.pool.fetchval("SELECT pusher FROM receipts") == "person"
    assert await github.pool.fetchval("SELECT count(*) FROM checks") == 0


async def test_a_push_understood_again_changes_nothing(github: GitHub) -> None:
    repository = await studied(github.pool)
    await github.tell("push", bodies.push(SHA, repository))
    before = await github.pool.fetch("SELECT * FROM receipts")

    await github.pool.execute("UPDATE deliveries SET handled_at = NULL")
    await github.understand()

    assert await github.pool.fetch("SELECT * FROM receipts") == before
    assert await github.pool.fetchval("SELECT count(*) FROM checks") == 1


async def test_a_score_that_was_read_before_its_push_was_understood_counts_once_it_is(github: GitHub) -> None:
    repository = await studied(github.pool)
    await github.deliver("push", bodies.push(SHA, repository))
    async with github.pool.acquire() as conn:
        run = await rows.run(conn, repository, SHA, DEADLINE)
        await enrolments.reselect(conn, ACCOUNT, [repository], DEADLINE)
    assert await github.pool.fetchval("SELECT current_run FROM enrolments") is None

    await github.understand()

    assert await github.pool.fetchval("SELECT current_run FROM enrolments") == run

"""What follows from reading who works in a repository (docs/design.md section 3)."""

from bot.model import Person, RepositoryFact
from bot.store import clock, enrolments, projects, roster
from bot.store.records import Conn

from . import rows
from .rows import ACCOUNT, DEADLINE

AMY, BO = Person(11, "amy", "write"), Person(12, "bo", "write")


def fact(repository_id: int, *students: Person, name: str = "lab1-amy") -> RepositoryFact:
    """The repository as GitHub lists it."""
    return RepositoryFact(repository_id, name, "trunk", True, False, False, students)


async def test_a_repository_is_as_it_was_read_and_one_that_was_gone_is_back(conn: Conn) -> None:
    repository = await rows.repository(conn, name="old", gone_at=DEADLINE, gone_as="removed", heard_as="deleted")

    await roster.record(conn, ACCOUNT, [fact(repository)], "app[bot]")

    row = await conn.fetchrow("SELECT name, default_branch, gone_at, gone_as, heard_as FROM repositories")
    assert row is not None
    assert tuple(row) == ("lab1-amy", "trunk", None, None, None)


async def test_who_left_is_forgotten_and_who_came_is_known(conn: Conn) -> None:
    repository = await rows.repository(conn)
    await roster.record(conn, ACCOUNT, [fact(repository, AMY)], "app[bot]")

    await roster.record(conn, ACCOUNT, [fact(repository, BO)], "app[bot]")

    assert [row["login"] for row in await conn.fetch("SELECT login FROM students")] == ["bo"]


async def test_a_run_that_came_before_its_repository_was_known_is_read(conn: Conn) -> None:
    repository = await rows.repository(conn)
    await rows.run(conn, repository, "a", DEADLINE, score_status=None)
    await rows.run(conn, repository, "b", DEADLINE)

    await roster.record(conn, ACCOUNT, [fact(repository)], "app[bot]")

    unread = await conn.fetch("SELECT head_sha FROM runs WHERE read_due_at IS NOT NULL")
    assert [row["head_sha"] for row in unread] == ["a"]


async def test_a_score_counts_once_its_author_is_known_for_a_student(conn: Conn) -> None:
    await clock.stand(conn, DEADLINE)
    project = await rows.project(conn, await rows.course(conn), branches=["main"])
    repository = await rows.enrolment(conn, project)
    await rows.receipt(conn, repository, "a", DEADLINE, pusher="staff", sender_id=AMY.id, sender_login=AMY.login)
    run = await rows.run(conn, repository, "a", DEADLINE)

    await roster.record(conn, ACCOUNT, [fact(repository, AMY)], "app[bot]")

    assert await conn.fetchval("SELECT current_run FROM enrolments") == run


async def test_a_score_that_a_repository_has_already_counts_in_the_next_project_too(conn: Conn) -> None:
    repository = await rows.repository(conn)
    await rows.receipt(conn, repository, "a", DEADLINE)
    run = await rows.run(conn, repository, "a", DEADLINE)
    project = await projects.hold(conn, ACCOUNT, await rows.project(conn))

    await enrolments.enrol(conn, project, [repository], DEADLINE)

    assert await conn.fetchval("SELECT current_run FROM enrolments") == run

"""Read from GitHub what a repository is now and who works in it; the events only said which one."""

from collections.abc import Sequence

from bot import failpoints
from bot.errors import TryAgain
from bot.github import repositories as github
from bot.github.api import Api
from bot.github.failures import NotFound
from bot.github.repositories import RepositoryState
from bot.jobs.desk import Desk
from bot.jobs.frame import Held
from bot.model import CLOCK, GITHUB, Person, Project, RepositoryFact
from bot.rules import names
from bot.store import audit, checks, clock, enrolments, projects, repositories, roster
from bot.store.audit import Subject
from bot.store.records import Conn

UNSURE_SECONDS = 30.0


async def run(desk: Desk, held: Held) -> None:
    """Record the repository as it is, enrol it where a project's pattern takes it, or mark it gone."""
    api = await desk.api(held.lease.account_id)
    try:
        fact = await read(api, held.lease.key)
    except NotFound:
        await _check_it_is_gone(api, held.lease.key)
        async with held.finishing() as conn:
            await _mark_gone(conn, held.lease.account_id, held.lease.key)
        return
    failpoints.reach("repository.read")
    async with held.finishing() as conn:
        # Projects before repositories, as commands and the clock take them: they never wait for each other.
        taking = await _hold_taking(conn, api.account_id, fact)
        await roster.record(conn, api.account_id, [fact], desk.app_login)
        await _enrol_late(conn, taking, fact)
        # While it was out of reach its checks could not follow.
        await checks.due_of_repositories(conn, api.account_id, None, [fact.id])
        await repositories.read_done(conn, api.account_id, fact.id)


async def read(api: Api, repository_id: int) -> RepositoryFact:
    """One repository with the people who work in it. Raises NotFound."""
    return await with_students(api, await github.read(api, repository_id))


async def with_students(api: Api, state: RepositoryState) -> RepositoryFact:
    """A repository that was read, with the people who work in it."""
    people = await github.students(api, state.id)
    students = tuple(Person(person.user_id, person.login, person.role) for person in people)
    return RepositoryFact(
        id=state.id,
        name=state.name,
        default_branch=state.default_branch,
        private=state.private,
        archived=state.archived,
        template=state.is_template,
        students=students,
    )


async def _check_it_is_gone(api: Api, repository_id: int) -> None:
    """A 404 alone proves nothing: asked once more of the list that the installation may reach (section 4)."""
    if any(repository.id == repository_id for repository in await github.list_all(api)):
        raise TryAgain("listed, but answers 404", UNSURE_SECONDS)


async def _mark_gone(conn: Conn, account_id: int, repository_id: int) -> None:
    now = await clock.now(conn)
    how = await repositories.gone(conn, account_id, repository_id, now)
    await repositories.read_done(conn, account_id, repository_id)
    if how is not None:
        subject = Subject(account_id, repository_id=repository_id)
        await audit.record(conn, subject, "repository.gone", GITHUB, now, {"how": how})


async def _hold_taking(conn: Conn, account_id: int, fact: RepositoryFact) -> list[Project]:
    """Until its deadline a project takes what comes to match its pattern (docs/design.md section 11)."""
    if fact.template or fact.archived:
        return []
    taking = await projects.taking(conn, account_id, await clock.now(conn))
    matching = [project for project in taking if names.matches(fact.name, project.repository_glob)]
    return [await projects.hold(conn, account_id, project.id) for project in matching]


async def _enrol_late(conn: Conn, taking: Sequence[Project], fact: RepositoryFact) -> None:
    now = await clock.now(conn)
    for project in taking:
        if await enrolments.enrol(conn, project, [fact.id], now):
            await audit.record(conn, projects.subject(project, fact.id), "repository.enrolled", CLOCK, now)

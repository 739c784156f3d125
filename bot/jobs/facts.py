"""What a command must know of GitHub, read before its transaction: who its author is, and what it needs."""

import asyncio
from collections.abc import Sequence

from bot.github import repositories as repositories_api
from bot.github import rulesets, shapes, teams
from bot.github.api import Api
from bot.github.failures import NotFound, PlanRefused, Refused
from bot.github.repositories import RepositoryState
from bot.jobs import repositories
from bot.jobs.frame import AT_ONCE
from bot.model import Authority, Command, Course, Facts, Needs, Person, RepositoryFact, TeamFact
from bot.rules import names


async def authority(api: Api, command: Command, course: Course | None) -> Authority:
    """What the author may do, at this moment, by user id; owners are always staff (docs/design.md section 11)."""
    person = Person(command.author_id, command.author_login)
    if await teams.is_owner(api, person.id, person.login):
        return Authority(person, owner=True, staff=True, assistant=True)
    if course is None:
        return Authority(person)
    staff = await teams.is_member(api, course.staff_team_id, person.id, person.login)
    team = course.assistants_team_id
    assistant = not staff and team is not None and await teams.is_member(api, team, person.id, person.login)
    return Authority(person, staff=staff, assistant=assistant)


async def read(api: Api, command: Command, needs: Needs) -> Facts:
    """The repository of the comment, and all that its commands need. Raises NotFound if it cannot be read."""
    here = await repositories_api.read(api, command.repository_id)
    return Facts(
        here=await repositories.with_students(api, here) if needs.students else _plain(here),
        teams={slug: team for slug in needs.teams if (team := await _team(api, slug))},
        owners=_people(await teams.owners(api)) if needs.owners else (),
        repositories=await _matching(api, needs.repositories) if needs.repositories else (),
        organisation_rulesets=await _has_rulesets(api) if needs.rulesets else None,
        asked=needs,
    )


async def _team(api: Api, slug: str) -> TeamFact | None:
    team = await teams.find(api, slug)
    if team is None:
        return None
    return TeamFact(team.id, team.slug, team.privacy == "secret", _people(await teams.members(api, team.id)))


async def _matching(api: Api, globs: Sequence[str]) -> tuple[RepositoryFact, ...]:
    """The repositories whose name matches one of the patterns, with their students, four at a time."""
    listed = await repositories_api.list_all(api)
    found = [state for state in listed if any(names.matches(state.name, glob) for glob in globs)]
    at_once = asyncio.Semaphore(AT_ONCE)

    async def one(state: RepositoryState) -> RepositoryFact | None:
        async with at_once:
            try:
                return await repositories.with_students(api, state)
            except NotFound:
                return None

    facts = await asyncio.gather(*(one(state) for state in found))
    return tuple(sorted((fact for fact in facts if fact), key=lambda fact: fact.name))


async def _has_rulesets(api: Api) -> bool | None:
    """Whether the plan has organisation rulesets; None where GitHub does not show them to the App."""
    try:
        await rulesets.find(api, rulesets.BRANCHES)
    except PlanRefused:
        return False
    except (NotFound, Refused):
        return None
    return True


def _plain(state: RepositoryState) -> RepositoryFact:
    return RepositoryFact(state.id, state.name, state.default_branch, state.private, state.archived, state.is_template)


def _people(people: list[shapes.Person]) -> tuple[Person, ...]:
    return tuple(Person(person.user_id, person.login, person.role) for person in people)

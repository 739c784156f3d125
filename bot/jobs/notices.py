"""The words of a reminder, an escalation or a nudge, made when they are posted: for whoever holds the task then."""

from dataclasses import dataclass

from bot.github import teams
from bot.github.api import Api
from bot.github.shapes import Person as Shape
from bot.jobs.desk import Desk
from bot.model import Course, Person, Project, State
from bot.rules.tasks import Task, logins_to_call
from bot.store import clock, courses, projects, tasks
from bot.store.outbox import Letter
from bot.text import tasks as text
from bot.text.tasks import Called

KINDS = frozenset({"reminder", "escalation", "nudge"})


@dataclass(frozen=True, slots=True)
class Matter:
    """What a notice is about, as it is now."""

    course: Course
    project: Project
    tasks: list[Task]


async def words(desk: Desk, api: Api, letter: Letter) -> str | None:
    """What to post, calling the team by its present name or the owners by login; None where nothing is left to say."""
    async with desk.pool.acquire() as conn:
        now = await clock.now(conn)
        course = await courses.by_repository(conn, letter.account_id, letter.repository_id)
        if course is None:
            return None
        project = await projects.by_issue(conn, letter.account_id, course.id, letter.issue_number or 0)
        waiting = await tasks.still_open(conn, letter.account_id, letter.task_ids or [])
    if project is None or not (waiting or (letter.kind == "nudge" and project.state == State.DRAFT)):
        return None
    matter = Matter(course, project, waiting)
    called = Called(await _mentions(api, letter.kind, matter), course.timezone, now)
    if letter.kind == "nudge":
        return text.nudge(letter.mark, called, project, letter.body)
    return (text.escalation if letter.kind == "escalation" else text.reminder)(letter.mark, called, waiting)


async def _mentions(api: Api, kind: str, matter: Matter) -> list[str]:
    owners = await teams.owners(api)
    team = None if kind == "escalation" else await teams.read(api, matter.course.staff_team_id)
    if team is None:
        # Owners are always staff, and there is always one.
        return [f"@{owner.login}" for owner in owners]
    logins, whole_team = logins_to_call(matter.tasks, await _teachers(api, matter.course, owners))
    mentions = [f"@{login}" for login in logins]
    return [*mentions, f"@{api.login}/{team.slug}"] if whole_team or not mentions else mentions


async def _teachers(api: Api, course: Course, owners: list[Shape]) -> list[Person]:
    found = list(owners)
    for team_id in (course.staff_team_id, course.assistants_team_id):
        if team_id is not None and await teams.read(api, team_id) is not None:
            found += await teams.members(api, team_id)
    return [Person(person.user_id, person.login) for person in found]

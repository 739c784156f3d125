"""The evening of a deadline: two students have pushed, and a teacher has second thoughts."""

import re

from sandbox.repository import Repository
from tests.flows.course import Course

CODE = re.compile(r"`/confirm (\w+)`")


def code_of(said: str) -> str:
    """The code that a preview names."""
    (code,) = CODE.findall(said)
    return str(code)


async def begin(course: Course) -> tuple[str, str]:
    """On the day of the deadline Amy pushes at 21:00 and Bo at 22:00; their commits. Now it is 23:00."""
    course.student("amy")
    course.student("bo")
    await course.open_project()
    pushed = (await push(course, "amy", "2026-12-01 21:00:00"), await push(course, "bo", "2026-12-01 22:00:30"))
    await course.at("2026-12-01 23:00:00")
    return pushed


def repository(course: Course, login: str) -> Repository:
    """The repository of a student."""
    return next(repo for repo in course.org.repositories.values() if repo.name == f"lab1-{login}")


async def push(course: Course, login: str, wall: str) -> str:
    """A student pushes at that time."""
    await course.at(wall)
    sha = repository(course, login).push(course.world.users[login])
    await course.settle()
    return sha


def closed(course: Course) -> list[bool]:
    """Whether GitHub would refuse pushes of Amy and of Bo."""
    return [course.is_closed(repository(course, login), course.world.users[login]) for login in ("amy", "bo")]

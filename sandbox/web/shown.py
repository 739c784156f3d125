"""What the pages show of a repository beyond what it is."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeVar

from sandbox.activity import Activity

if TYPE_CHECKING:
    from sandbox.checks import CheckRun
    from sandbox.errors import PushRefused
    from sandbox.organisation import Organisation
    from sandbox.repository import Repository
    from sandbox.user import User

T = TypeVar("T")
PAGE = 50


def student(repo: "Repository") -> "User | None":
    """Whose repository it is: its first collaborator."""
    return next((one.user for one in repo.collaborators.values()), None)


def refusal(repo: "Repository") -> "PushRefused | None":
    """Why the student's next push would be refused now."""
    pusher = student(repo)
    return None if pusher is None else repo.refusal(pusher)


def last_push(repo: "Repository") -> Activity | None:
    """The newest push after the commit it began with."""
    return repo.activity[-1] if len(repo.activity) > 1 else None


def checks(repo: "Repository", sha: str) -> "list[CheckRun]":
    """The checks of a commit as GitHub lists them: of each name the newest, those of the App first."""
    found = [run for suite in repo.checks.of(sha) for run in suite.latest]
    return sorted(found, key=lambda run: run.suite.app_id != repo.world.app.id)


def people(repo: "Repository") -> "dict[str, list[User]]":
    """Who may speak in the repository, by what they are."""
    groups = {"student": [one.user for one in repo.collaborators.values()]}
    return {kind: users for kind, users in (groups | _staff(repo.owner)).items() if users}


def _staff(org: "Organisation") -> "dict[str, list[User]]":
    teams = {team.slug: [one.user for one in team.memberships.values() if one.active] for team in org.teams.values()}
    return teams | {"owner": [one.user for one in org.memberships.values() if one.role == "admin"]}


def newest(items: Sequence[T], page: int) -> list[T]:
    """The page of a list, newest first; page 1 is the newest."""
    end = len(items) - (page - 1) * PAGE
    return list(reversed(items[max(0, end - PAGE) : max(0, end)]))

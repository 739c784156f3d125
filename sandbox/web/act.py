"""The forms: what a person does on GitHub, as whom they say."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from aiohttp import web

from sandbox.errors import PushRefused
from sandbox.web import find
from sandbox.web.template import elsewhere

if TYPE_CHECKING:
    from sandbox.world import World

Fields = Mapping[str, str]
"""What a form sent; a field that it did not send is empty."""
Form = Callable[["World", web.Request, Fields], web.Response]


def comment(world: "World", http: web.Request, fields: Fields) -> web.Response:
    """Comment on an issue, and back to it."""
    issue, user = find.issue(world, http), find.user(world, fields["login"])
    made = issue.comment(user, fields["body"])
    return elsewhere(f"/{issue.repo.full_name}/issues/{issue.number}?as={user.login}#issuecomment-{made.id}")


def open_issue(world: "World", http: web.Request, fields: Fields) -> web.Response:
    """Open an issue, and on to it."""
    repo, user = find.repository(world, http), find.user(world, fields["login"])
    made = repo.open_issue(user, fields["title"])
    return elsewhere(f"/{repo.full_name}/issues/{made.number}?as={user.login}")


def push(world: "World", http: web.Request, fields: Fields) -> web.Response:
    """Push one commit, and back to the repository, which says what git says if it was refused."""
    repo, user = find.repository(world, http), find.user(world, fields["login"])
    try:
        repo.push(user, message=fields["message"])
    except PushRefused:
        return elsewhere(f"/{repo.full_name}?refused={user.login}")
    return elsewhere(f"/{repo.full_name}#pushes")


FORMS: dict[str, Form] = {
    "/{owner}/{repo}/issues": open_issue,
    "/{owner}/{repo}/issues/{number}/comments": comment,
    "/{owner}/{repo}/pushes": push,
}

"""What an address of a page names."""

from typing import TYPE_CHECKING

from aiohttp import web

if TYPE_CHECKING:
    from sandbox.issues import Issue
    from sandbox.organisation import Organisation
    from sandbox.repository import Repository
    from sandbox.user import User
    from sandbox.world import World


class Missing(Exception):
    """It names nothing. `beyond` if not even an organisation: then it may be meant for the API."""

    def __init__(self, what: str, beyond: bool = False) -> None:
        super().__init__(what)
        self.beyond = beyond


def organisation(world: "World", http: web.Request) -> "Organisation":
    """The organisation of an address. Raises Missing."""
    login = http.match_info["owner"]
    found = world.organisations.get(login.lower())
    if found is None:
        raise Missing(f"There is no organisation {login}.", beyond=True)
    return found


def repository(world: "World", http: web.Request) -> "Repository":
    """The repository of an address, by the name it has or had. Raises Missing."""
    org, name = organisation(world, http), http.match_info["repo"]
    key = f"{org.login}/{name}".lower()
    found = world.names.get(key) or world.old_names.get(key)
    if found is None:
        raise Missing(f"There is no repository {org.login}/{name}.")
    return found


def issue(world: "World", http: web.Request) -> "Issue":
    """The issue of an address. Raises Missing."""
    repo, number = repository(world, http), http.match_info["number"]
    found = repo.issues.get(int(number)) if number.isdecimal() else None
    if found is None:
        raise Missing(f"There is no issue {number} in {repo.full_name}.")
    return found


def user(world: "World", login: str) -> "User":
    """The account that a form names. Raises Missing."""
    found = world.users.get(login.lower())
    if found is None:
        raise Missing(f"There is no account {login}.")
    return found

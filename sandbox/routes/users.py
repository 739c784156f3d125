"""Accounts, by login and by id."""

from sandbox.errors import not_found
from sandbox.render import accounts
from sandbox.request import Answer, Request, for_all


def by_login(request: Request) -> Answer:
    """GET /users/{login}"""
    return Answer(200, accounts.user(request.world, request.account()))


def by_id(request: Request) -> Answer:
    """GET /user/{account_id}"""
    number = request.number("account_id")
    found = next((user for user in request.world.users.values() if user.id == number), None)
    if found is None:
        raise not_found()
    return Answer(200, accounts.user(request.world, found))


ROUTES = [for_all("GET", "/users/{login}", by_login), for_all("GET", "/user/{account_id}", by_id)]

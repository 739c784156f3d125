"""The endpoints, one file per noun, and the one list of them."""

from sandbox.request import Route
from sandbox.routes import (
    actions,
    activity,
    app,
    branches,
    checks,
    collaborators,
    comments,
    deliveries,
    dispatches,
    git,
    installation,
    issues,
    members,
    organisations,
    repositories,
    rulesets,
    teams,
    users,
)

NOUNS = (
    actions,
    activity,
    app,
    branches,
    checks,
    collaborators,
    comments,
    deliveries,
    dispatches,
    git,
    installation,
    issues,
    members,
    organisations,
    repositories,
    rulesets,
    teams,
    users,
)
ROUTES: list[Route] = [route for noun in NOUNS for route in noun.ROUTES]

"""A course as it stands after the bot has been at work, and githubkit to look at it."""

from collections.abc import AsyncIterator

import pytest
from githubkit import AppAuthStrategy, AppInstallationAuthStrategy, GitHub
from githubkit.cache import MemCacheStrategy

from sandbox import Workflow, World, serving
from sandbox.organisation import Organisation
from sandbox.repository import Repository
from tests.githubkit.witness import Witness

VERSION = "2026-03-10"
PATH = ".github/workflows/grading.yml"


@pytest.fixture
async def world() -> AsyncIterator[World]:
    """A served world whose every answer, and whatever githubkit asks of it, fits GitHub's description."""
    made = World()
    witness = Witness(made)
    async with serving(made):
        yield made
    assert made.unknown_routes == []
    witness.is_content()


@pytest.fixture
def org(world: World) -> Organisation:
    """A course with a teachers' team and the App installed."""
    made = world.organisation("prog1")
    made.owner(world.user("olga"))
    made.team("teachers", members=[world.user("tim")])
    made.install(world.app)
    return made


@pytest.fixture
def repo(org: Organisation) -> Repository:
    """Amy's repository: pushed to, graded, discussed."""
    made = org.repository("lab1-amy", collaborators={"amy": "write"}, workflows={PATH: Workflow(points="4/6")})
    amy = org.world.user("amy")
    made.push(amy)
    made.open_issue(amy, "Deadline").comment(amy, "/status")
    return made


@pytest.fixture
async def app(world: World) -> AsyncIterator["GitHub[AppAuthStrategy]"]:
    """githubkit as the App."""
    strategy = AppAuthStrategy(world.app.id, world.app.private_key)
    async with GitHub(strategy, base_url=world.url, cache_strategy=MemCacheStrategy(), auto_retry=False) as client:
        yield client


@pytest.fixture
async def github(world: World, org: Organisation) -> AsyncIterator["GitHub[AppInstallationAuthStrategy]"]:
    """githubkit as the App's installation in the course."""
    assert org.installation is not None
    strategy = AppInstallationAuthStrategy(world.app.id, world.app.private_key, org.installation.id)
    async with GitHub(strategy, base_url=world.url, cache_strategy=MemCacheStrategy(), auto_retry=False) as client:
        yield client

"""A world that is served, someone to call it as the App, and someone to receive its webhooks."""

from collections.abc import AsyncIterator

import aiohttp
import pytest
from aiohttp import web

from sandbox import World, serving
from sandbox.organisation import Organisation
from sandbox.repository import Repository
from tests.githubkit.witness import Witness

from .caller import Caller, Received


@pytest.fixture
async def world() -> AsyncIterator[World]:
    """A served world, which must not have been asked for what it does not imitate, nor have spoken unlike GitHub."""
    made = World()
    witness = Witness(made, knows_the_caller=False)
    async with serving(made):
        yield made
    assert made.unknown_routes == []
    witness.is_content()


@pytest.fixture
def org(world: World) -> Organisation:
    """A course organisation on the Team plan, owned by prof, with the App on everything."""
    made = world.organisation("prog1")
    made.owner(world.user("prof"))
    made.install(world.app)
    return made


@pytest.fixture
def repo(org: Organisation) -> Repository:
    """Amy's private repository."""
    return org.repository("lab1-amy", collaborators={"amy": "write"})


@pytest.fixture
async def github(world: World, org: Organisation) -> AsyncIterator[Caller]:
    """The API, as seen by the App's installation in the course organisation."""
    async with aiohttp.ClientSession() as session:
        caller = Caller(session, world)
        assert org.installation is not None
        caller.use(org.installation)
        yield caller


@pytest.fixture
async def inbox(world: World) -> AsyncIterator[list[Received]]:
    """The webhooks that arrived, in the order in which they did."""
    arrived: list[Received] = []

    async def receive(request: web.Request) -> web.Response:
        raw, headers = await request.read(), dict(request.headers)
        arrived.append(Received(headers["X-GitHub-Event"], headers["X-GitHub-Delivery"], headers, raw))
        return web.Response(status=202, text="noted")

    app = web.Application(client_max_size=2**25)
    app.router.add_post("/webhook", receive)
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    world.app.webhook_url = f"http://127.0.0.1:{runner.addresses[0][1]}/webhook"
    yield arrived
    await runner.cleanup()

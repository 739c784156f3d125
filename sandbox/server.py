"""The world over HTTP."""

import asyncio
import re
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from functools import partial
from typing import TYPE_CHECKING

from aiohttp import web

from sandbox import control
from sandbox import web as pages
from sandbox.endpoint import serve, unknown
from sandbox.request import Route
from sandbox.routes import ROUTES

if TYPE_CHECKING:
    from sandbox.world import World

LARGEST_BODY = 30 * 1024 * 1024
# How long a call in hand may go on when the sandbox stops.
PATIENCE_SECONDS = 1.0


def make_app(world: "World") -> web.Application:
    """The aiohttp application of a world. Webhooks are delivered while it runs."""
    app = web.Application(client_max_size=LARGEST_BODY)

    async def deliver(_: web.Application) -> AsyncIterator[None]:
        async with world.hook.delivering():
            yield

    app.cleanup_ctx.append(deliver)
    control.add_to(app, world)
    for route in ROUTES:
        for address in addresses(route):
            app.router.add_route(route.method, address, partial(serve, world, route))
    pages.add_to(app, world)
    app.router.add_route("*", "/{anything:.*}", partial(unknown, world))
    return app


def addresses(route: Route) -> Iterator[str]:
    """The address by names and, as GitHub has them, those by ids."""
    yield route.path
    by_id = re.sub(r"^/repos/\{owner\}/\{repo\}", "/repositories/{repository_id}", route.path)
    by_id = re.sub(r"^/orgs/\{org\}", "/organizations/{organization_id}", by_id)
    by_team = re.sub(r"/teams/\{team_slug\}", "/team/{team_id}", by_id)
    yield from {by_id, by_team} - {route.path}


@asynccontextmanager
async def serving(world: "World", port: int = 0) -> AsyncIterator[str]:
    """Serve the world on a loopback port (a free one) while the block runs; yields, and sets, `world.url`."""
    runner = web.AppRunner(make_app(world), access_log=None, shutdown_timeout=PATIENCE_SECONDS)
    await runner.setup()
    try:
        site = web.TCPSite(runner, "127.0.0.1", port)
        await site.start()
        world.url = f"http://127.0.0.1:{runner.addresses[0][1]}"
        yield world.url
    finally:
        await asyncio.shield(runner.cleanup())

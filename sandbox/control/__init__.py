"""The back door under /_sandbox: builders and readings for a process that drives the sandbox from outside.

JSON in, JSON out; each route calls one builder. It is no part of GitHub, is not counted, and asks for no credentials:
the sandbox listens on loopback only.
"""

import json
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from aiohttp import web

from sandbox.control import act, build, read
from sandbox.errors import PushRefused, Refused

if TYPE_CHECKING:
    from sandbox.world import World

Handler = Callable[["World", dict[str, Any]], Any]
HANDLERS: dict[tuple[str, str], Handler] = {**build.HANDLERS, **act.HANDLERS, **read.HANDLERS}


def add_to(app: web.Application, world: "World") -> None:
    """Add the routes to the sandbox's application."""
    for (method, path), handler in HANDLERS.items():
        app.router.add_route(method, f"/_sandbox{path}", partial(_serve, world, handler))
    app.router.add_route("GET", "/_sandbox/hook/idle", partial(_idle, world))


async def _serve(world: "World", handler: Handler, http: web.Request) -> web.Response:
    """Fields come from the body or the query. A refused push answers 409, a wrong field 400."""
    try:
        fields = dict(http.query) | (json.loads(await http.read() or b"{}"))
        return web.json_response(handler(world, fields))
    except PushRefused as refused:
        return web.json_response({"refused": str(refused), "violations": refused.violations}, status=409)
    except (KeyError, TypeError, ValueError, RuntimeError, Refused) as wrong:
        return web.json_response({"error": f"{type(wrong).__name__}: {wrong}"}, status=400)


async def _idle(world: "World", _: web.Request) -> web.Response:
    """Answers once every webhook that is not held has been delivered."""
    await world.hook.idle()
    return web.json_response({"deliveries": len(world.hook.log)})

"""One API call from the wire to the wire: gate, effect, record, and whatever fault was arranged for it."""

import asyncio
import json
from email.utils import format_datetime
from typing import TYPE_CHECKING, Any

from aiohttp import web

from sandbox import gate
from sandbox.errors import Refused
from sandbox.faults import Fault
from sandbox.request import Answer, Request, Route

if TYPE_CHECKING:
    from sandbox.installation import Installation
    from sandbox.world import World

# A connection that was dropped was answered with nothing.
DROPPED = 0


async def serve(world: "World", route: Route, http: web.Request) -> web.StreamResponse:
    """Answer a call of a known route."""
    caller = _caller(world, http)
    if caller is None:
        return await _serve(world, route, http)
    with world.limits.spending[caller.id].answering():
        return await _serve(world, route, http)


async def _serve(world: "World", route: Route, http: web.Request) -> web.StreamResponse:
    raw = await http.read()
    fault = world.faults.take(route.method, route.path)
    if fault is None:
        return _respond(world, _perform(world, route, http, raw, None))
    await fault.wait_at("before")
    answer = _perform(world, route, http, raw, fault)
    await fault.wait_at("after")
    await asyncio.sleep(fault.delay)
    if answer.status == DROPPED and http.transport is not None:
        http.transport.close()
    return _respond(world, answer)


async def unknown(world: "World", http: web.Request) -> web.StreamResponse:
    """Anything that is not imitated fails loudly."""
    return _respond(world, _unknown(world, f"{http.method} {http.path}", f"The sandbox does not imitate {http.path}."))


def _perform(world: "World", route: Route, http: web.Request, raw: bytes, fault: Fault | None) -> Answer:
    """Do it, unless the fault prevents that, and write down how it ended."""
    body = _parsed(raw)
    answer = None if fault is not None and fault.prevents else _effect(world, route, http, body)
    effect = answer is not None and answer.status < 300
    seen = answer if fault is None else _faulty(fault, answer, world.url + http.path_qs)
    seen = seen or Answer(DROPPED)
    caller = _caller(world, http)
    world.note(
        method=route.method,
        route=route.template,
        path=http.path_qs,
        body=body if isinstance(body, dict) else {},
        status=seen.status,
        at=world.clock.now(),
        effect=effect,
        installation_id=None if caller is None else caller.id,
    )
    return seen


def _caller(world: "World", http: web.Request) -> "Installation | None":
    """Whose token the call carries; None for the App itself."""
    token = world.tokens.get(http.headers.get("Authorization", "").partition(" ")[2])
    return None if token is None else token.installation


def _effect(world: "World", route: Route, http: web.Request, body: Any) -> Answer:
    """What GitHub does with the call."""
    limits: dict[str, str] = {}
    try:
        if not isinstance(body, dict):
            raise Refused(400, "Problems parsing JSON" if body is None else "Body should be a JSON object")
        request = Request(world, route.method, http.rel_url.raw_path, dict(http.match_info), dict(http.query), body)
        gate.check_version(http.headers.get("X-GitHub-Api-Version"))
        gate.admit(route, request, http.headers.get("Authorization", ""))
        caller = request.token.installation if request.token else None
        limits = world.limits.use(caller, world.clock, route.method, route.template)
        answer = route.handler(request)
    except Refused as refused:
        if refused.status == 501:
            answer = _unknown(world, f"{route.method} {http.path}", refused.message)
        else:
            answer = Answer(refused.status, refused.body(), refused.headers)
    if world.witness is not None:
        world.witness(route.method, route.template, answer)
    return Answer(answer.status, answer.body, limits | answer.headers)


def _faulty(fault: Fault, answer: Answer | None, address: str) -> Answer | None:
    """What the caller of this address gets to see of an answer, None if nothing."""
    if fault.drop is not None:
        return None
    if fault.moved:
        return Answer(fault.status or 301, {"message": "Moved"}, {"Location": address})
    if fault.status is not None:
        return Answer(fault.status, fault.body or {"message": "Server Error"}, fault.headers)
    return answer


def _unknown(world: "World", what: str, message: str) -> Answer:
    world.unknown_routes.append(what)
    return Answer(501, {"message": message})


def _parsed(raw: bytes) -> Any:
    """The body: an empty object if there is none, None if it is not JSON."""
    try:
        return json.loads(raw) if raw else {}
    except ValueError:
        return None


def _respond(world: "World", answer: Answer) -> web.Response:
    headers = {"Date": format_datetime(world.clock.now(), usegmt=True), "Server": "github.com"} | answer.headers
    if answer.body is None:
        return web.Response(status=answer.status or 502, headers=headers)
    return web.json_response(answer.body, status=answer.status or 502, headers=headers)

"""Whether this process lives, whether it can work, and what it measured; no personal data."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass

from aiohttp import web
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest

Webhook = Callable[[web.Request], Awaitable[web.StreamResponse]]


@dataclass(frozen=True, slots=True)
class Readiness:
    """What keeps the process from working (`problems`), and what an operator should look at (`warnings`)."""

    problems: list[str]
    warnings: list[str]


Ready = Callable[[], Awaitable[Readiness]]


def make_app(webhook: Webhook, ready: Ready, largest_body: int) -> web.Application:
    """The whole HTTP surface of a process. Bodies over `largest_body` bytes are refused while they come in."""
    app = web.Application(client_max_size=largest_body)

    async def readyz(_request: web.Request) -> web.Response:
        found = await ready()
        body: Mapping[str, object] = {
            "ready": not found.problems,
            "problems": found.problems,
            "warnings": found.warnings,
        }
        return web.json_response(body, status=503 if found.problems else 200)

    app.router.add_post("/webhook", webhook)
    app.router.add_get("/healthz", healthz)
    app.router.add_get("/readyz", readyz)
    app.router.add_get("/metrics", show_metrics)
    return app


async def healthz(_request: web.Request) -> web.Response:
    """The process answers."""
    return web.Response(text="alive\n")


async def show_metrics(_request: web.Request) -> web.Response:
    """The counters, in the text form that Prometheus reads."""
    return web.Response(body=generate_latest(), headers={"Content-Type": CONTENT_TYPE_LATEST})

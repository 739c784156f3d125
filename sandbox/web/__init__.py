"""The sandbox's pages: GitHub as far as a person needs it to play a course by hand.

They live at the addresses that the API names as `html_url`, so that every link the bot writes leads somewhere; what is
no page of GitHub's is under `/-`. Whatever is not there is left to the API, which fails loudly. The pages ask for no
credentials: the sandbox listens on loopback only.
"""

from collections import defaultdict
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from aiohttp import web

from sandbox import endpoint
from sandbox.errors import Refused
from sandbox.web import act, log, look
from sandbox.web.find import Missing
from sandbox.web.template import STATIC, page

if TYPE_CHECKING:
    from sandbox.world import World

Answering = Callable[[], web.Response]


def add_to(app: web.Application, world: "World") -> None:
    """Add the pages to the sandbox's application, behind the routes of its API."""
    for path, shows in {**look.PAGES, **log.PAGES}.items():
        app.router.add_route("GET", path, partial(_look, world, shows))
    for path, does in act.FORMS.items():
        app.router.add_route("POST", path, partial(_act, world, does))
    app.router.add_static("/-/static", STATIC)


async def _look(world: "World", shows: look.Page, http: web.Request) -> web.StreamResponse:
    return await _answer(world, http, partial(shows, world, http))


async def _act(world: "World", does: act.Form, http: web.Request) -> web.StreamResponse:
    fields = defaultdict(str, {name: str(value) for name, value in (await http.post()).items()})
    return await _answer(world, http, partial(does, world, http, fields))


async def _answer(world: "World", http: web.Request, answering: Answering) -> web.StreamResponse:
    """A page, or the API's answer where the address names no organisation."""
    try:
        return answering()
    except Missing as missing:
        if missing.beyond:
            return await endpoint.unknown(world, http)
        return page("message.html", world, 404, title="Not found", text=str(missing))
    except Refused as refused:
        return page("message.html", world, refused.status, title="Refused", text=refused.message)

"""The pages of what was said between GitHub and the App."""

from typing import TYPE_CHECKING

from aiohttp import web

from sandbox.web import shown
from sandbox.web.find import Missing
from sandbox.web.template import page

if TYPE_CHECKING:
    from sandbox.world import World


def calls(world: "World", http: web.Request) -> web.Response:
    """GET /-/calls: what the API was asked, newest first; `only=changes` leaves the reading out."""
    only_changes = http.query.get("only") == "changes"
    every = world.mutations() if only_changes else world.calls
    number = _page(http)
    return page(
        "calls.html", world, calls=shown.newest(every, number), total=len(every), number=number, changes=only_changes
    )


def deliveries(world: "World", http: web.Request) -> web.Response:
    """GET /-/deliveries: the webhooks, newest first."""
    number, every = _page(http), world.hook.log
    return page("deliveries.html", world, deliveries=shown.newest(every, number), total=len(every), number=number)


def delivery(world: "World", http: web.Request) -> web.Response:
    """GET /-/deliveries/{id}: one webhook, with the whole of it."""
    found = next((one for one in world.hook.log if str(one.id) == http.match_info["id"]), None)
    if found is None:
        raise Missing("There is no such delivery.")
    return page("delivery.html", world, one=found)


def _page(http: web.Request) -> int:
    text = http.query.get("page", "1")
    return max(1, int(text)) if text.isdecimal() else 1


PAGES = {"/-/calls": calls, "/-/deliveries": deliveries, "/-/deliveries/{id}": delivery}

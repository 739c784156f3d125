"""The webhook's log, by the App's JWT."""

from sandbox.delivery import Delivery
from sandbox.errors import not_found
from sandbox.pages import by_cursor
from sandbox.render import apps
from sandbox.request import Answer, Request, on_app


def deliveries(request: Request) -> Answer:
    """GET /app/hook/deliveries"""
    wanted = request.query.get("status")
    log = [one for one in reversed(request.world.hook.log) if _fits(one, wanted)]
    return by_cursor(request, log, apps.delivery_item, lambda _: True, ("cursor", None))


def delivery(request: Request) -> Answer:
    """GET /app/hook/deliveries/{delivery_id}"""
    return Answer(200, apps.delivery(_named(request), request.world.app.webhook_url))


def redeliver(request: Request) -> Answer:
    """POST /app/hook/deliveries/{delivery_id}/attempts"""
    request.world.hook.redeliver(_named(request).guid)
    return Answer(202, {})


def _named(request: Request) -> Delivery:
    number = request.number("delivery_id")
    found = next((one for one in request.world.hook.log if one.id == number), None)
    if found is None:
        raise not_found()
    return found


def _fits(one: Delivery, wanted: str | None) -> bool:
    """The filter of the list: success is 200 to 399, failure 400 to 599."""
    ranges = {"success": range(200, 400), "failure": range(400, 600)}
    return wanted not in ranges or one.status_code in ranges[wanted]


ROUTES = [
    on_app("GET", "/app/hook/deliveries", deliveries),
    on_app("GET", "/app/hook/deliveries/{delivery_id}", delivery),
    on_app("POST", "/app/hook/deliveries/{delivery_id}/attempts", redeliver),
]

"""The webhook's log, by the App's JWT."""

from sandbox.delivery import Delivery
from sandbox.errors import invalid, not_found
from sandbox.pages import by_cursor
from sandbox.render import apps
from sandbox.request import Answer, Request, on_app

# docs: the codes that each filter of the list stands for. What reached nobody may have a code of neither.
CODES = {"success": range(200, 400), "failure": range(400, 600)}


def deliveries(request: Request) -> Answer:
    """GET /app/hook/deliveries, newest first"""
    wanted, now = request.query.get("status"), request.world.clock.now()
    if wanted not in (None, *CODES):
        raise invalid("status is neither success nor failure.")
    log = sorted(request.world.hook.log, key=lambda one: (one.delivered_at, one.id), reverse=True)
    return by_cursor(
        request,
        log,
        apps.delivery_item,
        lambda one: one.is_logged(now) and (wanted is None or one.status_code in CODES[wanted]),
        ("cursor", None),
    )


def delivery(request: Request) -> Answer:
    """GET /app/hook/deliveries/{delivery_id}"""
    return Answer(200, apps.delivery(_named(request), request.world.app.webhook_url))


def redeliver(request: Request) -> Answer:
    """POST /app/hook/deliveries/{delivery_id}/attempts"""
    request.world.hook.redeliver(_named(request).guid)
    return Answer(202, {})


def _named(request: Request) -> Delivery:
    number, now = request.number("delivery_id"), request.world.clock.now()
    found = next((one for one in request.world.hook.log if one.id == number), None)
    if found is None or not found.is_logged(now):
        raise not_found()
    return found


ROUTES = [
    on_app("GET", "/app/hook/deliveries", deliveries),
    on_app("GET", "/app/hook/deliveries/{delivery_id}", delivery),
    on_app("POST", "/app/hook/deliveries/{delivery_id}/attempts", redeliver),
]

"""The log of what GitHub delivered to the App, or tried to: three days of it, by the App's own key."""

from collections.abc import AsyncIterator
from typing import Any

import msgspec

from bot.github.failures import NotFound, Refused
from bot.github.gate import Urgency
from bot.github.hub import Hub
from bot.github.shapes import fit
from bot.rules.delivery_logs import Attempt

LOG = "/app/hook/deliveries"
"""Without the filter by `status`: what timed out may have a code that neither of its values covers."""

ASKED = 3
"""Asking for a redelivery twice does no harm: both carry the same GUID."""


class _Request(msgspec.Struct, frozen=True):
    payload: dict[str, Any] | None = None


class _Delivery(msgspec.Struct, frozen=True):
    request: _Request | None = None


async def newest_first(hub: Hub) -> AsyncIterator[list[Attempt]]:
    """The attempts page by page, each read when it is asked for."""
    async for page in hub.app().page_by_page(LOG):
        yield fit(list[Attempt], page)


async def payload(hub: Hub, attempt_id: int) -> dict[str, Any] | None:
    """What was sent in this attempt; None where GitHub does not have it (any more)."""
    try:
        found = fit(_Delivery, await hub.app().read(f"{LOG}/{attempt_id}"))
    except (NotFound, Refused):
        return None
    return found.request.payload if found.request else None


async def redeliver(hub: Hub, attempt_id: int) -> bool:
    """Have it delivered once more under its GUID; False where GitHub refuses."""
    try:
        await hub.app().write("POST", f"{LOG}/{attempt_id}/attempts", None, urgency=Urgency.READ, attempts=ASKED)
    except (NotFound, Refused):
        return False
    return True

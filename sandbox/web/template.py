"""Pages out of templates: everything is escaped, a name that is not there is an error."""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import jinja2
from aiohttp import web

from sandbox.web import markdown, shown

if TYPE_CHECKING:
    from sandbox.world import World

ROOM = Path(__file__).parent
STATIC = ROOM / "static"
REACTIONS = {"eyes": "👀", "rocket": "🚀", "confused": "😕", "+1": "👍", "-1": "👎"}


def page(name: str, world: "World", status: int = 200, **values: Any) -> web.Response:
    """The page `name`. The world's clock and the App are on each."""
    text = _PAGES.get_template(name).render(world=world, **values)
    return web.Response(text=text, status=status, content_type="text/html", headers={"Cache-Control": "no-store"})


def elsewhere(address: str) -> web.Response:
    """Send the browser to a page, to be got."""
    return web.Response(status=303, headers={"Location": address})


def moment(at: datetime) -> str:
    """A moment as people read it, UTC to the second."""
    return f"{at.astimezone(UTC):%a %d %b %Y, %H:%M:%S} UTC"


def brief(at: datetime) -> str:
    """The same where there is little room, and the zone stands above."""
    return f"{at.astimezone(UTC):%d %b, %H:%M:%S}"


def written(value: Any, indent: int | None = None) -> str:
    """A value as JSON."""
    return json.dumps(value, indent=indent, ensure_ascii=False)


_PAGES = jinja2.Environment(
    loader=jinja2.FileSystemLoader(ROOM / "templates"),
    autoescape=True,
    undefined=jinja2.StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
_PAGES.filters |= {
    "moment": moment,
    "brief": brief,
    "short": lambda sha: sha[:7],
    "markdown": markdown.rendered,
    "json": written,
}
_PAGES.globals |= {"shown": shown, "REACTIONS": REACTIONS, "PAGE": shown.PAGE}

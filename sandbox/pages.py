"""Lists in pages, joined by Link headers as GitHub joins them: by the ids in the address, not the names."""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar
from urllib.parse import urlencode

from sandbox.request import Answer, Request

T = TypeVar("T")
DEFAULT_SIZE, LARGEST = 30, 100


def paged(request: Request, items: Sequence[T], render: Callable[[T], Any], key: str | None = None) -> Answer:
    """One numbered page; with `key` the items are inside an object beside their total count."""
    size, page = _size(request), _positive(request, "page", 1)
    last = max(1, -(-len(items) // size))
    shown = [render(item) for item in items[(page - 1) * size : page * size]]
    links: dict[str, dict[str, int]] = {}
    if page > 1:
        links |= {"prev": {"page": page - 1}, "first": {"page": 1}}
    if page < last:
        links |= {"next": {"page": page + 1}, "last": {"page": last}}
    body = shown if key is None else {"total_count": len(items), key: shown}
    return Answer(200, body, _link(request, links))


def by_cursor(request: Request, items: Sequence[T], render: Callable[[T], Any], cursor: str = "after") -> Answer:
    """One page after the item whose id the query parameter `cursor` names; items must have an `id`."""
    size = _size(request)
    after = _positive(request, cursor, 0)
    start = next((place + 1 for place, item in enumerate(items) if _id(item) == after), 0)
    shown = items[start : start + size]
    links = {"next": {cursor: _id(shown[-1])}} if start + size < len(items) else {}
    return Answer(200, [render(item) for item in shown], _link(request, links))


def _id(item: Any) -> int:
    number: int = item.id
    return number


def _size(request: Request) -> int:
    return min(LARGEST, _positive(request, "per_page", DEFAULT_SIZE))


def _positive(request: Request, name: str, default: int) -> int:
    text = request.query.get(name, "")
    return int(text) if text.isdecimal() and int(text) > 0 else default


def _link(request: Request, links: dict[str, dict[str, int]]) -> dict[str, str]:
    if not links:
        return {}
    base = f"{request.world.url}{request.path}"
    return {
        "Link": ", ".join(f'<{base}?{urlencode(request.query | where)}>; rel="{name}"' for name, where in links.items())
    }

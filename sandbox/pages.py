"""Lists in pages, joined by Link headers as GitHub joins them: by the ids in the address, not the names."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar
from urllib.parse import urlencode

from sandbox.errors import invalid
from sandbox.ids import node_id
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


def by_cursor(
    request: Request,
    items: Sequence[T],
    render: Callable[[T], Any],
    keep: Callable[[T], bool],
    cursors: tuple[str, str | None] = ("after", None),
) -> Answer:
    """One page of those items to `keep`, which must have an `id`, on from the one that the address names.

    `cursors` are the query parameters that lead on and, if there is one, back. What a cursor names may be gone from
    the list in the meantime; the next page is found all the same.
    """
    size, (onward, back) = _size(request), cursors
    kept = [place for place, item in enumerate(items) if keep(item)]
    start = _place(request, items, onward, -1)
    end = len(items) if back is None else _place(request, items, back, len(items))
    between = [place for place in kept if start < place < end]
    backwards = back in request.query and onward not in request.query
    shown = between[-size:] if backwards else between[:size]
    links: dict[str, dict[str, str]] = {}
    if shown and kept[-1] > shown[-1]:
        links["next"] = {onward: _cursor(items[shown[-1]])}
    if shown and back is not None and kept[0] < shown[0]:
        links["prev"] = {back: _cursor(items[shown[0]])}
    return Answer(200, [render(items[place]) for place in shown], _link(request, links, cursors))


def _place(request: Request, items: Sequence[Any], name: str, default: int) -> int:
    """Where in the list the cursor of this name points. Raises Refused (422) if it never came from a Link header."""
    if name not in request.query:
        return default
    for place, item in enumerate(items):
        if _cursor(item) == request.query[name]:
            return place
    raise invalid(f"{name} is no cursor of this list.")


def _cursor(item: Any) -> str:
    """Opaque, as GitHub's are: nobody shall make one out of an id."""
    return node_id("v1", item.id)


def _size(request: Request) -> int:
    return min(LARGEST, _positive(request, "per_page", DEFAULT_SIZE))


def _positive(request: Request, name: str, default: int) -> int:
    text = request.query.get(name, "")
    return int(text) if text.isdecimal() and int(text) > 0 else default


def _link(
    request: Request, links: Mapping[str, Mapping[str, int | str]], replaced: tuple[str | None, ...] = ()
) -> dict[str, str]:
    if not links:
        return {}
    base = f"{request.world.url}{request.path}"
    query = {name: value for name, value in request.query.items() if name not in replaced}
    return {
        "Link": ", ".join(f'<{base}?{urlencode({**query, **where})}>; rel="{name}"' for name, where in links.items())
    }

"""Fields of request bodies, refused in GitHub's words when they do not fit."""

import json
from typing import Any, TypeVar, overload

from sandbox.errors import invalid

T = TypeVar("T")
NAMES: dict[type, str] = {str: "a string", int: "an integer", bool: "a boolean", dict: "an object", list: "an array"}


@overload
def field(body: dict[str, Any], name: str, kind: type[T]) -> T: ...
@overload
def field(body: dict[str, Any], name: str, kind: type[T], default: None) -> T | None: ...
@overload
def field(body: dict[str, Any], name: str, kind: type[T], default: T) -> T: ...
def field(body: dict[str, Any], name: str, kind: type[T], default: Any = ...) -> Any:
    """The value of a field. Raises Refused (422) if it is missing without a default, or of another kind."""
    value = body.get(name, default)
    if value is ...:
        raise invalid(f'"{name}" wasn\'t supplied.')
    right = isinstance(value, kind) and not (kind is int and isinstance(value, bool))
    if value is not default and not right:
        raise invalid(f"For 'properties/{name}', {json.dumps(value)} is not {NAMES[kind]}.")
    return value


def one_of(body: dict[str, Any], name: str, choices: tuple[str, ...], default: str | None = None) -> str:
    """A string that must be one of these."""
    value = field(body, name, str) if default is None else field(body, name, str, default)
    if value not in choices:
        raise invalid(f"For 'properties/{name}', {json.dumps(value)} is not one of {', '.join(choices)}.")
    return value


def within(body: dict[str, Any], name: str, longest: int) -> str | None:
    """An optional string of limited length."""
    value = field(body, name, str, None)
    if value is not None and len(value) > longest:
        raise invalid(f"For 'properties/{name}', only {longest} characters are allowed; {len(value)} were supplied.")
    return value

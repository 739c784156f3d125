"""A witness of all that is said between the bot and the sandbox; it holds each word against GitHub's description."""

import importlib
import json
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, urlsplit

from pydantic import TypeAdapter, ValidationError

from tests.githubkit.operations import operation

if TYPE_CHECKING:
    from sandbox.calls import Call
    from sandbox.delivery import Delivery
    from sandbox.request import Answer
    from sandbox.world import World


# githubkit's stand-in for an optional field that is absent: one of the ways not to fit, and never the one that matters.
UNSET = "Input should be <UNSET>"


class Witness:
    """Notes what does not fit. Nothing it finds disturbs the story; `complaints` tells of it at the end.

    `knows_the_caller`: whether whatever calls the sandbox must keep to the description too.
    """

    def __init__(self, world: "World", knows_the_caller: bool = True) -> None:
        self._world = world
        self._knows_the_caller = knows_the_caller
        self._answers: list[str] = []
        world.witness = self._hear

    def is_content(self) -> None:
        """Raises AssertionError with every complaint, if there is any."""
        complaints = self.complaints()
        assert not complaints, "\n".join(complaints)

    def complaints(self) -> list[str]:
        """Everything that does not fit, each once: answers, webhooks, and what the caller sent."""
        sent = [text for call in self._world.calls for text in about_call(call)] if self._knows_the_caller else []
        told = [text for delivery in self._world.hook.log for text in about_delivery(delivery)]
        return sorted({*self._answers, *told, *sent})

    def _hear(self, method: str, route: str, answer: "Answer") -> None:
        self._answers += about_answer(method, route, answer)


def about_answer(method: str, route: str, answer: "Answer") -> list[str]:
    """What is wrong with an answer of the sandbox."""
    model = operation(method, route).model(answer.status)
    where = f"{method} {route} answered {answer.status}"
    if model is None:
        return [] if answer.body is None else [f"{where}: has a body"]
    return [f"{where}: {text}" for text in _misfits(model, json.dumps(answer.body).encode())]


def about_delivery(delivery: "Delivery") -> list[str]:
    """What is wrong with the payload of a webhook."""
    return [f"event {delivery.event}: {text}" for text in _misfits(_event(delivery.event), delivery.body)]


def about_call(call: "Call") -> Iterator[str]:
    """What is wrong with the query and the body of a call."""
    described = operation(call.method, call.route)
    where = f"{call.method} {call.route} was sent"
    query = {name for name, _ in parse_qsl(urlsplit(call.path).query, keep_blank_values=True)}
    yield from (f"{where}: {name} is no query parameter" for name in sorted(query - described.query))
    if described.body is None:
        yield from [f"{where}: takes no body"] if call.body else []
    elif call.body or call.method != "POST":
        yield from (f"{where}: {name} is no field of the body" for name in sorted(set(call.body) - described.fields))
        yield from (f"{where}: {text}" for text in _misfits(described.body, json.dumps(call.body).encode()))


def _misfits(model: Any, text: bytes) -> list[str]:
    """Where a JSON text leaves the model: no type may be bent, no field is unknown."""
    try:
        _adapter(model).validate_json(text, strict=True)
    except ValidationError as error:
        return [f"{'.'.join(map(str, one['loc']))}: {one['msg']}" for one in error.errors() if one["msg"] != UNSET]
    return []


def _event(name: str) -> Any:
    """The model of an event's payloads, all actions of it. Raises ModuleNotFoundError if GitHub has no such event."""
    return importlib.import_module(f"githubkit_schemas.v2026_03_10.webhooks.{name}").Event


@cache
def _adapter(model: Any) -> TypeAdapter[Any]:
    """Making one costs much more than using it."""
    return TypeAdapter(model)

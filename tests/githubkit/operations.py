"""What GitHub describes of each endpoint: which bodies and query it takes, and what it answers.

githubkit generates one method per endpoint from GitHub's OpenAPI description and names the models inside it, nowhere
else; so they are read there.
"""

import ast
import builtins
import importlib
import inspect
import re
import textwrap
import typing
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from githubkit_schemas.v2026_03_10 import models

from sandbox.calls import normal_route

ROOMS = ("actions", "apps", "checks", "git", "issues", "orgs", "rate_limit", "reactions", "repos", "teams", "users")
ADDRESS = re.compile(r"^ *(GET|POST|PUT|PATCH|DELETE) (/\S*)$", re.MULTILINE)
FAILURE = models.BasicError | models.ValidationError | models.ValidationErrorSimple

Method = Callable[..., Any]


@dataclass(frozen=True)
class Operation:
    """One endpoint. `body` is None where it takes none, `answer` where success has none."""

    body: Any
    query: frozenset[str]
    answer: Any

    def model(self, status: int) -> Any:
        """The model of an answer with this status; GitHub does not describe all its failures, and they are alike."""
        return self.answer if status < 300 else FAILURE

    @property
    def fields(self) -> set[str]:
        """The fields that the body may have. GitHub leaves the body of a check run open for no reason; we do not."""
        variants = typing.get_args(self.body) or (self.body,)
        return {field.alias or name for variant in variants for name, field in variant.model_fields.items()}


@cache
def operation(method: str, route: str) -> Operation:
    """The endpoint at this address; how its parameters are called does not matter. Raises KeyError."""
    found = _methods()[method, normal_route(route)]
    code = ast.parse(textwrap.dedent(inspect.getsource(found)))
    (request,) = _calls(code, "arequest")
    named = {keyword.arg: keyword.value for keyword in request.keywords}
    bodies = [_value(call.args[0]) for call in _calls(code, "type_validate_python")]
    return Operation(
        body=bodies[0] if bodies else None,
        query=frozenset(_query(code)),
        answer=_value(named["response_model"]) if "response_model" in named else None,
    )


@cache
def _methods() -> dict[tuple[str, str], Method]:
    """Every method of githubkit's by the address in its description."""
    found = {}
    for room in ROOMS:
        module = importlib.import_module(f"githubkit_schemas.v2026_03_10.rest.{room}")
        client = next(value for name, value in vars(module).items() if name.endswith("Client"))
        for name, method in vars(client).items():
            address = ADDRESS.search(method.__doc__ or "") if name.startswith("async_") else None
            if address is not None:
                found[address[1], normal_route(address[2])] = method
    return found


def _calls(code: ast.AST, name: str) -> list[ast.Call]:
    """The calls of a function or method of this name."""
    every = [node for node in ast.walk(code) if isinstance(node, ast.Call)]
    return [call for call in every if ast.unparse(call.func).split(".")[-1] == name]


def _query(code: ast.AST) -> Iterator[str]:
    """The names put into the dictionary `params`."""
    for node in ast.walk(code):
        match node:
            case ast.Assign(targets=[ast.Name(id="params")], value=ast.Dict(keys=keys)):
                yield from (ast.literal_eval(key) for key in keys if key is not None)


def _value(expression: ast.expr) -> Any:
    """What an expression of models stands for."""
    names = {node.id for node in ast.walk(expression) if isinstance(node, ast.Name)}
    return eval(ast.unparse(expression), {name: _named(name) for name in names})


def _named(name: str) -> Any:
    for module in (models, typing, builtins):
        if hasattr(module, name):
            return getattr(module, name)
    raise KeyError(name)

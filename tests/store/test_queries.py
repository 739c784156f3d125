"""The query files: each statement has its sentence, fits the schema, and is used by its module in bot/store."""

import ast
from collections.abc import Iterator
from pathlib import Path

import asyncpg
import pytest

from bot.store import leases, queries

MODULES = sorted(file.stem for file in queries.FOLDER.glob("*.sql"))
STORE = Path(queries.__file__).parent


def statements(module: str) -> Iterator[tuple[str, str]]:
    """The statements by name, as they are sent; one of leases.sql in each form that is sent."""
    for name, statement in queries.load(module).items():
        if module == "leases":
            needs_due = "{due}" in statement
            kinds = (kind for kind, columns in leases.KINDS.items() if columns.due or not needs_due)
            yield from ((f"{name} of {kind}", leases.statement(name, kind)) for kind in kinds)
        else:
            yield name, statement


def used_names(module: str) -> Iterator[str]:
    """Names asked for in bot/store/<module>.py: `Q["name"]`, or `statement("name", kind)` in leases."""
    for node in ast.walk(ast.parse((STORE / f"{module}.py").read_text())):
        match node:
            case ast.Subscript(value=ast.Name(id="Q"), slice=ast.Constant(value=str(name))):
                yield name
            case ast.Call(func=ast.Name(id="statement"), args=[ast.Constant(value=str(name)), *_]):
                yield name


@pytest.mark.parametrize("module", MODULES)
async def test_each_statement_prepares_on_the_migrated_schema(
    conn: "asyncpg.Connection[asyncpg.Record]", module: str
) -> None:
    problems = []
    for name, statement in statements(module):
        try:
            await conn.prepare(statement)
        except asyncpg.PostgresError as error:
            problems.append(f"{name}: {error}")

    assert problems == []


@pytest.mark.parametrize("module", MODULES)
def test_each_statement_is_used_and_each_name_that_is_used_exists(module: str) -> None:
    assert set(used_names(module)) == set(queries.load(module))


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("SELECT 1;", "begins with"),
        ("-- name: a\nSELECT 1;", "a needs a sentence"),
        ("-- name: a\n-- What it does.\n", "a needs a sentence, then a statement"),
        ("-- name: a\n-- One.\nSELECT 1;\n-- name: a\n-- Two.\nSELECT 2;", "a is there twice"),
    ],
)
def test_a_file_out_of_form_is_refused(text: str, problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        queries.parse(text, "example")


def test_the_sentence_is_dropped_and_inner_comments_stay() -> None:
    parsed = queries.parse("-- name: a\n-- One sentence\n-- on two lines.\nSELECT 1 -- why\n;\n", "example")

    assert parsed == {"a": "SELECT 1 -- why\n;"}

"""The named statements of sql/queries: one file per store module, each statement with a sentence above it."""

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType

FOLDER = Path(__file__).parents[2] / "sql" / "queries"
HEADER = re.compile(r"^-- name: (\w+)\n", re.MULTILINE)
SENTENCE = re.compile(r"(?:--.*\n)+")


@cache
def load(module: str) -> Mapping[str, str]:
    """The statements of sql/queries/<module>.sql by name. Raises ValueError if the file breaks the form."""
    return parse((FOLDER / f"{module}.sql").read_text(), module)


def parse(text: str, module: str) -> Mapping[str, str]:
    """Blocks of `-- name: x`, a sentence in comments and one statement with $1, by name; the sentence is dropped."""
    before, *parts = HEADER.split(text)
    if before.strip():
        raise ValueError(f"{module}.sql: the file begins with a `-- name:`")
    statements: dict[str, str] = {}
    for name, block in zip(parts[::2], parts[1::2], strict=True):
        sentence = SENTENCE.match(block)
        statement = block[sentence.end() :].strip() if sentence else ""
        if name in statements or not sentence or not statement:
            problem = "is there twice" if name in statements else "needs a sentence, then a statement"
            raise ValueError(f"{module}.sql: {name} {problem}")
        statements[name] = statement
    return MappingProxyType(statements)

"""Rows become values of bot/model.py here, by the names of their columns."""

from collections.abc import Iterable
from typing import TypeAlias, TypeVar

import asyncpg

# A pooled connection is a proxy with the same methods; store functions take either.
Conn: TypeAlias = "asyncpg.Connection[asyncpg.Record] | asyncpg.pool.PoolConnectionProxy[asyncpg.Record]"

T = TypeVar("T")


def one(kind: type[T], row: asyncpg.Record | None) -> T | None:
    """The row as a value, or None where the query found nothing."""
    return None if row is None else kind(**dict(row))


def many(kind: type[T], rows: Iterable[asyncpg.Record]) -> list[T]:
    """Each row as a value."""
    return [kind(**dict(row)) for row in rows]

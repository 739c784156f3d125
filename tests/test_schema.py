"""The schema: what the migrations add up to, and that they can land where people already work (docs/design.md 13)."""

import re
import shutil
from collections.abc import Sequence
from pathlib import Path

import asyncpg

from bot.store import migrations, schema
from bot.store.pool import open_connection

FILES = sorted(migrations.FOLDER.glob("*.sql"))
WITHOUT_ACCOUNT = {"clock", "processes", "pulses", "outages", "scheduled_tasks", "schema_migrations"}

PRIMARY_KEYS = """
SELECT t.relname::text, a.attname::text FROM pg_class t
LEFT JOIN pg_index i ON i.indrelid = t.oid AND i.indisprimary
LEFT JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = i.indkey[0]
WHERE t.relkind IN ('r', 'p') AND t.relnamespace = 'public'::regnamespace
"""

DEMANDED = """
SELECT t.relname::text AS table_name, a.attname::text AS column_name, format_type(a.atttypid, a.atttypmod) AS type, (
    SELECT substring(pg_get_constraintdef(c.oid) FROM '''([^'']+)''') FROM pg_constraint c
    WHERE c.conrelid = t.oid AND c.contype = 'c' AND c.conkey = ARRAY[a.attnum] LIMIT 1) AS allowed
FROM pg_class t
LEFT JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum > 0 AND a.attnotnull AND NOT a.attisdropped
    AND NOT a.atthasdef AND a.attidentity = ''
WHERE t.relkind = 'r' AND t.relnamespace = 'public'::regnamespace AND t.relname <> 'schema_migrations'
ORDER BY t.relname, a.attnum
"""
ANYTHING = {"bigint": "7", "integer": "7", "boolean": "true", "text": "'x'", "bigint[]": "'{7}'", "bytea": "'x'"}
ANYTHING |= {"uuid": "gen_random_uuid()", "timestamp with time zone": "now()", "numeric": "7", "jsonb": "'{}'"}


async def fill(conn: "asyncpg.Connection[asyncpg.Record]") -> None:
    """Put a row into each empty table: only what a row must have, and whatever type and CHECK allow."""
    demanded: dict[str, list[asyncpg.Record]] = {}
    for row in await conn.fetch(DEMANDED):
        demanded.setdefault(row["table_name"], []).append(row)
    # Neither triggers nor foreign keys: what the rows mean is no matter here.
    await conn.execute("SET session_replication_role = replica")
    for table, columns in demanded.items():
        if not await conn.fetchval(f"SELECT EXISTS (SELECT FROM {table})"):
            await conn.execute(f"INSERT INTO {table} {_values([column for column in columns if column['type']])}")


def _values(columns: Sequence[asyncpg.Record]) -> str:
    names = ", ".join(column["column_name"] for column in columns)
    values = (f"'{it['allowed']}'" if it["allowed"] else ANYTHING[it["type"]] for it in columns)
    return f"({names}) VALUES ({', '.join(values)})" if columns else "DEFAULT VALUES"


def test_schema_sql_is_what_the_migrations_add_up_to(dsn: str) -> None:
    assert schema.FILE.read_text() == schema.dump(dsn), "write it anew: make schema"


async def test_each_migration_applies_to_a_database_with_a_row_in_each_table(empty_dsn: str, tmp_path: Path) -> None:
    for file in FILES:
        shutil.copy(file, tmp_path)

        assert await migrations.migrate(empty_dsn, tmp_path) == [file.stem]

        async with open_connection(empty_dsn) as conn:
            await fill(conn)


def test_no_migration_demands_a_value_that_older_processes_do_not_write() -> None:
    clauses = [(file.name, clause) for file in FILES for clause in re.split("[,;]", file.read_text().upper())]
    added = [(name, clause) for name, clause in clauses if re.search(r"\bADD COLUMN\b.*\bNOT NULL\b", clause)]

    assert [(name, clause) for name, clause in added if not re.search(r"\b(DEFAULT|GENERATED)\b", clause)] == []
    assert [(name, clause) for name, clause in clauses if "SET NOT NULL" in clause] == []


async def test_each_table_is_led_by_the_organisations_account(conn: "asyncpg.Connection[asyncpg.Record]") -> None:
    leading = {row["relname"]: row["attname"] for row in await conn.fetch(PRIMARY_KEYS)}

    assert {table for table, column in leading.items() if column != "account_id"} == WITHOUT_ACCOUNT

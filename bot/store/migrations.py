"""The schema's steps: sql/migrations/NNNN_name.sql, each run once, in order, by one process at a time.

A file runs in one transaction. A file whose first line is `-- migrate: no-transaction` runs statement by statement,
each ending a line with `;` (no function bodies there), and from its beginning again if it was cut short: each of its
statements must bear that. Steps only add, so that processes may be upgraded one by one (docs/design.md section 13).
"""

import asyncio
import hashlib
import re
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path

import asyncpg

from bot.config import ConfigError
from bot.store.pool import open_connection

FOLDER = Path(__file__).parents[2] / "sql" / "migrations"
NAME = re.compile(r"\d{4}_\w+")
NO_TRANSACTION = "-- migrate: no-transaction\n"
OLDEST_MAJOR = 15
LOCK_KEY = 0x70656E63696C73  # "pencils"
POLL_SECONDS = 0.1
BUSY_TRIES = 30
BUSY_SECONDS = 1.0

SESSION = {
    # A step that waits for a table makes everybody behind it wait too: give way, and try again.
    "lock_timeout": "2s",
    "statement_timeout": "10min",
    # The server ends a statement whose client was killed, and with it our lock.
    "client_connection_check_interval": "1s",
    "tcp_keepalives_idle": "10",
}

CREATE_TABLE = """
CREATE TABLE IF NOT EXISTS schema_migrations (
    name text PRIMARY KEY,
    sha256 text NOT NULL,
    applied_at timestamptz NOT NULL DEFAULT now()
)
"""
LANDED = "SELECT name, sha256 FROM schema_migrations ORDER BY name"
RECORD = "INSERT INTO schema_migrations (name, sha256) VALUES ($1, $2)"
TRY_LOCK = "SELECT pg_try_advisory_lock($1)"


@dataclass(frozen=True, slots=True)
class Migration:
    """One file; `name` without its ending."""

    name: str
    sql: str

    @property
    def sha256(self) -> str:
        return hashlib.sha256(self.sql.encode()).hexdigest()

    @property
    def in_transaction(self) -> bool:
        return not self.sql.startswith(NO_TRANSACTION)

    @property
    def statements(self) -> list[str]:
        """What is sent to the server one by one: the whole file where it runs in a transaction."""
        if self.in_transaction:
            return [self.sql]
        return [part for part in re.split(r";[ \t]*$", self.sql, flags=re.MULTILINE) if part.strip()]


async def migrate(dsn: str, folder: Path = FOLDER) -> list[str]:
    """Bring the database up to `folder` and return the names of the steps that this call ran.

    Any number of processes may call it at once. A database that is ahead of `folder` is accepted. Raises ConfigError
    if a step that has landed was edited, removed or overtaken, or the server is too old.
    """
    migrations = read(folder)
    async with open_connection(dsn, **SESSION) as connection:
        if connection.get_server_version().major < OLDEST_MAJOR:
            raise ConfigError(f"DATABASE_URL: PostgreSQL {OLDEST_MAJOR} or newer is needed.")
        # Polled: a waiting pg_advisory_lock() holds a snapshot, for which CREATE INDEX CONCURRENTLY waits in its turn.
        while not await connection.fetchval(TRY_LOCK, LOCK_KEY):  # noqa: ASYNC110 - no event comes from another process
            await asyncio.sleep(POLL_SECONDS)
        await connection.execute(CREATE_TABLE)
        landed = {row["name"]: row["sha256"] for row in await connection.fetch(LANDED)}
        pending = _pending(migrations, landed)
        for migration in pending:
            await _patiently_apply(connection, migration)
    return [migration.name for migration in pending]


def read(folder: Path) -> list[Migration]:
    """The files of `folder` in order. Raises ConfigError for a name out of form or a number given twice."""
    files = sorted(folder.glob("*.sql"))
    numbers = [file.name[:4] for file in files]
    for file in files:
        if not NAME.fullmatch(file.stem) or numbers.count(file.name[:4]) > 1:
            raise ConfigError(f"{file.name}: a migration is called NNNN_name.sql, with a number of its own")
    return [Migration(file.stem, file.read_text()) for file in files]


def _pending(migrations: list[Migration], landed: dict[str, str]) -> list[Migration]:
    """What is still to run, after what has landed was found to be what the files say."""
    known = {migration.name for migration in migrations}
    pending = [migration for migration in migrations if migration.name not in landed]
    ours = known & landed.keys()
    newest, last = max(known, default=""), max(ours, default="")
    problems = [f"{m.name} was edited after it landed" for m in migrations if landed.get(m.name, m.sha256) != m.sha256]
    problems += [f"{name} has landed, but its file is gone" for name in landed if name not in known and name < newest]
    problems += [f"{m.name} comes before {last}, which has landed: number it later" for m in pending if m.name < last]
    if problems:
        raise ConfigError("The database does not fit sql/migrations:\n" + "\n".join(f"  * {p}" for p in problems))
    return pending


async def _patiently_apply(connection: "asyncpg.Connection[asyncpg.Record]", migration: Migration) -> None:
    for _ in range(BUSY_TRIES):
        try:
            await _apply(connection, migration)
        except asyncpg.LockNotAvailableError:
            await asyncio.sleep(BUSY_SECONDS)
        else:
            return
    raise ConfigError(f"{migration.name}: a table that it changes stays in use. Stop what uses it and start again.")


async def _apply(connection: "asyncpg.Connection[asyncpg.Record]", migration: Migration) -> None:
    async with connection.transaction() if migration.in_transaction else nullcontext():
        for statement in migration.statements:
            await connection.execute(statement)
        await connection.execute(RECORD, migration.name, migration.sha256)

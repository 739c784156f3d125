"""sql/schema.sql: what the migrations add up to, for people to read. `python -m bot.store.schema` rewrites it."""

import asyncio
import logging
import re
from pathlib import Path

from bot.config import ConfigError
from bot.store import embedded, embedded_binaries, migrations
from bot.store.embedded_account import ourselves

FILE = Path(__file__).parents[2] / "sql" / "schema.sql"
HEADING = "-- What sql/migrations add up to. Written by `make schema`; do not edit.\n\n"
# Said by pg_dump of itself and of the session that would read it; versions differ in it.
NOISE = re.compile(r"(--.*|SET .*;|SELECT pg_catalog\.set_config.*|\\(un)?restrict .*)?")


def dump(dsn: str, binaries: Path | None = None) -> str:
    """The schema at `dsn` as SQL, the same for the same schema and version of pg_dump. Raises ConfigError."""
    command = [
        embedded_binaries.find(binaries).tool("pg_dump"),
        "--schema-only",
        "--no-owner",
        "--no-privileges",
        "--restrict-key=pencils",
        f"--dbname={dsn}",
    ]
    dumped = ourselves().run(*command)
    if dumped.returncode != 0:
        raise ConfigError(f"pg_dump: {dumped.stderr.strip()}")
    return HEADING + _tidy(dumped.stdout)


def rewrite() -> None:
    """Run the migrations on a new server and write down what they made."""
    with embedded.temporary_folder() as folder:
        use = embedded.start(folder, announce=logging.getLogger(__name__).info)
        try:
            asyncio.run(migrations.migrate(use.dsn))
            FILE.write_text(dump(use.dsn))
        finally:
            use.release()


def _tidy(text: str) -> str:
    """Statements with a blank line between them; what pg_dump says of itself is left out."""
    lines = ["" if NOISE.fullmatch(line) else line for line in text.splitlines()]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip() + "\n"


if __name__ == "__main__":
    rewrite()

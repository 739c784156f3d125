"""Commands that were previewed and wait for `/confirm CODE` (docs/design.md section 10): ten minutes, of real time."""

from dataclasses import dataclass
from typing import Literal

import msgspec

from bot.model import Command, Person
from bot.rules.reading import Reading
from bot.store import queries
from bot.store.records import Conn

Q = queries.load("confirmations")

WAIT_SECONDS = 600.0
"""How long a code can be used."""


@dataclass(frozen=True, slots=True)
class Waiting:
    """A previewed line, how it was read, and the digest of what the preview said."""

    line: str
    reading: Reading
    fingerprint: str


async def ask(conn: Conn, command: Command, code: str, waiting: Waiting) -> bool:
    """Let a line wait for its code; False if the code was given out before in this repository."""
    where = (command.account_id, command.repository_id, command.issue_number, command.comment_id)
    reading = msgspec.to_builtins(waiting.reading, str_keys=True)
    return await conn.fetchval(Q["ask"], *where, code, waiting.line, reading, waiting.fingerprint) is not None


async def waiting(conn: Conn, account_id: int, repository_id: int, issue_number: int) -> dict[str, str]:
    """By code, the lines of an issue that can be confirmed now."""
    rows = await conn.fetch(Q["waiting"], account_id, repository_id, issue_number, WAIT_SECONDS)
    return {row["code"]: row["line"] for row in rows}


async def use(conn: Conn, command: Command, code: str, person: Person) -> Waiting | None:
    """Use a code up, in its own issue and in time; None if it cannot be used (any more)."""
    where = (command.account_id, command.repository_id, command.issue_number)
    row = await conn.fetchrow(Q["use"], *where, code, WAIT_SECONDS, person.id)
    if row is None:
        return None
    return Waiting(row["line"], msgspec.convert(row["reading"], Reading, str_keys=True), row["fingerprint"])


async def fate(conn: Conn, command: Command, code: str) -> Literal["unknown", "used", "expired"] | int:
    """Why a code cannot be used; the number of its issue if it belongs to another one."""
    row = await conn.fetchrow(Q["find"], command.account_id, command.repository_id, code)
    if row is None:
        return "unknown"
    if row["issue_number"] != command.issue_number:
        return int(row["issue_number"])
    return "used" if row["used"] else "expired"

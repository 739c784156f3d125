"""Verdicts that a moved deadline or recovered evidence replaced, kept with what did that (docs/design.md section 4)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from bot.model import Command, Person, Project
from bot.store import queries
from bot.store.enrolments import Settled
from bot.store.receipts import Heard
from bot.store.records import Conn

Q = queries.load("past_verdicts")


@dataclass(frozen=True, slots=True)
class Reason:
    """Why verdicts change: the line that a person gave in a comment."""

    comment: Command
    person: Person
    line: str


@dataclass(frozen=True, slots=True)
class Why:
    """By which witness verdicts change, at course time `now`."""

    witness: str
    now: datetime


async def keep(conn: Conn, project: Project, before: Mapping[int, datetime], reason: Reason, now: datetime) -> None:
    """Keep what was said while the deadlines were `before`, by repository, in the transaction that moves them.

    To be called once the new deadlines are written, and before what the freeze had settled is cleared.
    """
    was = (list(before), list(before.values()))
    why = (reason.comment.comment_id, reason.person.id, reason.person.login, reason.line)
    await conn.execute(Q["keep"], project.account_id, project.id, *was, now, *why)


async def keep_of_evidence(
    conn: Conn, repository: tuple[int, int], heard: Sequence[tuple[str, Heard]], settled: Sequence[Settled], why: Why
) -> None:
    """Keep what was said of a repository's commits that turn out to have been in time, and what was settled by it."""
    said = ([sha for sha, _ in heard], [it.was for _, it in heard], [it.becomes for _, it in heard])
    stood = ([it.project_id for it in settled], [it.sha for it in settled], [it.received_at for it in settled])
    await conn.execute(Q["keep_of_evidence"], *repository, *said, why.now, f"evidence: {why.witness}", *stood)

"""Keep the bot's part of a control issue: what GitHub shows follows the database, at most one edit in 30 s."""

import hashlib
from dataclasses import dataclass

from bot.github import issues
from bot.github.api import Api
from bot.github.failures import HeldByShadow, NotFound, Refused
from bot.jobs.desk import Desk
from bot.jobs.frame import Held
from bot.model import CLOCK
from bot.rules.boards import LIMIT, put, room
from bot.store import audit, boards, clock, enrolments, projects, tasks
from bot.store.boards import BoardFacts
from bot.text.boards import Board, words

PAUSE_SECONDS = 30.0
"""The least real time between two edits of one issue (docs/design.md section 10)."""


@dataclass(frozen=True, slots=True)
class Known:
    """What is to be shown, where, and the news that it is about."""

    board: Board
    facts: BoardFacts
    news: list[int]


async def run(desk: Desk, held: Held) -> None:
    """Show what the database says now. Where the issue cannot be written that is noted, and not tried for ever."""
    api = await desk.api(held.lease.account_id)
    known = await _read(desk, held)
    if known is None:
        return
    said = hashlib.sha256(words(known.board, LIMIT).encode()).hexdigest()
    pause = None
    try:
        if said != known.facts.said and await _edit(api, known):
            pause = PAUSE_SECONDS
    except (NotFound, Refused, HeldByShadow) as refusal:
        async with held.finishing() as conn:
            await boards.give_up(conn, held.lease, known.news, refusal.message)
            subject, detail = projects.subject(known.board.project), {"reason": refusal.message}
            await audit.record(conn, subject, "board.given_up", CLOCK, await clock.now(conn), detail)
        return
    async with held.finishing() as conn:
        await boards.shown(conn, held.lease, said, known.news, pause)


async def _read(desk: Desk, held: Held) -> Known | None:
    """The news first: what becomes known while the rest is read stays news, and is shown next time."""
    account_id, project_id = held.lease.account_id, held.lease.key
    async with desk.pool.acquire() as conn:
        news = await boards.news(conn, account_id, project_id)
        facts = await boards.facts(conn, account_id, project_id)
        project = await projects.by_id(conn, account_id, project_id)
        if facts is None or project is None:
            return None
        board = Board(
            project=project,
            zone=facts.timezone,
            mode=facts.mode,
            enrolments=await enrolments.of_project(conn, account_id, project_id),
            received=await boards.received(conn, account_id, project_id),
            tasks=await tasks.of_project(conn, project),
        )
    return Known(board, facts, news)


async def _edit(api: Api, known: Known) -> bool:
    """Whether the issue had to be changed. Read just before it is written: GitHub takes no condition with an edit."""
    where = (known.facts.repository_id, known.facts.issue_number)
    body = await issues.body(api, *where)
    space = room(body)
    changed = put(body, words(known.board, space)) if space else body
    if changed == body:
        return False
    await issues.set_body(api, *where, changed)
    return True

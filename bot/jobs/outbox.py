"""Post what the bot has to say: look for its hidden mark first where an earlier try may have posted it."""

from dataclasses import replace
from datetime import timedelta

from bot import failpoints
from bot.errors import TryAgain
from bot.github import issues
from bot.github.api import Api
from bot.github.failures import GitHubFailure, HeldByShadow, NotFound, Refused
from bot.jobs import notices
from bot.jobs.desk import Desk
from bot.jobs.frame import Held
from bot.store import outbox
from bot.store.outbox import Letter

ABSENT_SECONDS = 60.0
"""GitHub may show a comment late: only after this long is an absent mark taken for one never posted."""

SKEW = timedelta(minutes=10)


async def run(desk: Desk, held: Held) -> None:
    """One letter: posted once, or given up where nobody can post it."""
    api = await desk.api(held.lease.account_id)
    async with desk.pool.acquire() as conn:
        letter = await outbox.by_id(conn, held.lease.account_id, held.lease.key)
    if letter is None:
        return
    if letter.kind in notices.KINDS:
        words = await notices.words(desk, api, letter)
        if words is None:
            async with held.finishing() as conn:
                await outbox.give_up(conn, letter, "nothing was left to say")
            return
        letter = replace(letter, body=words)
    try:
        posted_id = await (_react(api, letter) if letter.kind == "reaction" else _comment(desk, api, letter))
    except (NotFound, Refused, HeldByShadow) as refusal:
        async with held.finishing() as conn:
            await outbox.give_up(conn, letter, refusal.message)
        return
    async with held.finishing() as conn:
        await outbox.posted(conn, letter, posted_id)


async def _react(api: Api, letter: Letter) -> None:
    """A reaction given twice is one reaction."""
    if letter.comment_id is not None:
        await issues.react(api, letter.repository_id, letter.comment_id, letter.body)


async def _comment(desk: Desk, api: Api, letter: Letter) -> int:
    issue_number = letter.issue_number or 0
    if letter.tried_at is not None:
        since = letter.written_at - SKEW
        found = await issues.find_comment(api, letter.repository_id, issue_number, letter.mark, since)
        if found is not None:
            return found
        if not letter.settled:
            raise TryAgain("its mark has not been absent for a minute", ABSENT_SECONDS)
    async with desk.pool.acquire() as conn:
        await outbox.trying(conn, letter)
    failpoints.reach("outbox.trying")
    try:
        posted_id = await issues.comment(api, letter.repository_id, issue_number, letter.body)
    except GitHubFailure as failure:
        if not failure.ambiguous:
            # Nothing was posted (the budget was spent, say): the next try need not wait for it to show.
            async with desk.pool.acquire() as conn:
                await outbox.not_tried(conn, letter)
        raise
    failpoints.reach("outbox.posted")
    return posted_id

"""Read GitHub's own list of pushes, and complete or improve the receipts by it (docs/design.md section 3)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from bot import failpoints
from bot.errors import TryAgain
from bot.github import activities as github
from bot.github import commits
from bot.github.activities import Entry, Listed
from bot.github.api import Api
from bot.github.failures import NotFound, Refused
from bot.github.gate import Urgency
from bot.jobs.desk import Desk
from bot.jobs.frame import Held
from bot.rules.evidence import ASKED_ENOUGH
from bot.store import activities, clock, enrolments, evidence, receipts, repositories
from bot.store.activities import Question, Since
from bot.store.evidence import Witness
from bot.store.receipts import Heard, Push, Source
from bot.store.records import Conn

OVERLAP = timedelta(days=1)
"""So far before the last reading the next one goes back: an entry may appear late, and out of its order."""

AGAIN_SECONDS = 30.0
"""What GitHub does not list yet is asked about again after this long (real time)."""

MOST_COMPARED = 10


@dataclass(frozen=True, slots=True)
class _Reading:
    """One reading of one repository as of `at`, course time when it began."""

    account_id: int
    repository_id: int
    since: Since
    at: datetime


async def run(desk: Desk, held: Held) -> None:
    """Hear of each push that GitHub lists, then ask about what came inside of pushes, and judge again."""
    account_id, repository_id = held.lease.account_id, held.lease.key
    api = await desk.api(account_id)
    async with desk.pool.acquire() as conn:
        since = await activities.since(conn, account_id, repository_id)
        at = await clock.now(conn)
    if since is None:
        await _forget(desk, held, at)
        return
    reading = _Reading(account_id, repository_id, since, at)
    try:
        listed = await github.read(api, repository_id, since.read_at - OVERLAP if since.read_at else None)
    except (NotFound, Refused) as refusal:
        await _refused(desk, held, reading, refusal.message)
        return
    failpoints.reach("activity.read")
    questions = await _take_in(desk, held, reading, _pushes(listed, since))
    answers = await _compare(api, repository_id, questions)
    async with held.finishing() as done:
        await _settle(done, reading, answers, desk.app_login)
        await activities.read(done, held.lease, at, None, AGAIN_SECONDS)


def _pushes(listed: Listed, since: Since) -> list[Entry]:
    """What is to be heard of: pushes to branches that are not known, without the beginning of the repository.

    The first entry of all creates the default branch with the template's files: nobody's work, unless a student's.
    """
    news = [entry for entry in listed.entries if entry.is_push and entry.id not in since.known]
    if listed.whole and news and news[0] == listed.entries[0] and _begins(news[0], since):
        return news[1:]
    return news


def _begins(entry: Entry, since: Since) -> bool:
    by_student = entry.actor is not None and entry.actor.id in since.students
    default = entry.ref == f"{github.BRANCH}{since.default_branch}"
    return entry.kind == "branch_creation" and default and not by_student


async def _take_in(desk: Desk, held: Held, reading: _Reading, entries: Iterable[Entry]) -> list[Question]:
    """Hear of what was listed, in a transaction of its own; what is to be asked of GitHub besides."""
    async with desk.pool.acquire() as conn, conn.transaction():
        # The parts before the lease's row, as a push takes them that has the activity read: in the other order the two
        # would wait for each other.
        await enrolments.hold(conn, reading.account_id, [reading.repository_id])
        await held.check(conn)
        await _hear(conn, reading, entries, desk.app_login)
        return await activities.to_compare(conn, reading.account_id, reading.repository_id, MOST_COMPARED)


async def _hear(conn: Conn, reading: _Reading, entries: Iterable[Entry], app_login: str) -> None:
    now = await clock.now(conn)
    heard: list[tuple[str, Heard]] = []
    for entry in entries:
        source = Source(
            reading.account_id, reading.repository_id, now, activity_at=entry.timestamp, activity_id=entry.id
        )
        heard.append((entry.after, await receipts.hear(conn, source, _push(entry))))
    await _follow(conn, reading, heard, app_login)


def _push(entry: Entry) -> Push:
    actor = entry.actor
    return Push(
        ref=entry.ref,
        head_sha=entry.after,
        before_sha=entry.before,
        forced=entry.kind == "force_push",
        pushed_at=None,
        sender_id=actor.id if actor else None,
        sender_login=actor.login if actor else None,
        sender_type=actor.type if actor else None,
    )


async def _settle(conn: Conn, reading: _Reading, inner: Sequence[Question], app_login: str) -> None:
    """Write which commits came inside of pushes, and that GitHub does not list what it does not list."""
    where = Source(reading.account_id, reading.repository_id, reading.at)
    await enrolments.hold(conn, reading.account_id, [reading.repository_id])
    for it in inner:
        await receipts.list_commits(conn, where, it.ref, it.head_sha, [it.sha])
    unlisted = await activities.asked(conn, reading.account_id, reading.repository_id, reading.at)
    await _follow(conn, reading, unlisted, app_login)
    if inner:
        await enrolments.reselect(conn, reading.account_id, [reading.repository_id], await clock.now(conn))


async def _follow(conn: Conn, reading: _Reading, heard: list[tuple[str, Heard]], app_login: str) -> None:
    if heard:
        witness = Witness("activity", recovered=True, app_login=app_login)
        now = await clock.now(conn)
        await evidence.follow(conn, (reading.account_id, reading.repository_id), heard, witness, now)


async def _compare(api: Api, repository_id: int, questions: Iterable[Question]) -> list[Question]:
    """The commits that did come with those heads: everything reachable from a received head was received with it."""
    return [
        it for it in questions if await commits.reaches(api, repository_id, it.head_sha, it.sha, urgency=Urgency.READ)
    ]


async def _refused(desk: Desk, held: Held, reading: _Reading, reason: str) -> None:
    """An older server has no such list: after three times that counts as read, what can never be had holds no freeze.

    Or the repository is gone, which reading it will tell: then nothing was read. Raises TryAgain before the third time.
    """
    account_id, repository_id = reading.account_id, reading.repository_id
    # Before the lease's row, not after it: who finds a repository back holds that one first.
    async with desk.pool.acquire() as conn:
        await repositories.heard_of(conn, account_id, [repository_id], None)
    if not reading.since.refused and reading.since.attempts < ASKED_ENOUGH - 1:
        raise TryAgain(f"no activity: {reason}", AGAIN_SECONDS)
    async with held.finishing() as done:
        await enrolments.hold(done, account_id, [repository_id])
        unlisted = await activities.asked(done, account_id, repository_id, reading.at, ASKED_ENOUGH)
        await _follow(done, reading, unlisted, desk.app_login)
        await activities.read(done, held.lease, reading.at, reason, AGAIN_SECONDS)


async def _forget(desk: Desk, held: Held, at: datetime) -> None:
    """It is no repository of ours."""
    async with held.finishing() as conn:
        await activities.read(conn, held.lease, at, "it is not known here", AGAIN_SECONDS)

"""Answer a comment: who its author is first, then what its commands need of GitHub, then all of them at once."""

from dataclasses import dataclass

from bot import failpoints, log
from bot.errors import TryAgain
from bot.github.failures import GitHubFailure, NotFound, Refused
from bot.jobs import facts
from bot.jobs.desk import Desk
from bot.jobs.frame import Held
from bot.model import Authority, Command, Facts
from bot.rules.reading import Reading
from bot.slash import answering
from bot.slash.command import Context, Place
from bot.slash.parse.lines import Line
from bot.store import changes, clock, commands, confirmations, courses, outbox, projects
from bot.store.leases import LeaseLost
from bot.store.records import Conn
from bot.text import refusals
from bot.text.markdown import mark
from bot.text.replies import Answer, refusal, reply

SEEN, DONE, REFUSED, ASKED = "eyes", "rocket", "-1", "confused"
FAULTS_AT_MOST = 3
"""A fault of ours is tried this often before the person is told of it; waits for GitHub are none."""


@dataclass(frozen=True, slots=True)
class Known:
    """What was read of GitHub before the transaction."""

    organisation: str
    authority: Authority
    facts: Facts


async def run(desk: Desk, held: Held) -> None:
    """The effect, its answer and the end of the work are one transaction; a fault of ours is told in the end."""
    async with desk.pool.acquire() as conn:
        command = await commands.by_id(conn, held.lease.account_id, held.lease.key)
    if command is None:
        return
    try:
        await _answer(desk, held, command)
    except (GitHubFailure, TryAgain, LeaseLost):
        raise
    except Exception:
        async with desk.pool.acquire() as conn:
            faults = await commands.failed(conn, command)
        if faults < FAULTS_AT_MOST:
            raise
        log.get().exception("command given up", action="command.given_up", comment=command.comment_id)
        async with held.finishing() as conn:
            await _finish(conn, command, [refusal(command.body, refusals.our_fault())])


async def _answer(desk: Desk, held: Held, command: Command) -> None:
    api = await desk.api(command.account_id)
    async with desk.pool.acquire() as conn:
        place = await _place(conn, api.login, command)
    lines = [line for line in answering.addressed(command.body) if answering.concerns(place, line)]
    if not lines:
        async with held.finishing() as conn:
            await commands.done(conn, command, "nothing to answer")
        return
    async with desk.pool.acquire() as conn:
        await outbox.write_reaction(conn, command, SEEN, await clock.now(conn))
    failpoints.reach("command.seen")
    try:
        authority = await facts.authority(api, command, place.course)
        found = await facts.read(api, command, answering.needs(place, lines))
    except (NotFound, Refused) as failure:
        await _cannot_know(held, command, failure)
        return
    async with held.finishing() as conn:
        await _run(conn, desk, command, Known(api.login, authority, found), lines)


async def _cannot_know(held: Held, command: Command, failure: NotFound | Refused) -> None:
    """GitHub keeps from us what the answer takes: the author is told, unless it is the comment's own repository."""
    async with held.finishing() as conn:
        if isinstance(failure, NotFound) and not failure.about_organisation:
            await commands.done(conn, command, f"given up: {failure.message}")
        else:
            told = refusals.not_shown(failure.message)
            await _finish(conn, command, [refusal(command.body, told)])


async def _run(conn: Conn, desk: Desk, command: Command, known: Known, lines: list[Line]) -> None:
    now = await clock.now(conn)
    answers: list[Answer] = []
    for line in lines:
        place = await _place(conn, known.organisation, command)
        context = Context(conn, known.authority, now, command, place, known.facts, desk.app_login, Reading(now))
        answers.append(await answering.answer(context, line))
    await _finish(conn, command, answers)
    failpoints.reach("command.run")


async def _finish(conn: Conn, command: Command, answers: list[Answer]) -> None:
    now = await clock.now(conn)
    hidden = mark("reply", command.comment_id)
    await outbox.write_reply(conn, command, reply(hidden, answers), hidden, now)
    outcome, reaction = _outcome(answers)
    await outbox.write_reaction(conn, command, reaction, now)
    await commands.done(conn, command, outcome)


def _outcome(answers: list[Answer]) -> tuple[str, str]:
    """What became of the comment as a whole, and the reaction that shows it."""
    if all(answer.done for answer in answers):
        return "done", DONE
    return ("previewed", ASKED) if all(answer.done or answer.waits for answer in answers) else ("refused", REFUSED)


async def _place(conn: Conn, organisation: str, command: Command) -> Place:
    """Where the comment stands now; within one comment asked again for each line, since a line may change it."""
    course = await courses.by_repository(conn, command.account_id, command.repository_id)
    waiting = await confirmations.waiting(conn, command.account_id, command.repository_id, command.issue_number)
    if course is None:
        studied = await courses.of_student_repository(conn, command.account_id, command.repository_id)
        return Place(organisation, studied, None, studied is not None, waiting)
    project = await projects.by_issue(conn, command.account_id, course.id, command.issue_number)
    last = await changes.last(conn, course, project, command.issue_number)
    return Place(organisation, course, project, False, waiting, last)

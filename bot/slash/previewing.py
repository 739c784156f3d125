"""Ask first where a command is wide or was heard late (docs/design.md section 10).

The command is run in a savepoint between two pictures of its project. Where it must be asked first the savepoint is
rolled back, and what it would have done is said; so preview and change cannot follow different rules. To confirm is to
run it again on the words as they were read then, provided that it does the same as it did for the preview.
"""

import secrets
from dataclasses import dataclass, replace
from datetime import timedelta

from bot.model import Project
from bot.rules import effects, inverses
from bot.rules.effects import Effects, Picture
from bot.rules.inverses import Inverse, Nothing
from bot.rules.reading import Reading
from bot.slash.command import Context, Done, Question, SlashCommand
from bot.slash.parse.options import Parsed
from bot.store import changes, confirmations, projects, standings
from bot.store.changes import NewChange
from bot.store.confirmations import Waiting
from bot.text import previews

LATE = timedelta(minutes=15)
"""A comment that reached us this long after it was written may no longer be what its author wants."""

CODE_LETTERS = "bcdfghjkmnpqrstvwxz23456789"
"""Nothing that is read as something else, and no vowels, so that no code is a word."""

CODE_LENGTH = 4


@dataclass(frozen=True, slots=True)
class Given:
    """A command as it was given."""

    line: str
    command: SlashCommand
    parsed: Parsed


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a command in its savepoint; no effects where there was no project before.

    `wide`: more than one repository changes beyond that project.
    """

    said: str
    inverse: Inverse
    reading: Reading
    effects: Effects | None
    wide: bool = False

    @property
    def fingerprint(self) -> str:
        """What was or is announced, for comparing a confirmation with its preview."""
        inverse = inverses.stored(self.inverse)
        if self.wide:
            # What lies beyond the project is announced by what would be answered.
            return repr((inverse, self.said))
        return self.effects.fingerprint(self.reading.at, inverse) if self.effects else repr(inverse)


class _AsksFirst(Exception):
    """Rolls a command's savepoint back."""

    def __init__(self, outcome: Outcome) -> None:
        super().__init__()
        self.outcome = outcome


async def run(context: Context, given: Given, waiting: Waiting | None = None) -> str | Question:
    """Do it, or preview it; with `waiting`, confirmed, only if it does what its preview said."""
    try:
        async with context.conn.transaction():
            outcome = await _do(context, given, waiting.reading if waiting else None)
            if _asks_first(context, outcome, waiting):
                raise _AsksFirst(outcome)
    except _AsksFirst as asks:
        return await _ask(context, given, asks.outcome, again=waiting is not None)
    return _answer(context, outcome)


async def _do(context: Context, given: Given, reading: Reading | None) -> Outcome:
    project = context.place.project
    before = await standings.picture(context.conn, project) if project else None
    context = replace(context, reading=reading or _reading(context, before), line=given.line)
    said = await given.command.run(context, given.parsed)
    done = said if isinstance(said, Done) else Done(said.text if isinstance(said, Question) else said, Nothing())
    await _record(context, given, done)
    if project is None or before is None:
        return Outcome(done.text, done.inverse, context.reading, None, done.wide)
    return Outcome(done.text, done.inverse, context.reading, await _effects(context, project, before), done.wide)


async def _record(context: Context, given: Given, done: Done) -> None:
    """Keep the change; the first of a project is that it was created. What has no course yet changed none."""
    course, place = context.place.course, context.command
    if course is None:
        return
    here = await projects.by_issue(context.conn, context.account_id, course.id, place.issue_number)
    about = inverses.project_of(done.inverse, here.id if here else None)
    if about is None and isinstance(done.inverse, Nothing):
        return
    new = NewChange(course.id, about, done.command or given.command.spec.name, given.line, done.inverse)
    await changes.record(context.conn, place, new, context.authority.person, context.now)


def _reading(context: Context, before: Picture | None) -> Reading:
    if before is None:
        return Reading(context.now)
    deadlines = {row.repository_id: row.effective_at for row in before.standings.values()}
    return Reading(context.now, before.deadline_at, deadlines)


async def _effects(context: Context, project: Project, before: Picture) -> Effects:
    after = await standings.picture(context.conn, project)
    crossed = await standings.crossed(context.conn, project, before)
    return effects.between(before, after, crossed, context.now)


def _asks_first(context: Context, outcome: Outcome, waiting: Waiting | None) -> bool:
    if waiting is not None:
        return outcome.fingerprint != waiting.fingerprint
    return _late(context) > LATE or outcome.wide or (outcome.effects is not None and outcome.effects.wide)


def _late(context: Context) -> timedelta:
    return context.command.heard_at - context.command.commented_at


async def _ask(context: Context, given: Given, outcome: Outcome, *, again: bool) -> Question:
    waiting = Waiting(given.line, outcome.reading, outcome.fingerprint)
    code = _code()
    while not await confirmations.ask(context.conn, context.command, code, waiting):
        code = _code()
    zone = context.place.course.timezone if context.place.course else "UTC"
    parts = [
        previews.changed_since() if again else "",
        previews.heard_late(context.command, zone) if _late(context) > LATE else "",
        previews.would(_named(context), outcome.effects, zone, context.now)
        if outcome.effects and not outcome.wide
        else "",
    ]
    if not parts[-1]:
        parts.append(previews.would_answer(outcome.said))
    return Question("\n".join([*filter(None, parts), previews.confirm_with(code)]))


def _code() -> str:
    return "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH))


def _answer(context: Context, outcome: Outcome) -> str:
    zone = context.place.course.timezone if context.place.course else "UTC"
    judged = previews.judged(outcome.effects, zone) if outcome.effects else ""
    undo = "" if inverses.is_void(outcome.inverse) else previews.UNDO
    return "\n".join(filter(None, (outcome.said, judged, undo)))


def _named(context: Context) -> str:
    return context.place.project.slug if context.place.project else ""

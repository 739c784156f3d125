"""What `/evidence` says: each push of a repository in order, with every time held, who pushed, and the verdict."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from bot.rules import deadlines, pushes
from bot.rules.pushes import PartFacts, PushFacts, ReplacedVerdict
from bot.text import pushes as words
from bot.text import standings, timelines, when
from bot.text.markdown import code, folded, plain, table
from bot.text.timelines import Mark, drawable

BUDGET = 55_000
"""Characters: GitHub takes 65,536 in a comment, and other commands may be answered in it."""

HANDFUL = 5
_DRAWN_OF_ONE, _DRAWN_OF_MANY = 12, 6
_RECEIPT = (
    "A receipt is the earliest time at which a server that can be trusted knew of a push: no such time lies before the "
    "push itself, so the earliest decides, and the dates inside commits play no role."
)


@dataclass(frozen=True, slots=True)
class Record:
    """A repository's part in a project, its pushes in order of time, and its verdicts that were replaced."""

    part: PartFacts
    pushes: Sequence[PushFacts]
    replaced: Sequence[ReplacedVerdict]


@dataclass(frozen=True, slots=True)
class Reader:
    """Who reads it, and when. What staff typed names other students, so only they see it (`staff`)."""

    now: datetime
    staff: bool


def evidence(records: Sequence[Record], reader: Reader, budget: int = BUDGET) -> str:
    """The records one below the other, in `budget` characters; what is left out of each is counted."""
    if not records:
        return "This repository takes part in no assignment, so there is nothing to show."
    parts = [_RECEIPT]
    for place, record in enumerate(records):
        room = (budget - sum(map(len, parts))) // (len(records) - place)
        parts.append(_section(record, reader, room, alone=len(records) == 1))
    return "\n\n".join(parts)


def _section(record: Record, reader: Reader, room: int, *, alone: bool) -> str:
    head = _head(record.part, reader.now)
    if not record.pushes:
        return f"{head}\nNo push of it was heard of."
    order = pushes.by_weight(record.pushes, record.part)
    drawn = _drawing(record, reader.now, order[: _DRAWN_OF_ONE if alone else _DRAWN_OF_MANY])
    replaced = _replaced(record, reader, room // 4)
    listed = _table(record, reader.now, order, room - len(head) - len(drawn) - len(replaced) - 500)
    if alone and len(record.pushes) <= HANDFUL:
        return "\n\n".join(part for part in (head, drawn, listed, replaced) if part)
    summary = f"The pushes of {record.part.repository}: {len(record.pushes)}"
    if alone:
        return "\n\n".join([head, drawn, folded(summary, "\n\n".join(filter(None, (listed, replaced))))])
    return "\n\n".join([head, folded(summary, "\n\n".join(filter(None, (drawn, listed, replaced))))])


def _head(part: PartFacts, now: datetime) -> str:
    gone = " (cannot be reached)" if part.gone_at else ""
    own = ", its own" if part.own else ""
    verb = "was" if deadlines.has_come(part.effective_at, now) else "is"
    lines = [
        f"{code(part.repository)}{gone} in **{plain(part.slug)}**: the deadline {verb} "
        f"{when.at(part.effective_at, part.zone)}{own}, the grace {when.lasting(part.grace_seconds)}.",
        standings.counting(part),
    ]
    return "\n".join(lines)


def _table(record: Record, now: datetime, order: Sequence[int], room: int) -> str:
    """As many rows as `room` characters hold, at least one, in order of time."""
    zone, frozen = record.part.zone, record.part.frozen_at is not None
    rows: dict[int, list[str]] = {}
    for place in order:
        push = record.pushes[place]
        verdict = pushes.judge(push, record.part, now)
        row = [str(place + 1), *words.cells(push, verdict, zone, frozen=frozen)]
        room -= sum(len(cell) + 3 for cell in row) + 2
        if rows and room < 0:
            break
        rows[place] = row
    shown = table(["#", "Commit", f"Times ({zone})", "Pushed by", "Verdict"], [rows[place] for place in sorted(rows)])
    left_out = len(order) - len(rows)
    if not left_out:
        return shown
    return (
        f"{shown}\n\n{left_out} of {len(order)} pushes are left out here: shown are those that count, the newest and "
        "those nearest to the deadline."
    )


def _drawing(record: Record, now: datetime, places: Sequence[int]) -> str:
    part = record.part
    marks = [
        Mark(push.received_at, _drawn(push, part, now))
        for place, push in enumerate(record.pushes)
        if place in places and push.received_at is not None
    ]
    if part.grace_seconds:
        marks.append(Mark(deadlines.settles_at(part.effective_at, part.grace_seconds), "the grace ends"))
    if part.frozen_at is not None:
        marks.append(Mark(part.frozen_at, "settled"))
    marks.sort(key=lambda mark: mark.at)
    return timelines.timeline([part.repository, part.slug, part.zone], marks, part.effective_at, part.zone)


def _drawn(push: PushFacts, part: PartFacts, now: datetime) -> str:
    verdict = pushes.judge(push, part, now)
    by = f" by {drawable(push.login)}" if push.login else ""
    settled = "submission" if part.frozen_at else "would count now"
    counts = f", {settled}" if verdict.counts else ""
    return f"{drawable(push.sha[:7])} on {drawable(words.branch(push))}{by}, {words.briefly(verdict)}{counts}"


def _replaced(record: Record, reader: Reader, room: int) -> str:
    """The verdicts that hold no more, oldest first; of many the newest."""
    if not record.replaced:
        return ""
    lines: list[str] = []
    for verdict in reversed(record.replaced):
        line = _replaced_line(verdict, record.part.zone, staff=reader.staff)
        room -= len(line)
        if lines and room < 0:
            break
        lines.append(line)
    older = len(record.replaced) - len(lines)
    note = [f"* {older} older ones are left out here."] if older else []
    return "\n".join(["Verdicts that were replaced:", "", *note, *reversed(lines)])


def _replaced_line(verdict: ReplacedVerdict, zone: str, *, staff: bool) -> str:
    if verdict.late is None or verdict.received_at is None:
        was = "not dated"
    elif verdict.late:
        was = f"late by {when.lasting((verdict.received_at - verdict.deadline_at).total_seconds())}"
    else:
        was = "on time"
    if verdict.replaced_by_login is None:
        why = plain(verdict.reason)
    else:
        why = f"{code(verdict.reason)} by {code(verdict.replaced_by_login)}" if staff else "changed by your teachers"
    return (
        f"* `{verdict.sha[:7]}` was {was}{' and the submission' if verdict.submission else ''} by the deadline "
        f"{when.paired(verdict.deadline_at, zone)}, until {when.paired(verdict.replaced_at, zone)}: {why}."
    )

"""What is said about a project and its repositories."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from bot.model import Enrolment, Project, RepositoryFact
from bot.rules import deadlines
from bot.rules.deadlines import Consequence
from bot.text import deadline_commits, when
from bot.text.markdown import code, folded, plain

NAMED_AT_MOST = 5


@dataclass(frozen=True, slots=True)
class Matched:
    """What a pattern found: the repositories enrolled, and those left out with the reason."""

    enrolled: Sequence[RepositoryFact]
    left_out: Sequence[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Extension:
    """A repository as it was when it was given a deadline, when it closes now, and what became of it."""

    row: Enrolment
    closes_at: datetime
    moved: bool = True
    reopened: bool = False


def drafted(project: Project, zone: str, now: datetime, matched: Matched) -> str:
    """A project was created."""
    lonely = [fact.name for fact in matched.enrolled if not fact.students]
    names = folded("the repositories", ", ".join(code(fact.name) for fact in matched.enrolled))
    lines = [
        f"**{plain(project.slug)}** is drafted in this issue: {_count(len(matched.enrolled))} "
        f"{code(project.repository_glob)} and {'is' if len(matched.enrolled) == 1 else 'are'} enrolled.",
        closing(project, zone, now),
        *deadline_commits.strategy(project),
        f"Nobody sees it before `/publish`{_opening(project, zone)}.",
    ]
    if lonely:
        lines.append(f"Nobody works in {some(lonely)} yet; whoever joins before the deadline takes part.")
    lines += left_out(matched.left_out)
    return "\n".join([*lines, names])


def locks(project: Project) -> bool:
    """Whether its deadline closes repositories; else nothing that is said of it may speak of closing."""
    return project.strategy == "lock"


def closes(deadline: datetime, now: datetime, *, locks: bool) -> str:
    """What a project does at its deadline, or did; without locks nothing closes."""
    if deadlines.has_come(deadline, now):
        return "closed" if locks else "was due"
    return "closes" if locks else "is due"


def left_out(missed: Sequence[tuple[str, str]]) -> list[str]:
    """What matches and was not enrolled, with the reasons."""
    reasons = [f"{code(name)} ({why})" for name, why in missed]
    return [f"Left out: {', '.join(reasons)}."] if reasons else []


def closing(project: Project, zone: str, now: datetime) -> str:
    """When it closes, and until when runs may finish."""
    end = deadlines.settles_at(project.deadline_at, project.grace_seconds)
    verb = closes(project.deadline_at, now, locks=locks(project)).removeprefix("is ").capitalize()
    sentence = f"{verb} {when.at(project.deadline_at, zone)}, {when.until(project.deadline_at, now)}."
    if project.grace_seconds and not deadlines.has_come(end, now):
        sentence += f" Runs on commits received in time may finish until {when.short(end, zone)}."
    return sentence


def published(project: Project, zone: str, now: datetime, rows: Sequence[Enrolment]) -> str:
    """A draft is open."""
    shut = [row.name for row in rows if row.staff_lock]
    line = f"**{plain(project.slug)}** is open for {repositories(len(rows) - len(shut))}. {closing(project, zone, now)}"
    return f"{line}\nClosed by hand until `/unlock`: {some(shut)}." if shut else line


def scheduled(project: Project, zone: str, opens_at: datetime, now: datetime) -> str:
    """A draft opens by itself later."""
    return f"**{plain(project.slug)}** opens {when.at(opens_at, zone)}, {when.until(opens_at, now)}, by itself."


def moved(project: Project, zone: str, now: datetime, reopened: int, own: int) -> str:
    """The project's deadline is another."""
    lines = [f"**{plain(project.slug)}**: {closing(project, zone, now)}"]
    if reopened:
        how = "Closed until now and open again" if locks(project) else "The deadline had come and lies ahead again"
        lines.append(
            f"{how}: {repositories(reopened)}. "
            "What was received in time by the new deadline is on time; everything was judged again."
        )
    if deadlines.has_come(project.deadline_at, now):
        everything = "What was open closes now, and everything" if locks(project) else "Everything"
        lines.append(f"{everything} was judged again by when it was received.")
    if own:
        lines.append(f"Deadlines of their own stay as they are: {repositories(own)} (`/status`).")
    return "\n".join(lines)


def stands(project: Project, zone: str, now: datetime) -> str:
    """The project's deadline was set to what it is."""
    verb = "was" if deadlines.has_come(project.deadline_at, now) else "is"
    at = when.at(project.deadline_at, zone)
    return f"The deadline of **{plain(project.slug)}** {verb} {at} already: nothing has changed."


def extended(extensions: Sequence[Extension], zone: str, now: datetime, *, locks: bool = True) -> str:
    """Repositories have their own deadline, or follow the project again; `locks`: that closes them."""
    how = _closing if locks else _due
    return "\n".join((how(it, zone, now) if it.moved else _unmoved(it, zone)) + _shut(it, now) for it in extensions)


def _shut(extension: Extension, now: datetime) -> str:
    """A lock by hand outlasts a deadline that moves, unless that reopens the repository or closes it as well."""
    stays = extension.row.staff_lock and not extension.reopened and not deadlines.has_come(extension.closes_at, now)
    return " It is closed by hand until `/unlock`." if stays else ""


def _due(extension: Extension, zone: str, now: datetime) -> str:
    row, instant = extension.row, extension.closes_at
    name, at = code(row.name), when.at(instant, zone)
    if not deadlines.has_come(instant, now):
        line = f"The deadline of {name} is now {at}."
        if extension.reopened and row.deadline_applied_at:
            line += f" It had come at {when.short(row.deadline_applied_at, zone)} and lies ahead again."
        return line
    line = f"The deadline of {name} was {at}."
    if row.deadline_applied_at is None:
        return f"{line} That has passed: what was received by then counts."
    return line if instant == row.effective_at else f"{line} It is judged again."


def _closing(extension: Extension, zone: str, now: datetime) -> str:
    row, instant = extension.row, extension.closes_at
    passed = deadlines.has_come(instant, now)
    verb = "was to close" if passed else "now closes"
    line = f"{code(row.name)} {verb} {when.at(instant, zone)}."
    if passed:
        line += _behind_closed_doors(row, instant, now)
    if extension.reopened and row.deadline_applied_at:
        line += f" It was closed since {when.short(row.deadline_applied_at, zone)}; it opens again now."
    return line


def _unmoved(extension: Extension, zone: str) -> str:
    row, at = extension.row, when.at(extension.closes_at, zone)
    hand = " It stays open by hand." if row.deadline_applied_at and row.staff_lock is False else ""
    if row.deadline_at is None:
        return f"{code(row.name)} has no deadline of its own: that of the project holds, {at}.{hand}"
    return f"{code(row.name)} has this deadline already, {at}.{hand}"


def _behind_closed_doors(enrolment: Enrolment, instant: datetime, now: datetime) -> str:
    """What a deadline in the past means for a repository that stood like this before."""
    applied = enrolment.deadline_applied_at is not None
    if applied and enrolment.staff_lock is False:
        unmoved = instant == enrolment.effective_at
        return " It stays open by hand." if unmoved else " It was open by hand: it closes now and is judged again."
    if deadlines.of_move(applied, enrolment.effective_at, instant, now) is Consequence.JUDGED_AGAIN:
        return " It stays closed and is judged again."
    return " It stays closed." if applied else " That has passed: it closes now."


def _opening(project: Project, zone: str) -> str:
    return f", or before it opens by itself {when.at(project.opens_at, zone)}" if project.opens_at else ""


def repositories(count: int) -> str:
    """So many."""
    return "1 repository" if count == 1 else f"{count} repositories"


def _count(count: int) -> str:
    return f"{repositories(count)} {'matches' if count == 1 else 'match'}"


def some(names: Sequence[str]) -> str:
    """The first few, and how many more."""
    shown = ", ".join(code(name) for name in names[:NAMED_AT_MOST])
    return shown + (f" and {len(names) - NAMED_AT_MOST} more" if len(names) > NAMED_AT_MOST else "")

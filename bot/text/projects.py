"""What is said about a project and its repositories."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from bot.model import Enrolment, LockTrouble, Project, RepositoryFact
from bot.rules import deadlines
from bot.rules.deadlines import Consequence
from bot.text import deadline_commits, when
from bot.text.markdown import code, folded, plain, table

NAMED_AT_MOST = 5
_LOCKED = {"": "locked", "organisation": "locked", "repository": "locked by its own rulesets", "archive": "archived"}
_GONE = {
    "deleted": "deleted",
    "transferred": "moved out of the organisation",
    "removed": "the App has no access to it",
}
_HANDS = {None: "", True: ", by hand", False: ", by hand"}


@dataclass(frozen=True, slots=True)
class Matched:
    """What a pattern found: the repositories enrolled, and those left out with the reason."""

    enrolled: Sequence[RepositoryFact]
    left_out: Sequence[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Standing:
    """Where the repositories of a project stand, and what keeps them from being closed, reviewed or told.

    `mute` are those where GitHub refuses a check, by name, with its reason.
    """

    enrolments: Sequence[Enrolment]
    trouble: LockTrouble
    review_failure: str | None = None
    mute: Mapping[str, str] = field(default_factory=dict)


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
        lines.append(f"Nobody works in {_some(lonely)} yet; whoever joins before the deadline takes part.")
    lines += left_out(matched)
    return "\n".join([*lines, names])


def left_out(matched: Matched) -> list[str]:
    """What matches and was not enrolled, with the reasons."""
    reasons = [f"{code(name)} ({why})" for name, why in matched.left_out]
    return [f"Left out: {', '.join(reasons)}."] if reasons else []


def closing(project: Project, zone: str, now: datetime) -> str:
    """When it closes, and until when runs may finish."""
    end = deadlines.settles_at(project.deadline_at, project.grace_seconds)
    verb = "Closed" if deadlines.has_come(project.deadline_at, now) else "Closes"
    sentence = f"{verb} {when.at(project.deadline_at, zone)}, {when.until(project.deadline_at, now)}."
    if project.grace_seconds and not deadlines.has_come(end, now):
        sentence += f" Runs on commits received in time may finish until {when.short(end, zone)}."
    return sentence


def published(project: Project, zone: str, now: datetime, count: int) -> str:
    """A draft is open."""
    return f"**{plain(project.slug)}** is open for {repositories(count)}. {closing(project, zone, now)}"


def scheduled(project: Project, zone: str, opens_at: datetime, now: datetime) -> str:
    """A draft opens by itself later."""
    return f"**{plain(project.slug)}** opens {when.at(opens_at, zone)}, {when.until(opens_at, now)}, by itself."


def moved(project: Project, zone: str, now: datetime, reopened: int, own: int) -> str:
    """The project's deadline is another."""
    lines = [f"**{plain(project.slug)}**: {closing(project, zone, now)}"]
    if reopened:
        lines.append(
            f"Closed until now and open again: {repositories(reopened)}. "
            "What was received in time by the new deadline is on time; everything was judged again."
        )
    if deadlines.has_come(project.deadline_at, now):
        lines.append("What was open closes now, and everything was judged again by when it was received.")
    if own:
        lines.append(f"Deadlines of their own stay as they are: {repositories(own)} (`/status`).")
    return "\n".join(lines)


def extended(changed: Sequence[tuple[Enrolment, datetime]], zone: str, now: datetime, reopened: Sequence[int]) -> str:
    """Repositories have their own deadline, or follow the project again."""
    lines = []
    for enrolment, instant in changed:
        passed = deadlines.has_come(instant, now)
        verb = "was to close" if passed else "now closes"
        line = f"{code(enrolment.name)} {verb} {when.at(instant, zone)}."
        if passed:
            line += _behind_closed_doors(enrolment, instant, now)
        if enrolment.repository_id in reopened and enrolment.deadline_applied_at:
            line += f" It was closed since {when.short(enrolment.deadline_applied_at, zone)}; it opens again now."
        lines.append(line)
    return "\n".join(lines)


def _behind_closed_doors(enrolment: Enrolment, instant: datetime, now: datetime) -> str:
    """What a deadline in the past means for a repository that stood like this before."""
    applied = enrolment.deadline_applied_at is not None
    if deadlines.of_move(applied, enrolment.effective_at, instant, now) is Consequence.JUDGED_AGAIN:
        return " It stays closed and is judged again."
    return " It stays closed." if applied else " That has passed: it closes now."


def status(project: Project, zone: str, now: datetime, standing: Standing) -> str:
    """Where a project stands: state, deadline, counts, and what needs a person."""
    here = [row for row in standing.enrolments if not row.gone_at]
    lines = [
        f"state: {project.state}",
        f"**{plain(project.slug)}** {'closed' if deadlines.has_come(project.deadline_at, now) else 'closes'} "
        f"{when.at(project.deadline_at, zone)}, {when.until(project.deadline_at, now)}; "
        f"grace {when.lasting(project.grace_seconds)}.",
        *deadline_commits.strategy(project),
        ", ".join(f"{count} {name}" for name, count in _counts(here).items() if count) + ".",
        *_weaker(here),
        *_waiting(here, standing.trouble),
        *deadline_commits.standing(here),
    ]
    if unsure := [row.name for row in here if row.review == "not confirmed"]:
        lines.append(
            f"Not confirmed: the review of {_some(unsure)} was asked for and GitHub did not answer. It may or may not "
            "have started, so it is not asked for again; look at the Actions page of the repository."
        )
    if standing.review_failure and any(row.frozen_at and not row.review for row in here):
        lines.append(f"The last try to ask for a review failed ({plain(standing.review_failure)}) and is repeated.")
    for reason in sorted(set(standing.mute.values())):
        names = [name for name, why in standing.mute.items() if why == reason]
        lines.append(
            f"GitHub refuses the check in {_some(names)} ({plain(reason)}): students do not see what was received."
        )
    return "\n".join([*lines, *_gone(standing.enrolments)])


def _gone(rows: Sequence[Enrolment]) -> list[str]:
    """What cannot be reached: three different facts."""
    by_fact = {how: [row.name for row in rows if row.gone_at and row.gone_as == how] for how in _GONE}
    return [f"Cannot be reached any more: {_some(names)} ({_GONE[how]})." for how, names in by_fact.items() if names]


def _counts(rows: Sequence[Enrolment]) -> dict[str, int]:
    return {
        "enrolled": len(rows),
        "with an own deadline": sum(row.deadline_at is not None for row in rows),
        "deadline applied": sum(row.deadline_applied_at is not None for row in rows),
        "locked on GitHub": sum(row.locked_at is not None for row in rows),
        "locked by rulesets of their own": sum(row.lock_kind == "repository" for row in rows),
        "archived as their lock": sum(row.lock_kind == "archive" for row in rows),
        "closed by hand": sum(row.staff_lock is True for row in rows),
        "open by hand": sum(row.staff_lock is False for row in rows),
        "with a deadline commit": sum(row.deadline_committed_at is not None for row in rows),
        "lock read back": sum(row.lock_verified_at is not None for row in rows),
        "frozen": sum(row.frozen_at is not None for row in rows),
        "with a submission": sum(row.submission_sha is not None for row in rows),
        "review asked": sum(row.review == "accepted" for row in rows),
        "review skipped": sum(row.review == "skipped" for row in rows),
        "review not confirmed": sum(row.review == "not confirmed" for row in rows),
    }


def _waits(row: Enrolment) -> bool:
    return row.wanted_lock is not None and row.wanted_lock != (row.locked_at is not None)


def _weaker(rows: Sequence[Enrolment]) -> list[str]:
    """Why weaker locks are in force, and what that means."""
    lines = []
    reasons = sorted(
        {row.lock_reason for row in rows if row.lock_kind in {"repository", "archive"} and row.lock_reason}
    )
    if reasons:
        lines.append("No stronger lock: " + "; ".join(plain(reason) for reason in reasons) + ".")
    if archived := [row.name for row in rows if row.lock_kind == "archive"]:
        lines.append(
            f"Archived: {_some(archived)}. GitHub takes no comment, check or review there until it is opened again."
        )
    return lines


def _waiting(rows: Sequence[Enrolment], trouble: LockTrouble) -> list[str]:
    names = [row.name for row in rows if _waits(row)]
    if not names:
        return []
    failures = sorted({row.lock_failure for row in rows if row.lock_failure} | {trouble.lock_failure or ""} - {""})
    why = f" The last try failed ({plain('; '.join(failures))}) and is repeated." if failures else ""
    return [f"Not as wanted on GitHub yet: {_some(names)}.{why}"]


def status_of(rows: Sequence[Enrolment], zone: str) -> str:
    """One line for each repository asked for."""
    heads = ["Repository", "Students", f"Closes ({zone})", "Lock", "Counts", "Score", "Review"]
    return table(heads, [_row(row, zone) for row in rows])


def _row(row: Enrolment, zone: str) -> list[str]:
    own = " (own)" if row.deadline_at else ""
    counts = f"{row.submission_sha[:7]}" if row.submission_sha else ("nothing" if row.frozen_at else "not frozen yet")
    if row.submission_sha and row.submission_at:
        counts += f", received {when.short(row.submission_at, zone)}"
    score = f"{row.points:g}/{row.max_points:g}" if row.points is not None and row.max_points else "none"
    lock = f"{_LOCKED[row.lock_kind or '']} {when.short(row.locked_at, zone)}" if row.locked_at else "open"
    mark = deadline_commits.of_row(row, zone)
    return [
        code(row.name) + (" (cannot be reached)" if row.gone_at else ""),
        ", ".join(f"`{login}`" for login in row.students) or "nobody",
        when.short(row.effective_at, zone) + own,
        lock + (", read back" if row.lock_verified_at else "") + _HANDS[row.staff_lock] + (mark and f", {mark}"),
        counts,
        score,
        "asked" if row.review == "accepted" else row.review or "",
    ]


def _opening(project: Project, zone: str) -> str:
    return f", or before it opens by itself {when.at(project.opens_at, zone)}" if project.opens_at else ""


def repositories(count: int) -> str:
    """So many."""
    return "1 repository" if count == 1 else f"{count} repositories"


def _count(count: int) -> str:
    return f"{repositories(count)} {'matches' if count == 1 else 'match'}"


def _some(names: Sequence[str]) -> str:
    shown = ", ".join(code(name) for name in names[:NAMED_AT_MOST])
    return shown + (f" and {len(names) - NAMED_AT_MOST} more" if len(names) > NAMED_AT_MOST else "")

"""Where a project and its repositories stand: what `/status` says."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from bot.model import Enrolment, LockTrouble, Project
from bot.rules.pushes import PartFacts
from bot.text import deadline_commits, when
from bot.text.markdown import code, plain, table
from bot.text.projects import closes, locks, some

_LOCKED = {"": "locked", "organisation": "locked", "repository": "locked by its own rulesets", "archive": "archived"}
_GONE = {
    "deleted": "deleted",
    "transferred": "moved out of the organisation",
    "removed": "the App has no access to it",
}
_HANDS = {None: "", True: ", by hand", False: ", by hand"}


@dataclass(frozen=True, slots=True)
class Standing:
    """Where the repositories of a project stand, and what keeps them from being closed, reviewed or told.

    `mute` are those where GitHub refuses a check, by name, with its reason.
    """

    enrolments: Sequence[Enrolment]
    trouble: LockTrouble
    review_failure: str | None = None
    mute: Mapping[str, str] = field(default_factory=dict)


def status(project: Project, zone: str, now: datetime, standing: Standing) -> str:
    """Where a project stands: state, deadline, counts, and what needs a person."""
    here = [row for row in standing.enrolments if not row.gone_at]
    lines = [
        f"state: {project.state}",
        f"**{plain(project.slug)}** {closes(project.deadline_at, now, locks=locks(project))} "
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
            f"Not confirmed: the review of {some(unsure)} was asked for and GitHub did not answer. It may or may not "
            "have started, so it is not asked for again; look at the Actions page of the repository."
        )
    if standing.review_failure and any(row.frozen_at and not row.review for row in here):
        lines.append(f"The last try to ask for a review failed ({plain(standing.review_failure)}) and is repeated.")
    for reason in sorted(set(standing.mute.values())):
        names = [name for name, why in standing.mute.items() if why == reason]
        lines.append(
            f"GitHub refuses the check in {some(names)} ({plain(reason)}): students do not see what was received."
        )
    return "\n".join([*lines, *_gone(standing.enrolments)])


def status_of_own(parts: Sequence[PartFacts], now: datetime) -> str:
    """What a student may know of the own repository: until when, what counts, and whether it takes pushes."""
    if not parts:
        return "This repository takes part in no assignment."
    return "\n\n".join(_of_own(part, now) for part in parts)


def _of_own(part: PartFacts, now: datetime) -> str:
    held = "It takes no pushes" if part.locked_at else "It takes pushes"
    lines = [
        f"**{plain(part.slug)}** {closes(part.effective_at, now, locks=part.locks)} "
        f"{when.at(part.effective_at, part.zone)}, {when.until(part.effective_at, now)}"
        f"{' (a deadline of its own)' if part.own else ''}. {held}.",
        counting(part),
    ]
    return "\n".join(lines)


def counting(part: PartFacts) -> str:
    """What counts of a repository, or would."""
    received = f", received {when.at(part.counts_at, part.zone)}" if part.counts_at else ", which nothing dates"
    sha = f"`{part.counts_sha[:7]}`{received}" if part.counts_sha else None
    if part.frozen_at is None:
        return f"Not settled yet: {sha}, would count now." if sha else "Not settled yet: nothing would count now."
    settled = f"Settled {when.at(part.frozen_at, part.zone)}"
    return f"{settled}: the submission is {sha}." if sha else f"{settled}: there is no submission."


def _gone(rows: Sequence[Enrolment]) -> list[str]:
    """What cannot be reached: three different facts."""
    by_fact = {how: [row.name for row in rows if row.gone_at and row.gone_as == how] for how in _GONE}
    return [f"Cannot be reached any more: {some(names)} ({_GONE[how]})." for how, names in by_fact.items() if names]


def _counts(rows: Sequence[Enrolment]) -> dict[str, int]:
    return {
        "enrolled": len(rows),
        "with an own deadline": sum(row.deadline_at is not None for row in rows),
        "deadline applied": sum(row.deadline_applied_at is not None for row in rows),
        "locked on GitHub": sum(row.locked_at is not None and row.lock_absent_at is None for row in rows),
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
    unsure = row.lock_tried_at is not None or row.lock_absent_at is not None
    return row.wanted_lock is not None and (unsure or row.wanted_lock != (row.locked_at is not None))


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
            f"Archived: {some(archived)}. GitHub takes no comment, check or review there until it is opened again."
        )
    return lines


def _waiting(rows: Sequence[Enrolment], trouble: LockTrouble) -> list[str]:
    names = [row.name for row in rows if _waits(row)]
    if not names:
        return []
    failures = sorted({row.lock_failure for row in rows if row.lock_failure} | {trouble.lock_failure or ""} - {""})
    why = f" The last try failed ({plain('; '.join(failures))}) and is repeated." if failures else ""
    return [f"Not as wanted on GitHub yet: {some(names)}.{why}"]


def status_of(rows: Sequence[Enrolment], zone: str) -> str:
    """One line for each repository asked for."""
    heads = ["Repository", "Students", f"Deadline ({zone})", "Lock", "Counts", "Score", "Review"]
    return table(heads, [_row(row, zone) for row in rows])


def _row(row: Enrolment, zone: str) -> list[str]:
    own = " (own)" if row.deadline_at else ""
    counts = f"{row.submission_sha[:7]}" if row.submission_sha else ("nothing" if row.frozen_at else "not frozen yet")
    if row.submission_sha and row.submission_at:
        counts += f", received {when.short(row.submission_at, zone)}"
    score = f"{row.points:g}/{row.max_points:g}" if row.points is not None and row.max_points else "none"
    lock = f"{_LOCKED[row.lock_kind or '']} {when.short(row.locked_at, zone)}" if row.locked_at else "open"
    lock = "not closed on GitHub, by what it says itself" if row.lock_absent_at else lock
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

"""What is said about a course's settings and how the App stands in its organisation."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from bot.errors import Told
from bot.model import Course
from bot.rules import durations, permissions, skew
from bot.rules.durations import Duration
from bot.rules.modes import Settings
from bot.rules.permissions import InstallationStanding
from bot.rules.skew import ProcessStanding
from bot.rules.tasks import Task
from bot.text import when
from bot.text.markdown import code, plain, table

BUDGET = 900
"""GitHub's points a minute for one installation."""

_SETTINGS = {
    "timezone": "the time zone",
    "mode": "the mode",
    "locks_lifted": "the mode",
    "staff_team_id": "the staff's team",
    "staff_team": "the staff's team",
    "assistants_team_id": "the assistants' team",
    "assistants_team": "the assistants' team",
    "task_due": "when tasks are due",
    "escalate_after": "when the owners are told",
}
"""Settings by what people call them."""

_KINDS = {
    "organisation": "by the organisation's rulesets",
    "repository": "by rulesets of their own",
    "archive": "archived",
}

_CLOCKS = {"process": "the processes'", "github": "GitHub's"}


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of housekeeping as it last went."""

    name: str
    enabled: bool
    finished_at: datetime | None
    outcome: str | None


@dataclass(frozen=True, slots=True)
class CourseStanding:
    """All that `/course status` says."""

    course: Course
    settings: Settings
    installations: Sequence[InstallationStanding]
    locks: Mapping[str, int]
    tasks: Sequence[Task]
    troubles: Sequence[str]
    processes: list[ProcessStanding]
    outage: str | None
    housekeeping: Sequence[Piece]


def changed(before: Settings, after: Settings, organisation: str, opens: int = 0) -> str:
    """What is otherwise now; `opens` is how many repositories are closed that open by it."""
    lines = []
    if after.timezone != before.timezone:
        lines.append(f"Times are read and shown in {after.timezone} now. No deadline has moved.")
    if after.staff_team_id != before.staff_team_id:
        lines.append(f"`@{organisation}/{after.staff_team}` may do everything now.")
    if after.assistants_team_id != before.assistants_team_id:
        lines.append(_assistants(after, organisation))
    if (after.task_due, after.escalate_after) != (before.task_due, before.escalate_after):
        lines.append(f"New tasks: {_waits(after)} What is open already keeps its dates.")
    if after.mode != before.mode:
        lines.append(_mode(after, opens))
    return "\n".join(lines) or "Everything was so already."


def status(standing: CourseStanding, zone: str) -> str:
    """Locks, permissions, pause and budget of each installation; tasks; housekeeping."""
    course = standing.course
    held = [f"{count} {_KINDS[kind]}" for kind, count in sorted(standing.locks.items())]
    parts = [
        f"mode: {course.mode}",
        f"Times are in {course.timezone}. New tasks: {_waits(standing.settings)}",
        *(line for installation in standing.installations for line in _installation(installation)),
        f"Locked now: {', '.join(held) or 'none'}.",
        f"Open tasks: {len(standing.tasks)} (`/tasks`).",
        *standing.troubles,
        *_processes(standing.processes),
        *([standing.outage] if standing.outage else []),
    ]
    rows = [
        [
            piece.name + ("" if piece.enabled else " (paused)"),
            when.short(piece.finished_at, zone) if piece.finished_at else "never",
            plain(piece.outcome or ""),
        ]
        for piece in standing.housekeeping
    ]
    return "\n".join(parts) + "\n\n" + table(["Housekeeping", f"Last ({zone})", "Outcome"], rows)


def cannot_be_written(slug: str, issue_number: int, reason: str) -> str:
    """A control issue that the bot has given up."""
    return f"The control issue of {code(slug)} (#{issue_number}) cannot be written: {plain(reason)}."


def _installation(one: InstallationStanding) -> list[str]:
    lines = [] if one.state == "active" else [f"The App's installation is {one.state}: nothing reaches GitHub."]
    if one.lock_refused or one.plan == "free":
        why = f" ({plain(one.lock_refused)})" if one.lock_refused else ""
        lines.append(
            f"Locks: GitHub offers no organisation rulesets here{why}. Repositories are closed one by one, by rulesets "
            "of their own or, where the plan has none, by the archive."
        )
    else:
        lines.append("Locks: organisation rulesets (strongest).")
    if one.lock_failure:
        lines.append(f"The last change of the locks failed ({plain(one.lock_failure)}) and is repeated.")
    missing = permissions.missing(one.permissions)
    lines.append(
        f"Missing permissions: {', '.join(code(name) for name in missing)}." if missing else "Missing: nothing."
    )
    if one.paused_seconds:
        lines.append(f"GitHub asked for silence: calls go on in {when.lasting(one.paused_seconds)}.")
    lines.append(f"Budget: {one.points} of {BUDGET} points in the last minute.")
    return lines


def _processes(alive: list[ProcessStanding]) -> list[str]:
    """How many processes live, and how far the clocks lie from the database's, which alone decides."""
    skews = skew.by_clock(alive)
    apart = ", ".join(f"{_CLOCKS[name]} within {abs(by).total_seconds():.1f} s" for name, by in skews.items())
    lines = [f"Processes: {len(alive)}." + (f" Clocks, compared with the database's: {apart}." if apart else "")]
    if any(abs(by) > skew.TOLERATED for by in skews.values()):
        lines.append(
            "**A clock is wrong.** Deadlines go by the database's: have the operator set the machines' clocks (NTP)."
        )
    return lines


def _waits(settings: Settings) -> str:
    if settings.task_due is None:
        return "nobody is reminded."
    after = f", the owners told {_span(settings.escalate_after)} later" if settings.escalate_after is not None else ""
    return f"reminded of after {_span(settings.task_due)}{after}."


def _span(span: timedelta | None) -> str:
    return durations.text(Duration(span.days, span.seconds)) if span is not None else "never"


def changed_since(names: Sequence[str]) -> Told:
    """Settings cannot be taken back: they are no longer what the change left."""
    said = dict.fromkeys(_SETTINGS.get(name, name) for name in names)
    return Told(
        "E-UNDO-CHANGED",
        f"What that command set has changed again since: {', '.join(said)}.",
        "`/course status` shows what holds now, `/course set` changes it.",
    )


def another_team(slug: str) -> Told:
    """The team from before was deleted, and its name given to another one."""
    return Told(
        "E-UNDO-CHANGED",
        f"The team {code(slug)} of today is not the one of then, which is gone.",
        "`/course set --staff @org/team` or `--assistants @org/team` names the one you mean.",
    )


def hands_stay_off() -> str:
    """A course is active again whose locks were lifted on the way into shadow mode."""
    return "What the staff had locked or opened by hand before is not so again: `/lock` and `/unlock` say it anew."


def _assistants(after: Settings, organisation: str) -> str:
    if after.assistants_team is None:
        return "There is no team of assistants now: only the staff may extend, lock, unlock and look."
    return f"`@{organisation}/{after.assistants_team}` may extend, lock, unlock and look now."


def _mode(after: Settings, opens: int) -> str:
    if after.mode == "active":
        return (
            "The course is **active**: from now on deadlines lock, checks are shown and reviews are asked for. No "
            "project of it was rehearsed as a whole; the audit says that an owner skipped that."
        )
    lifted = f"its locks are being lifted (closed until now: {opens})" if opens else "its locks are being lifted"
    locks = lifted if after.locks_lifted else "what is locked stays locked"
    return f"The course runs in **shadow mode**: nothing more is written outside this repository; {locks}."

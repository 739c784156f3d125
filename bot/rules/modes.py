"""A course's settings, and when it may go from shadow to active and back (docs/design.md section 8)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

import msgspec

from bot.errors import Told
from bot.model import Project, State
from bot.rules import deadlines

NAMED_AT_MOST = 5
TEAMS = frozenset({"staff_team_id", "staff_team", "assistants_team_id", "assistants_team"})
"""The settings that say who teaches."""
OVER = frozenset({State.GRADED, State.APPROVED, State.RELEASED})


@dataclass(frozen=True, slots=True)
class Settings:
    """What `/course set` changes. A span of None means never; `locks_lifted` is about a course in shadow mode."""

    timezone: str
    mode: str
    staff_team_id: int
    staff_team: str
    assistants_team_id: int | None
    assistants_team: str | None
    task_due: timedelta | None
    escalate_after: timedelta | None
    locks_lifted: bool


def as_data(settings: Settings) -> dict[str, object]:
    """By name, as they can be kept; a setting that comes later is no part of what was kept before."""
    data: dict[str, object] = msgspec.to_builtins(settings)
    return data


def with_data(settings: Settings, some: Mapping[str, object]) -> Settings:
    """The settings with some of them as they were kept."""
    return msgspec.convert(as_data(settings) | dict(some), Settings)


def check_active(projects: Sequence[Project], now: datetime) -> None:
    """Raises Told where a project is between its deadline and graded: it would be closed and reviewed at once."""
    under_way = [
        project
        for project in projects
        if project.state not in OVER and project.state != State.DRAFT and deadlines.has_come(project.deadline_at, now)
    ]
    if under_way:
        named = ", ".join(f"`{project.slug}` (#{project.issue_number})" for project in under_way[:NAMED_AT_MOST])
        raise Told(
            "E-MODE",
            f"The deadline of {named} has passed: its repositories would be closed at this moment.",
            "Move it ahead first (`/deadline WHEN` in that issue), then switch.",
        )


def check_shadow(held: int, *, lift: bool, keep: bool) -> None:
    """Raises Told while locks are held and nobody said what is to become of them."""
    if lift and keep:
        raise Told("E-MODE-LOCKS", "`--lift` and `--keep` exclude each other.", "Write one of them.")
    if held and not (lift or keep):
        raise Told(
            "E-MODE-LOCKS",
            f"{held} repositories of this course are locked, and in shadow mode nothing would open them again.",
            "Write `/course set --mode shadow` with `--lift` to open them now, or with `--keep` to leave them locked.",
        )

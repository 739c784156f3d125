"""A course's settings, and when it may go from shadow to active and back (docs/design.md section 8)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta

import msgspec

from bot.errors import Told
from bot.model import Project, State

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


def check_active(come: Sequence[Project]) -> None:
    """Raises Told where a project is between a deadline that has `come` and graded.

    It would be closed and reviewed at once; a repository's own deadline suffices for that.
    """
    under_way = [project for project in come if project.state not in OVER and project.state != State.DRAFT]
    if under_way:
        named = ", ".join(f"`{project.slug}` (#{project.issue_number})" for project in under_way[:NAMED_AT_MOST])
        raise Told(
            "E-MODE",
            f"A deadline of {named} has passed: repositories would be closed at this moment.",
            "Move it ahead first (`/deadline WHEN` in that issue; `/extend` where one has its own), then switch.",
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

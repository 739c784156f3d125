"""What the mark of a deadline says, and what is said of it."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from bot.text import deadline_commits as text
from tests.rules.enrolled import enrolment

from .facts import DEADLINE, PROJECT, ZONE
from .voice import HOSTILE, check_voice


@pytest.mark.parametrize(
    ("instant", "zone", "said"),
    [
        (DEADLINE, ZONE, "Tue 1 Dec 2026, 23:59:00 Europe/Zurich (+01:00)"),
        (datetime(2026, 6, 30, 22, 0, tzinfo=UTC), ZONE, "Wed 1 Jul 2026, 00:00:00 Europe/Zurich (+02:00)"),
        (DEADLINE, "UTC", "Tue 1 Dec 2026, 22:59:00 UTC (+00:00)"),
        (DEADLINE, "America/St_Johns", "Tue 1 Dec 2026, 19:29:00 America/St_Johns (-03:30)"),
    ],
)
def test_the_message_names_the_project_and_its_deadline_in_the_courses_zone_with_the_offset(
    instant: datetime, zone: str, said: str
) -> None:
    assert text.message("lab1", instant, zone) == f"Deadline of lab1: {said}"


def test_the_strategy_is_said_where_it_is_not_a_lock() -> None:
    assert text.strategy(PROJECT) == []
    (said,) = text.strategy(replace(PROJECT, strategy="commit", branches=["main", "dev"]))
    assert "an empty commit on `main`, `dev`" in said
    check_voice(said)


def test_what_is_not_marked_is_named_with_githubs_reason_and_what_is_missing_with_its_branch() -> None:
    rows = [
        enrolment(1, "lab1-amy", deadline_commit_waits=True, deadline_commit_refused="main: no"),
        enrolment(2, "lab1-bo", deadline_committed_at=DEADLINE, deadline_commit_missing=["dev"]),
        enrolment(3, "lab1-cy"),
    ]

    assert text.standing(rows) == [
        "No deadline commit yet: `lab1-amy`.",
        "GitHub refused the deadline commit and is asked again: `lab1-amy` (main: no).",
        "There was no such branch for the deadline commit: `lab1-bo` (`dev`).",
    ]
    assert text.standing(rows[2:]) == []
    assert [text.of_row(row, ZONE) for row in rows] == [
        "no deadline commit yet",
        "deadline commit Tue 1 Dec 23:59:00",
        "",
    ]


def test_of_many_only_some_are_named() -> None:
    rows = [enrolment(number, f"lab1-{number}", deadline_commit_waits=True) for number in range(8)]

    assert text.standing(rows)[0].endswith("`lab1-4` and 3 more.")


def test_neither_github_nor_a_branch_can_forge_or_ping() -> None:
    rows = [
        enrolment(
            1,
            "lab1-amy",
            deadline_commit_waits=True,
            deadline_commit_refused=HOSTILE,
            deadline_commit_missing=[HOSTILE],
        )
    ]

    for line in text.standing(rows):
        check_voice(line)

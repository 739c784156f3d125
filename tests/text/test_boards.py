"""What a control issue says stays true while nothing changes, fits, and pings nobody."""

from datetime import UTC, datetime, timedelta
from typing import Any

from bot.model import Enrolment, Project
from bot.text.boards import Board, words

DEADLINE = datetime(2026, 12, 1, 22, 59, tzinfo=UTC)


def project(state: str = "open", opens_at: datetime | None = None) -> Project:
    return Project(
        account_id=5,
        id=1,
        course_id=1,
        issue_number=1,
        slug="lab1",
        state=state,
        deadline_at=DEADLINE,
        deadline_wall="2026-12-01T23:59:00",
        deadline_zone="Europe/Zurich",
        opens_at=opens_at,
        grace_seconds=1800,
        strategy="lock",
        branches=[],
        repository_glob="lab1-*",
        grading="auto",
        workflow="grading.yml",
        deadline_applied_at=None,
    )


def enrolment(number: int, frozen_at: datetime | None = None) -> Enrolment:
    values: dict[str, Any] = dict.fromkeys(Enrolment.__slots__) | {
        "repository_id": number,
        "name": f"lab1-{number}",
        "students": ["amy"],
        "effective_at": DEADLINE,
        "frozen_at": frozen_at,
    }
    return Enrolment(**values)


def board(count: int = 4, received: int = 1, state: str = "open", frozen: int = 0, mode: str = "active") -> Board:
    rows = [enrolment(number, DEADLINE if number < frozen else None) for number in range(count)]
    return Board(project(state), "Europe/Zurich", mode, rows, received, [])


def test_it_says_the_dates_in_the_zone_and_in_utc_and_nothing_that_passes() -> None:
    said = words(board(), 60_000)

    assert "Deadline: **Tue 1 Dec 2026, 23:59:00 Europe/Zurich** (22:59:00 UTC)" in said
    assert "Settled after a grace of 30 min: **Wed 2 Dec 2026, 00:29:00 Europe/Zurich**" in said
    assert " ago" not in said
    assert " in 1" not in said


def test_the_bar_shows_what_came_in_and_after_the_deadline_what_is_settled() -> None:
    assert "`█████░░░░░░░░░░░░░░░` 1 of 4 repositories with a commit received in time" in words(board(), 60_000)
    assert f"`{'█' * 20}` 4 of 4 repositories settled" in words(board(state="closed", frozen=4), 60_000)
    assert f"`{'░' * 20}` 0 of 0" in words(board(count=0, received=0), 60_000)


def test_a_draft_says_how_it_opens() -> None:
    assert "It opens by `/publish`" in words(board(state="draft"), 60_000)
    opening = Board(project("draft", DEADLINE - timedelta(days=1)), "Europe/Zurich", "active", [], 0, [])
    assert "It opens by itself **Mon 30 Nov 2026" in words(opening, 60_000)


def test_an_empty_draft_says_what_it_waits_for() -> None:
    assert "It opens by `/publish`, once a repository is enrolled;" in words(board(count=0, state="draft"), 60_000)
    assert "once a repository" not in words(board(state="draft"), 60_000)


def test_a_thousand_repositories_fit() -> None:
    said = words(board(count=1_000), 60_000)

    assert len(said) <= 60_000
    assert said.count("<details>") == said.count("</details>") == 1


def test_nobody_is_called() -> None:
    assert "@" not in words(board(), 60_000)

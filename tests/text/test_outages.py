"""What the staff reads of an outage of ours: when, who, what was found, and a line to give the time back."""

from datetime import UTC, datetime
from typing import Any

import pytest

from bot.text import outages

from .voice import check_voice

ZONE = "Europe/Zurich"
SINCE, UNTIL = datetime(2026, 12, 1, 22, 30, tzinfo=UTC), datetime(2026, 12, 1, 23, 10, tzinfo=UTC)


def said(**known: Any) -> str:
    detail = {
        "since": SINCE.isoformat(),
        "until": UNTIL.isoformat(),
        "part": "intake and work",
        "repositories": 23,
        "inside": True,
        "names": ["lab1-a", "lab1-b"],
        "found": 41,
        "in_time": 38,
        "recovered": True,
        "seconds": 2700,
        "waiting": 2,
        "to": ["lab1-a", "lab1-b"],
        "at": None,
    }
    text = outages.sentence(detail | known, "lab1", ZONE)
    check_voice(text)
    return text


def test_it_says_when_whom_what_was_found_and_how_to_give_the_time_back() -> None:
    assert said() == (
        "This service was down from **Tue 1 Dec 2026, 23:30:00 Europe/Zurich** (22:30:00 UTC) to "
        "**Wed 2 Dec 2026, 00:10:00 Europe/Zurich** (Tue 1 Dec 2026, 23:10:00 UTC); "
        "23 repositories of lab1 had their deadline in that time. "
        "41 pushes were found afterwards in GitHub's records, each with GitHub's own time, 38 of them in time. "
        "If you want to give the time back: `/extend lab1-a lab1-b +45m`"
    )


@pytest.mark.parametrize(
    ("known", "words"),
    [
        ({"part": "intake"}, "The part of this service that hears of pushes was down from"),
        ({"part": "work"}, "Pushes were heard of all the while; locks, checks and reviews came late."),
        ({"recovered": False, "found": None}, "is being fetched from GitHub's records, and nothing is settled before."),
        ({"found": 0, "in_time": 0}, "GitHub's records show no push of that time that was missed."),
        (
            {"found": 1, "in_time": 1},
            "1 push was found afterwards in GitHub's records, with GitHub's own time, 1 of it",
        ),
        ({"repositories": 1}, "1 repository of lab1 had its deadline in that time."),
        ({"inside": False}, "had their deadline or grace in that time, or within the hour after it."),
        ({"to": ["all"], "waiting": 96}, "`/extend all +45m`"),
        ({"waiting": 60}, "`/extend lab1-a lab1-b +45m` (and 58 more, which stand here once these are done)"),
        ({"waiting": 0, "to": None}, "Nobody has the deadline of then any more."),
        ({"seconds": 4500}, "+1h15m`"),
        (
            {"at": "2026-12-02T22:59:00+00:00"},
            "over too, so this is a later one: `/extend lab1-a lab1-b 2026-12-02 23:59:00`",
        ),
        # The night in which the clocks go back: 02:30 comes twice.
        ({"at": "2026-10-25T01:30:00+00:00"}, "`/extend lab1-a lab1-b 2026-10-25T01:30:00Z`"),
    ],
)
def test_it_says_what_is_the_case(known: dict[str, Any], words: str) -> None:
    assert words in said(**known)


@pytest.mark.parametrize(
    ("recovered", "words"), [(True, "what was missed has been fetched"), (False, "what was missed is being fetched")]
)
def test_the_status_says_of_the_latest_in_one_line_whether_it_is_over(recovered: bool, words: str) -> None:
    text = outages.latest("work", SINCE, UNTIL, recovered=recovered, zone=ZONE)

    check_voice(text)
    assert "\n" not in text
    assert words in text

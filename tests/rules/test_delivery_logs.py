"""Attempts of GitHub's log become deliveries, in the order in which they are recovered."""

import random
from datetime import UTC, datetime, timedelta

from bot.rules.delivery_logs import Attempt, Logged, deliveries

NOON = datetime(2026, 12, 1, 12, tzinfo=UTC)
MINUTE = timedelta(minutes=1)


def attempt(number: int, guid: str, minutes: int, event: str = "push") -> Attempt:
    """One line of the log."""
    return Attempt(number, guid, event, NOON + minutes * MINUTE)


def test_the_first_of_all_attempts_dates_a_delivery_and_the_newest_is_the_one_to_fetch() -> None:
    log = [attempt(7, "a", 50), attempt(5, "a", 20), attempt(6, "a", 0)]

    assert deliveries(log) == [Logged("a", "push", NOON, 7)]


def test_of_attempts_in_one_second_the_one_with_the_highest_number_is_the_newest() -> None:
    assert [one.attempt_id for one in deliveries([attempt(5, "a", 0), attempt(6, "a", 0)])] == [6]


def test_pushes_come_before_the_rest_and_the_oldest_before_the_newer() -> None:
    log = [
        attempt(1, "run", 0, "workflow_run"),
        attempt(2, "late", 9),
        attempt(3, "early", 2),
        attempt(4, "comment", 1, "issue_comment"),
        # Tried again after the other push: it is older all the same.
        attempt(5, "early", 30),
    ]
    random.Random(1).shuffle(log)

    assert [one.guid for one in deliveries(log)] == ["early", "late", "run", "comment"]


def test_an_empty_log_has_no_deliveries() -> None:
    assert deliveries([]) == []

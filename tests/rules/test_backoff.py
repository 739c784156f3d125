"""When work that could not be finished is tried again."""

from itertools import pairwise

from bot.rules.backoff import LONGEST_SECONDS, MOST_ATTEMPTS, next_try_seconds


def test_each_wait_is_twice_the_last_up_to_five_minutes_and_then_it_is_given_up() -> None:
    waits = [next_try_seconds(attempts) for attempts in range(MOST_ATTEMPTS + 2)]

    assert waits[:9] == [2, 4, 8, 16, 32, 64, 128, 256, 300]
    assert set(waits[8:MOST_ATTEMPTS]) == {LONGEST_SECONDS}
    assert waits[MOST_ATTEMPTS:] == [None, None]


def test_it_is_tried_for_about_half_an_hour() -> None:
    waits = [next_try_seconds(attempts) or 0 for attempts in range(MOST_ATTEMPTS)]

    assert 25 * 60 < sum(waits) < 35 * 60
    assert all(first <= second for first, second in pairwise(waits))

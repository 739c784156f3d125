"""Did you mean."""

import pytest

from bot.slash.parse.nearest import suggest

COMMANDS = ("course", "project", "publish", "deadline", "extend", "status", "help", "lock", "unlock")


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("extnd", "extend"),
        ("exnted", "extend"),
        ("dedline", "deadline"),
        ("lokc", "lock"),
        ("unlok", "unlock"),
        ("stauts", "status"),
        ("extend", "extend"),
    ],
)
def test_a_slip_or_two_is_recognised(name: str, expected: str) -> None:
    assert suggest(name, COMMANDS) == expected


@pytest.mark.parametrize("name", ["home", "tmp", "usr", "me", "shrug", "x", "", "a" * 200])
def test_another_word_is_left_alone(name: str) -> None:
    assert suggest(name, COMMANDS) is None


def test_the_nearest_is_named() -> None:
    assert suggest("lock", ("unlock", "lock")) == "lock"

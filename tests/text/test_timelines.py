"""A diagram that no word of people's can break."""

import re
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.text.timelines import Mark, drawable, timeline

from .facts import DEADLINE, ZONE

# What Mermaid's timelines are made of: an event and its time on one line, below a section.
LINE = re.compile(r"        [^:#;<>%{}\"`@\\]+ : [^:#;<>%{}\"`@\\]+")
NASTY = [
    "`x`|y",
    "@org/team",
    'a"b',
    "a : b",
    "a;b#35;c",
    "%%{init: {}}%%",
    "<!-- pencils-down:reply:1 -->",
    "<b>x</b>\n    section forged",
    "emoji😀and\u202emore",
    "```",
]


def drawn(text: str) -> list[str]:
    """The lines of a diagram in which a branch has this name."""
    mark = Mark(DEADLINE - timedelta(minutes=1), f"{drawable(text)} on time")
    return timeline([text, "lab1"], [mark], DEADLINE, ZONE).split("\n")


def test_pushes_stand_before_or_after_the_deadline_in_their_order() -> None:
    marks = [
        Mark(DEADLINE - timedelta(seconds=10), "one"),
        Mark(DEADLINE, "two"),
        Mark(DEADLINE + timedelta(1), "three"),
    ]

    assert timeline(["lab1-amy", "lab1", ZONE], marks, DEADLINE, ZONE).split("\n") == [
        "```mermaid",
        "timeline",
        "    title lab1-amy, lab1, Europe/Zurich",
        "    section Up to the deadline",
        "        Tue 1 Dec 23.58.50 : one",
        "        Tue 1 Dec 23.59.00 : two",
        "        Tue 1 Dec 23.59.00 : the deadline",
        "    section After the deadline",
        "        Wed 2 Dec 23.59.00 : three",
        "```",
    ]


@pytest.mark.parametrize("text", NASTY)
def test_no_name_breaks_the_diagram(text: str) -> None:
    assert_whole(drawn(text))


@given(st.text(max_size=80))
def test_nothing_whatsoever_breaks_the_diagram(text: str) -> None:
    assert_whole(drawn(text))


def assert_whole(lines: list[str]) -> None:
    """Assert that the diagram has its seven lines, of which those in the middle are times with events."""
    assert len(lines) == 7
    assert (lines[0], lines[1], lines[-1]) == ("```mermaid", "timeline", "```")
    assert not re.search(r"[:#;<>%{}\"`@\\]", lines[2])
    assert all(LINE.fullmatch(line) for line in lines[4:6])


def test_a_plain_name_is_drawn_as_it_is() -> None:
    for name in ("feature/login-page_2", "github-actions[bot]", "größe"):
        assert drawable(name) == name


def test_the_hour_that_comes_twice_says_which_one_it_is() -> None:
    second = datetime(2026, 10, 25, 1, 30, tzinfo=UTC)

    text = timeline(["lab1"], [Mark(second, "x")], DEADLINE, ZONE)

    assert "Sun 25 Oct 02.30.00 (01.30.00 UTC) : x" in text

"""A run's points from its annotations (docs/design.md section 4)."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.rules.scores import Note, Score, read_score


def grade(message: str, title: str = "GRADE", level: str = "notice") -> Note:
    """An annotation of the grading workflow."""
    return Note(title, level, message)


@pytest.mark.parametrize(
    ("message", "points", "most"),
    [
        ("4/6", "4", "6"),
        ("4.5/6", "4.5", "6"),
        ("0/6", "0", "6"),
        ("6/6", "6", "6"),
        (" 4.50 / 6.0 ", "4.50", "6.0"),
        ("0.000001/1", "0.000001", "1"),
        ("999999999/999999999", "999999999", "999999999"),
    ],
)
def test_points_and_their_maximum_are_read(message: str, points: str, most: str) -> None:
    assert read_score([grade(message)]) == Score("ok", Decimal(points), Decimal(most))


@pytest.mark.parametrize(
    "message",
    [
        *("", "4", "4/", "/6", "4/6/8", "four/six", "4 of 6", "4,5/6", "+4/6", "4/-6", ".5/6", "4./6", "1e1/20"),
        *("٤/٦", "４/６", "4∕6", "nan/6", "inf/6", "4/6 points", "1234567890/1234567890", "4.1234567/6"),
        *("7/6", "6.000001/6", "0/0", "4/0", "-1/0"),
    ],
)
def test_anything_else_is_malformed_and_its_text_is_kept(message: str) -> None:
    assert read_score([grade(message)]) == Score("malformed", detail=message)


@pytest.mark.parametrize("message", ["-1/6", "-0.5/6"])
def test_points_below_zero_count_as_none_and_are_noted(message: str) -> None:
    assert read_score([grade(message)]) == Score("ok", Decimal(0), Decimal(6), "below zero, counted as 0")


def test_two_annotations_void_the_score_even_equal_ones() -> None:
    assert read_score([grade("4/6"), grade("4/6")]) == Score("multiple", detail="4/6 | 4/6")
    assert read_score([grade("4/6"), grade("nonsense")]).status == "multiple"


@pytest.mark.parametrize(
    "note",
    [
        grade("4/6", level="warning"),
        grade("4/6", level="failure"),
        grade("4/6", title="grade"),
        grade("4/6", title="GRADE "),
        grade("4/6", title="TESTS"),
        grade("4/6", title=""),
    ],
)
def test_other_titles_and_levels_are_no_score_and_do_not_void_one(note: Note) -> None:
    assert read_score([note]) == Score("none")
    assert read_score([note, grade("4/6")]).status == "ok"


def test_a_run_without_annotations_has_no_score() -> None:
    assert read_score([]) == Score("none")


def test_a_long_text_is_kept_in_part() -> None:
    assert len(read_score([grade("x" * 10_000)]).detail or "") == 500


@given(st.lists(st.builds(Note, st.sampled_from(["GRADE", "x"]), st.sampled_from(["notice", "x"]), st.text())))
def test_whatever_a_workflow_writes_is_read_without_a_fault(notes: list[Note]) -> None:
    score = read_score(notes)

    assert (score.points is not None) == (score.status == "ok")
    if score.points is not None and score.max_points is not None:
        assert 0 <= score.points <= score.max_points

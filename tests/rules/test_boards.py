"""The bot's part of an issue: found where it is, and nobody else's words are touched."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.rules.boards import BEGIN, END, LEAST_ROOM, LIMIT, put, room

PART = f"{BEGIN}\nnew\n{END}"
OLD = f"{BEGIN}\nold\n{END}"


@pytest.mark.parametrize(
    ("body", "becomes"),
    [
        ("", PART),
        (" \n", PART),
        ("Write a parser.", f"Write a parser.\n\n{PART}"),
        (f"Before\n{OLD}\nAfter", f"Before\n{PART}\nAfter"),
        (f"Before\r\n{OLD.replace(chr(10), chr(13) + chr(10))}\r\nAfter\r\n", f"Before\r\n{PART}\nAfter\r\n"),
        (f"{BEGIN}\n{END}", PART),
    ],
    ids=["empty", "blank", "a teacher's words", "both sides", "edited on the web", "emptied inside"],
)
def test_the_part_is_replaced_or_begun_below_what_is_there(body: str, becomes: str) -> None:
    assert put(body, "new") == becomes


@pytest.mark.parametrize(
    ("body", "becomes"),
    [
        (f"The marker `{BEGIN}` begins it, {END} ends it.", None),
        (f"{BEGIN}\nwords of a teacher", None),
        (f"words of a teacher\n{END}", None),
        (f"{END}\nwords\n{BEGIN}", None),
        (f"{BEGIN}\nwords of a teacher\n{OLD}", f"{BEGIN}\nwords of a teacher\n{PART}"),
        (f"{OLD}\nwords\n{END}", f"{PART}\nwords\n{END}"),
        (f"{OLD}\na copy by a teacher:\n{OLD}", f"{OLD}\na copy by a teacher:\n{PART}"),
    ],
    ids=["in a sentence", "no end", "no begin", "the wrong way round", "a begin too many", "an end too many", "a copy"],
)
def test_markers_that_people_typed_swallow_nothing(body: str, becomes: str | None) -> None:
    assert put(body, "new") == (becomes or f"{body}\n\n{PART}")


LINES = st.lists(st.sampled_from([BEGIN, END, "words", "", f"see {BEGIN}"]), max_size=8).map("\n".join)


@given(LINES)
def test_writing_again_replaces_just_what_was_written_before(body: str) -> None:
    once = put(body, "new")

    assert put(once, "new") == once
    assert put(once, "newer") == put(body, "newer")


def test_what_is_written_fits_beside_what_people_wrote() -> None:
    body = "x" * 60_000
    assert len(put(body, "y" * room(body))) <= LIMIT
    assert len(put(put(body, "old"), "y" * room(put(body, "old")))) <= LIMIT


def test_where_people_left_no_room_nothing_is_tried() -> None:
    assert room("x" * (LIMIT - LEAST_ROOM)) == 0
    assert room("x" * (LIMIT + 1)) == 0

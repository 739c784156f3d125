"""The words of a command line."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.slash.parse.tokens import Word, words


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("/extend @amy +2d", [Word("/extend"), Word("@amy"), Word("+2d")]),
        ("  a \t b ", [Word("a"), Word("b")]),
        ("don't say can't", [Word("don't"), Word("say"), Word("can't")]),
        ('a "b c" d', [Word("a"), Word("b c", True), Word("d")]),
        ("a 'b c' d", [Word("a"), Word("b c", True), Word("d")]),
        ("'we don't know' d", [Word("we don't know", True), Word("d")]),
        ("a “b c” d", [Word("a"), Word("b c", True), Word("d")]),
        ("a „b c“ d", [Word("a"), Word("b c", True), Word("d")]),
        ("a «b c» d", [Word("a"), Word("b c", True), Word("d")]),
        ("a ‘b c’ d", [Word("a"), Word("b c", True), Word("d")]),
        ('a “b c" d', [Word("a"), Word("b c", True), Word("d")]),
        ("--repos `lab1-*`", [Word("--repos"), Word("lab1-*", True)]),
        ('""', [Word("", True)]),
        ('"open end', [Word('"open'), Word("end")]),
        ('"a "b c" d', [Word('"a'), Word("b c", True), Word("d")]),
        ('"a"b c" d', [Word('a"b c', True), Word("d")]),
        ('5" wide', [Word('5"'), Word("wide")]),
        ('--reason="ill, seen" x', [Word("--reason"), Word("ill, seen", True), Word("x")]),
        ("--grace=30m", [Word("--grace=30m")]),
        ('--reason="open', [Word('--reason="open')]),
        ("—reason ill", [Word("--reason"), Word("ill")]),
        ("–grace=30m", [Word("--grace=30m")]),
        ("—reason=“ill, seen”", [Word("--reason"), Word("ill, seen", True)]),
        ("a — b", [Word("a"), Word("—"), Word("b")]),
        ("-48h —2d", [Word("-48h"), Word("—2d")]),
        ('"—reason"', [Word("—reason", True)]),
        ("", []),
    ],
)
def test_words_are_split_as_a_person_reads_them(line: str, expected: list[Word]) -> None:
    assert words(line) == expected


@settings(deadline=None)
@given(st.lists(st.from_regex(r"\A[a-z0-9@*+:'-]{1,8}\Z").filter(lambda word: word[0] != "'"), max_size=6))
def test_words_without_quotes_come_back_as_they_are(typed: list[str]) -> None:
    assert [word.text for word in words(" ".join(typed))] == typed


@settings(deadline=None)
@given(st.text(max_size=60))
def test_no_line_loses_a_word(line: str) -> None:
    assert bool(words(line)) == bool(line.strip())


@pytest.mark.parametrize("piece", ['"a ', "'a ", "`a ", '"a"', "\"a 'a ", '--a="b '])
def test_quotes_that_are_never_closed_are_words(piece: str) -> None:
    # GitHub's longest comment: were each quote looked for to the end, this would take a quarter of a minute.
    line = piece * (65_000 // len(piece))

    assert not any(word.quoted for word in words(line + "x"))

"""Which lines of a comment are commands."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.slash.parse.lines import Line, commands


def names(body: str) -> list[str]:
    return [line.name for line in commands(body)]


def test_each_line_of_a_plain_paragraph_that_begins_with_a_slash_is_a_command() -> None:
    body = "Dear all,\n/lock @amy\nand then\n/extend @bo +2d --reason don't worry\n\nBest\n"

    assert commands(body) == [
        Line(2, "/lock @amy", "lock"),
        Line(4, "/extend @bo +2d --reason don't worry", "extend"),
    ]


def test_the_line_is_what_was_typed_whatever_markdown_makes_of_it() -> None:
    body = "/project create lab_1_x --repos lab1-*,lab2-* --workflow `.github/x.yml` <b> &amp; [a](b)"

    assert commands(body) == [Line(1, body, "project")]


@pytest.mark.parametrize(
    "body",
    [
        "```\n/close\n```",
        "~~~text\n/close\n~~~",
        "```\n/close",
        "    /close",
        "\t/close",
        "text `code\n/close\nmore`",
        "`/close`",
        "> /close",
        "> quoted\n/close",
        "- /close",
        "- item\n  /close",
        "- item\n/close",
        "1. /close",
        "# /close",
        "/close\n====",
        "/close\n---",
        "<!-- a\n/close\n-->",
        "<!--\n\n/close\n\n-->",
        "text <!-- a\n/close\n-->",
        "<details>\n/close\n</details>",
        "<details>\n<summary>old</summary>\n\n/close\n\n</details>",
        "<DETAILS open>\n\n/close\n\n</DETAILS>",
        "see <details>\n\n/close",
        "</details>\n\n<details>\n\n/close\n\n</details>",
        "<pre>\n/close\n\n/close\n</pre>",
        "<div>\n/close\n</div>",
        "[link\n/close\nend](https://example.org)",
        "[link](\n/close\n)",
        "![image\n/close\nend](https://example.org)",
        "[reference]:\n/close",
        "/close | x\n--- | ---\na | b",
        "say /close",
        " text\n\n     /close",
        "/home/user",
        "/",
        "//close",
        "/ close",
        "/close.",
        "/2",
        "\\/close",
        "",
    ],
)
def test_what_a_reader_does_not_see_as_a_plain_line_is_no_command(body: str) -> None:
    assert names(body) == []


@pytest.mark.parametrize(
    "body",
    [
        "/close",
        "  /close  ",
        "text\n/close",
        "/close\n\n---\nJohn",
        "> quoted\n\n/close",
        "- item\n\n/close",
        "```\ncode\n```\n/close",
        "<!-- note -->\n\n/close",
        "<!-- <details> -->\n\n/close",
        "<details>\n\nold\n\n</details>\n\n/close",
        "</details>\n\n/close",
        "<img src=x>\n\n/close",
        "`a`\n/close\n`b`",
        "text\r\n/close\r\n",
        "text\r/close",
        "/Close",
        "\ue0000\ue001\n/close",
        "<name>\n\n/close",
    ],
)
def test_a_plain_line_stays_a_command_beside_everything_else(body: str) -> None:
    assert names(body) == ["close"]


def test_numbers_count_the_lines_of_the_comment_as_it_was_typed() -> None:
    assert [line.number for line in commands("a\r\n\r\n```\r\n/x\r\n```\r\n/close\r\n/lock a\r\n")] == [6, 7]


@settings(deadline=None)
@given(st.text(alphabet="/close \n`>-<!*[]()#~\t\r", max_size=60))
def test_any_comment_can_be_read(body: str) -> None:
    count = len(body.replace("\r\n", "\n").replace("\r", "\n").split("\n"))

    assert all(1 <= line.number <= count and line.text.startswith("/") for line in commands(body))

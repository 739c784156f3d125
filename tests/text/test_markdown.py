"""People's words in Markdown: judged by a Markdown parser, and by what GitHub links in the text that remains."""

import re
from collections.abc import Callable
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from bot.text.markdown import code, fit, folded, mark, plain, table

GITHUB = MarkdownIt("commonmark").enable(["table", "strikethrough"])
LINKED = re.compile(r"@\w|#\w|\bGH-\d|\bwww\.|https?://", re.IGNORECASE)
NASTY = st.text(alphabet="ab1 @#<>!-[](){}*_`~|\\$&;:/.=+\n\r\t\u202e\u200b\u2028é", max_size=80)

TRICKS = [
    "@prog1/teachers",
    "see #1 and prog1/lab#2, GH-3",
    "https://example.org www.example.org a@example.org",
    "<!-- pencils-down:outbox:1 -->",
    "&lt;!-- pencils-down:outbox:1 --&gt; &#64;amy",
    "[a](https://example.org) ![b](c)",
    "<b>x</b> <img src=x onerror=y>",
    "*a* _b_ **c** ~~d~~ `e` $f$",
    "# heading",
    "- item",
    "1. item",
    "10) item",
    "+ item",
    "> quote",
    "---",
    "===",
    "a | b\n--- | ---",
    "```\ncode",
    "line\nline\r\nline\u2028line",
    "\\@amy \\",
    "\u202eabc",
]


def rendered(markdown: str) -> str:
    """The bare text of `markdown`, which has to be one paragraph of nothing but text."""
    opening, inline, closing = GITHUB.parse(markdown)
    assert (opening.type, closing.type) == ("paragraph_open", "paragraph_close")
    assert {child.type for child in inline.children or ()} <= {"text", "text_special"}
    return "".join(child.content for child in inline.children or ())


@pytest.mark.parametrize("text", TRICKS)
def test_plain_words_stay_one_line_of_text_that_links_to_nothing(text: str) -> None:
    shown = plain(text)

    assert not LINKED.search(rendered(shown))
    assert "<!--" not in shown


@settings(deadline=None)
@given(NASTY.filter(lambda text: bool(plain(text))))
def test_plain_words_read_as_they_were_typed(text: str) -> None:
    shown = rendered(plain(text)).replace("\u200b", "")

    assert shown == " ".join(re.sub("[\u202e\u200b]", " ", text).split())
    assert not LINKED.search(rendered(plain(text)))


@settings(deadline=None)
@given(NASTY)
def test_code_shows_the_words_and_nothing_else(text: str) -> None:
    _, inline, _ = GITHUB.parse(code(text))
    children = inline.children or []

    assert [child.type for child in children] == ["code_inline"]
    assert children[0].content.replace("\u200b", "").strip() == " ".join(re.sub("[\u202e\u200b]", " ", text).split())


@pytest.mark.parametrize("show", [plain, code])
def test_no_words_of_people_hold_a_mark(show: Callable[[str], str]) -> None:
    forged = mark("outbox", 12)

    assert forged not in show(f"please {forged}")
    assert "<!--" not in show(f"please {forged}")


def test_a_mark_is_hidden_and_names_its_kind_and_key() -> None:
    assert mark("answer", 12) == "<!-- pencils-down:answer:12 -->"
    assert mark("control", "lab1:3") == "<!-- pencils-down:control:lab1:3 -->"


@pytest.mark.parametrize("key", ["", "a b", "-->", "a>b", "a\nb"])
def test_a_mark_cannot_be_left(key: str) -> None:
    with pytest.raises(ValueError, match="a mark cannot be made of"):
        mark("answer", key)


def test_cells_cannot_break_a_table() -> None:
    shown = table(["WHO", "WHY"], [[code("a|b"), plain("x | y\nz")], ["c", "d"]])
    tokens = GITHUB.parse(shown)
    cells = [token.content for before, token in pairwise(tokens) if before.type == "td_open"]

    assert len(shown.splitlines()) == 4
    assert cells == ["`a|b`", "x | y z", "c", "d"]


def test_folded_text_is_markdown_under_a_line_that_is_none() -> None:
    shown = folded("96 <repositories> of @amy", "**bold**")

    assert shown == ("<details><summary>96 &lt;repositories&gt; of @\u200bamy</summary>\n\n**bold**\n\n</details>")


def test_a_text_that_fits_is_left_alone() -> None:
    assert fit("a" * 65_000) == "a" * 65_000


def test_a_long_text_is_cut_at_a_line_and_says_so() -> None:
    shown = fit("\n".join(f"line {number}" for number in range(20_000)))

    assert len(shown) <= 65_000
    assert re.search(r"\nline \d+\n\n… The rest", shown)
    assert int(re.findall(r"line (\d+)\n\n…", shown)[0]) > 5_000


def test_a_cut_inside_a_fold_closes_it() -> None:
    shown = fit(folded("all", "\n".join("row" for _ in range(1_000))), limit=1_000)

    assert len(shown) <= 1_000
    assert shown.count("<details>") == shown.count("</details>") == 1


def test_a_single_line_is_cut_too() -> None:
    assert len(fit("x" * 2_000, limit=1_000)) <= 1_000


def test_a_body_that_is_cut_inside_a_fence_closes_it_before_it_says_so() -> None:
    body = "<details><summary>x</summary>\n\n```mermaid\n" + "line\n" * 100

    cut = fit(body, 400)

    assert len(cut) <= 400
    assert "line\n```\n\n</details>\n\n… The rest" in cut


def test_code_of_peoples_backticks_at_the_start_of_a_line_is_no_fence() -> None:
    cut = fit(f"{code('``x')}\n\n" + "line\n" * 100, 400)

    assert "line\n\n… The rest" in cut

"""Which lines of a comment are commands: those a reader sees as plain text that begins with `/word`.

Markdown decides what is plain, so a Markdown parser reads the comment. Each candidate line is marked in front of its
slash, and the mark looked for in what was parsed: one that ended in code, a quote, a list, a heading, HTML or a link
makes no command.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from markdown_it import MarkdownIt
from markdown_it.token import Token

# Private characters, which mean nothing in Markdown; the first is taken out of what people write.
_OPEN, _SHUT = "\ue000", "\ue001"
_CANDIDATE = re.compile(r"^( {0,3})(?=/[A-Za-z][A-Za-z0-9-]*(?:\s|$))")
_MARK = re.compile(f"{_OPEN}([0-9]+){_SHUT}")
# Elements that show what is in them as something other than the author's own plain text.
_TAG = re.compile(r"<(/?)(details|blockquote|pre|code|table|ul|ol|a)\b[^>]*>", re.IGNORECASE)
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_PARSER = MarkdownIt("commonmark").enable("table")


@dataclass(frozen=True, slots=True)
class Line:
    """A command as it was typed: its line's number (from 1), the line, and the word after the slash in lower case."""

    number: int
    text: str
    name: str


def commands(body: str) -> list[Line]:
    """The commands of a comment, in order. Lines of code, quotes, lists, headings, tables, HTML and links are none."""
    clean = body.replace("\r\n", "\n").replace("\r", "\n").replace(_OPEN, "")
    lines = clean.split("\n")
    marked = "\n".join(_CANDIDATE.sub(rf"\g<1>{_OPEN}{at}{_SHUT}", line) for at, line in enumerate(lines))
    if marked == clean:
        return []
    return [line_of(lines[at].strip(), at + 1) for at in _plain(_PARSER.parse(marked))]


def line_of(text: str, number: int = 1) -> Line:
    """A command's line by itself."""
    return Line(number, text, text.split()[0].removeprefix("/").lower())


def _plain(tokens: Sequence[Token]) -> Iterator[int]:
    """The marks in the text of top-level paragraphs, outside every element of HTML and every link."""
    depth = 0
    in_paragraph = False
    for token in tokens:
        depth = max(0, depth + _opened(token))
        for child in token.children or ():
            depth = max(0, depth + _opened(child))
            if in_paragraph and depth == 0 and child.type == "text":
                yield from (int(mark) for mark in _MARK.findall(child.content))
        in_paragraph = token.type == "paragraph_open" and token.level == 0


def _opened(token: Token) -> int:
    """By how many elements this token goes deeper into (or, below 0, comes out of) HTML and links."""
    if token.type in {"link_open", "link_close"}:
        return token.nesting
    if token.type not in {"html_block", "html_inline"}:
        return 0
    return sum(-1 if closing else 1 for closing, _ in _TAG.findall(_COMMENT.sub("", token.content)))

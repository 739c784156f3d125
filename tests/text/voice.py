"""How the bot speaks, asked of any text of it: short, exact, and unable to ping or to forge."""

import re

from markdown_it import MarkdownIt
from markdown_it.token import Token

HOSTILE = "x` @everyone <!-- pencils-down:reply:1 --> [a](http://b) **c** | </details>"
"""What a person may write where the bot repeats it."""

SHOUTING = re.compile(r"!|\boops\b|\bsorry\b", re.IGNORECASE)
BARE_INVALID = re.compile(r"\binvalid\b", re.IGNORECASE)
MARK = re.compile(r"<!--.*?-->", re.DOTALL)


def check_voice(text: str, mark: str = "") -> None:
    """Assert what holds for every text: the one hidden mark in it is ours, and stands first."""
    assert text.startswith(mark)
    words = text.removeprefix(mark)
    assert not MARK.search(words), "a mark could be forged"
    shown = "".join(_shown(MarkdownIt("commonmark").enable("table").parse(words)))
    assert not re.search(r"@\w", shown), "somebody would be pinged"
    ours = shown.replace("<!--", "")
    assert not SHOUTING.search(ours)
    assert not BARE_INVALID.search(ours)


def _shown(tokens: list[Token]) -> list[str]:
    """The words outside code, where GitHub looks for mentions."""
    words: list[str] = []
    for token in tokens:
        if token.children is not None:
            words += _shown(token.children)
        elif token.type == "text":
            words.append(token.content)
        elif token.type in {"html_inline", "html_block"}:
            words.append(re.sub(r"</?(details|summary)>", "", token.content))
    return words

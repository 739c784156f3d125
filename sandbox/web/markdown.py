"""Comments as GitHub shows them, as far as the bot's words need it: safe Markdown."""

import html
import re
from collections.abc import Sequence
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup

# Hidden marks are not shown, these tags fold and break as they do on GitHub; every other tag is shown as it was typed.
HIDDEN_OR_HARMLESS = re.compile(r"(<!--.*?-->)|(</?(?:details|summary)>|<br ?/?>)", re.DOTALL)


def rendered(text: str) -> Markup:
    """HTML that holds nothing but what Markdown made of the text: no tag of its author's, no picture from elsewhere."""
    return Markup(_MARKDOWN.render(text))  # noqa: S704 - the renderer below lets no tag through


def harmless(text: str) -> str:
    """HTML that people wrote, shown and not obeyed."""
    parts, position = [], 0
    for found in HIDDEN_OR_HARMLESS.finditer(text):
        parts += [html.escape(text[position : found.start()]), found[2] or ""]
        position = found.end()
    return "".join([*parts, html.escape(text[position:])])


def _html(_: Any, tokens: Sequence[Token], place: int, *__: Any) -> str:
    return harmless(tokens[place].content)


_MARKDOWN = MarkdownIt("commonmark", {"html": True, "breaks": True}).enable(["table", "strikethrough"]).disable("image")
_MARKDOWN.add_render_rule("html_block", _html)
_MARKDOWN.add_render_rule("html_inline", _html)

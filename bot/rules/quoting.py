"""People's own words inside an answer: shown as they are, and unable to ping, to format or to forge."""

import unicodedata

LONGEST = 200
# Controls, formats and halves of characters: nothing one can see, among them what turns the direction of writing.
_UNSEEN = frozenset({"Cc", "Cf", "Cs"})
_ZERO_WIDTH_SPACE = "\u200b"


def one_line(text: str) -> str:
    """`text` on one line: white space and unseen characters become single spaces."""
    seen = (" " if unicodedata.category(character) in _UNSEEN else character for character in text)
    return " ".join("".join(seen).split())


def unmarked(text: str) -> str:
    """`text` without the start of an HTML comment: our hidden marks are looked for as bare text, also inside code."""
    return text.replace("<!--", f"<!{_ZERO_WIDTH_SPACE}--")


def shortened(text: str, limit: int = LONGEST) -> str:
    """`text`, cut to `limit` characters with an ellipsis at the cut."""
    return text if len(text) <= limit else f"{text[: limit - 1].rstrip()}…"


def code(text: str) -> str:
    """`text` as inline code, which neither links nor pings: on one line, shortened, in a fence it cannot close."""
    shown = unmarked(shortened(one_line(text)))
    fence = "`"
    while fence in shown:
        fence += "`"
    # A space keeps a backtick of the text apart from the fence; Markdown takes one off at each end.
    padding = " " if not shown or "`" in (shown[0], shown[-1]) else ""
    return f"{fence}{padding}{shown}{padding}{fence}"

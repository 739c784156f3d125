"""GitHub's Markdown: people's words made harmless, hidden marks, and the few shapes that answers are built of."""

import html
import re
from collections.abc import Sequence

from bot.rules.quoting import code, one_line, shortened

__all__ = ["code", "fit", "folded", "mark", "plain", "table"]

BODY_LIMIT = 65_000  # GitHub takes 65,536 characters
_PLAIN_LIMIT = 2_000
_ROOM_TO_CLOSE = 100
_ZERO_WIDTH_SPACE = "\u200b"
_MARKUP = re.compile(r"([\\`*_\[\]|~$])")
_BLOCK_START = re.compile(r"^([0-9]*)([-+=.)])")
# What GitHub links by itself in the text that Markdown leaves: an escape does not help there, a break does.
_BREAKS = re.compile(r"(?<=@)|(?<=#)|(?<=\bGH-)|(?<=\bwww)|(?=://)", re.IGNORECASE)
_BARE_PIPE = re.compile(r"(?<!\\)\|")
# Inline code that begins a line has its end on the same line, and so a backtick.
_FENCE = re.compile(r"^```[^`\n]*$", re.MULTILINE)
_MARK_PART = re.compile(r"[A-Za-z0-9._:/+=@-]+")


def plain(text: str) -> str:
    """What a person wrote, as they wrote it but on one line: it cannot ping, link, format or forge a hidden mark."""
    line = _MARKUP.sub(r"\\\1", _inert(shortened(one_line(text), _PLAIN_LIMIT)))
    return _BLOCK_START.sub(r"\1\\\2", line)


def mark(kind: str, key: object) -> str:
    """The hidden mark `<!-- pencils-down:kind:key -->` by which a text of ours is found again. It stands first."""
    for part in (kind, str(key)):
        if not _MARK_PART.fullmatch(part):
            raise ValueError(f"a mark cannot be made of {part!r}")
    return f"<!-- pencils-down:{kind}:{key} -->"


def table(headers: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table of cells that are Markdown already; line breaks and pipes in them do not break it."""
    return "\n".join(_row(cells) for cells in (headers, ["---"] * len(headers), *rows))


def folded(summary: str, body: str) -> str:
    """`body` (Markdown) under a line that opens it; GitHub shows `summary` as it is, without Markdown."""
    return f"<details><summary>{_inert(one_line(summary))}</summary>\n\n{body}\n\n</details>"


def fit(body: str, limit: int = BODY_LIMIT) -> str:
    """`body`, cut at the end of a line where it is longer than `limit` characters, with a word that it was."""
    if len(body) <= limit:
        return body
    note = "\n\n… The rest is too long for GitHub and was left out."
    kept = body[: limit - len(note) - _ROOM_TO_CLOSE]
    kept = (kept[: kept.rfind("\n") + 1] or kept).rstrip()
    return kept + _closing(kept) + note


def _closing(text: str) -> str:
    fence = "\n```" if len(_FENCE.findall(text)) % 2 else ""
    return fence + "\n\n</details>" * max(0, text.count("<details>") - text.count("</details>"))


def _inert(line: str) -> str:
    return _BREAKS.sub(_ZERO_WIDTH_SPACE, html.escape(line, quote=False))


def _row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(_BARE_PIPE.sub(r"\\|", " ".join(cell.split())) for cell in cells) + " |"

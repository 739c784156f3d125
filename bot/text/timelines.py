"""A Mermaid timeline of pushes around a deadline, as GitHub draws it.

Mermaid has no escapes that hold in every version: `:`, `#`, `;`, `%%{`, `<` and line breaks are its grammar. So words
of people keep their letters, their digits and a few signs, and stand only where no keyword can be.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from bot.rules import deadlines
from bot.rules.quoting import one_line, shortened
from bot.text import when

_HARMLESS = frozenset(" -_./+()[]")
_LONGEST = 40


@dataclass(frozen=True, slots=True)
class Mark:
    """Something at one instant; `words` are our own, or made harmless by `drawable`."""

    at: datetime
    words: str


def drawable(text: str) -> str:
    """What a person wrote, without a sign that Mermaid or HTML could read as its own."""
    seen = shortened(one_line(text), _LONGEST)
    return "".join(sign if sign.isalnum() or sign in _HARMLESS else "·" for sign in seen)


def timeline(title: Sequence[str], marks: Iterable[Mark], deadline: datetime, zone: str) -> str:
    """The marks in their order, in two parts: up to the deadline, which is drawn too, and after it."""
    until: list[Mark] = []
    after: list[Mark] = []
    for mark in marks:
        (until if deadlines.in_time(mark.at, deadline) else after).append(mark)
    lines = [f"    title {', '.join(drawable(part) for part in title)}", "    section Up to the deadline"]
    lines += [_line(mark, zone) for mark in [*until, Mark(deadline, "the deadline")]]
    if after:
        lines += ["    section After the deadline", *(_line(mark, zone) for mark in after)]
    return "\n".join(["```mermaid", "timeline", *lines, "```"])


def _line(mark: Mark, zone: str) -> str:
    # A colon would end the time.
    return f"        {drawable(when.short(mark.at, zone).replace(':', '.'))} : {mark.words}"

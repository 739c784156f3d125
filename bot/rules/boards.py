"""Where in an issue's body the bot's part is, and what fits into it (docs/design.md section 10)."""

import re

BEGIN = "<!-- pencils-down:board:begin -->"
END = "<!-- pencils-down:board:end -->"
LIMIT = 65_000
"""GitHub takes 65,536 characters."""

LEAST_ROOM = 500
"""With less room than this beside the words of the staff, nothing useful could be said."""

# A marker is a line of its own: one that is mentioned in a sentence is not one. Between the two stands no other begin,
# so that a begin whose end was deleted cannot swallow what people wrote below it.
_PART = re.compile(
    rf"^{re.escape(BEGIN)}[ \t]*\r?$(?:(?!^{re.escape(BEGIN)}).)*?^{re.escape(END)}[ \t]*\r?$", re.DOTALL | re.MULTILINE
)


def room(body: str) -> int:
    """How many characters the bot may write into this body, its markers not counted; 0 where it is too few to try."""
    here = _part(body)
    others = len(body) - (here.end() - here.start() if here else 0)
    left = LIMIT - others - len(BEGIN) - len(END) - 10
    return left if left >= LEAST_ROOM else 0


def put(body: str, words: str) -> str:
    """`body` with the bot's part saying `words`; whatever stands outside stays as it is, to the letter.

    Where people typed markers too, the last pair is the bot's. Without a pair the part begins anew below what is there,
    also in a body that was emptied.
    """
    part = f"{BEGIN}\n{words}\n{END}"
    here = _part(body)
    if here:
        return body[: here.start()] + part + body[here.end() :]
    return f"{body}\n\n{part}" if body.strip() else part


def _part(body: str) -> "re.Match[str] | None":
    return max(_PART.finditer(body), key=lambda found: found.start(), default=None)

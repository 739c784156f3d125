"""The one reply to a comment: what became of each of its commands, on its own line."""

from collections.abc import Sequence
from dataclasses import dataclass

from bot.errors import Told
from bot.text.markdown import code, fit


@dataclass(frozen=True, slots=True)
class Answer:
    """What became of one command; `waits`: it was previewed and is done once it is confirmed."""

    line: str
    done: bool
    text: str
    waits: bool = False


def refusal(line: str, told: Told) -> Answer:
    """Not done: the reason, what to type instead, and the stable code."""
    text = " ".join(part for part in (f"Not done: {told.reason}", told.instead) if part)
    return Answer(line, False, f"{text} (`{told.code}`)")


def reply(mark: str, answers: Sequence[Answer]) -> str:
    """The whole comment, its hidden mark first; with several commands each is named before its answer."""
    if len(answers) == 1:
        return fit(f"{mark}\n{answers[0].text}")
    parts = [f"{code(answer.line)}\n\n{answer.text}" for answer in answers]
    return fit("\n\n".join([mark, *parts]))

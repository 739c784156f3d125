"""A run's points, from exactly one `GRADE` notice annotation `points/max` (docs/design.md section 4)."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

TITLE = "GRADE"
LONGEST_DETAIL = 500
_POINTS = re.compile(r"\s*(-?[0-9]{1,9}(?:\.[0-9]{1,6})?)\s*/\s*([0-9]{1,9}(?:\.[0-9]{1,6})?)\s*", re.ASCII)


@dataclass(frozen=True, slots=True)
class Note:
    """An annotation of a run."""

    title: str
    level: str
    message: str


@dataclass(frozen=True, slots=True)
class Score:
    """`ok` with points and their maximum; else `none`, `malformed` or `multiple`, with what was found."""

    status: str
    points: Decimal | None = None
    max_points: Decimal | None = None
    detail: str | None = None


def read_score(notes: Sequence[Note]) -> Score:
    """The score that a run's annotations give. Two of them void it, even equal ones; points below zero count as 0."""
    grades = [note.message for note in notes if note.title == TITLE and note.level == "notice"]
    if not grades:
        return Score("none")
    if len(grades) > 1:
        return Score("multiple", detail=_detail(grades))
    match = _POINTS.fullmatch(grades[0])
    points, most = (Decimal(match[1]), Decimal(match[2])) if match else (Decimal(0), Decimal(0))
    if most <= 0 or points > most:
        return Score("malformed", detail=_detail(grades))
    return Score("ok", max(points, Decimal(0)), most, detail="below zero, counted as 0" if points < 0 else None)


def _detail(grades: list[str]) -> str:
    return " | ".join(grades)[:LONGEST_DETAIL]

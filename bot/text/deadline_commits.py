"""The mark of a deadline: what the empty commit on each tracked branch says, and what is said of it.

Never a `mark` in these words: to a teacher that is what a student gets for the work.
"""

from collections.abc import Sequence
from datetime import datetime

from bot.model import Enrolment, Project
from bot.text import when
from bot.text.markdown import code, plain

NAMED_AT_MOST = 5


def message(slug: str, deadline: datetime, zone: str) -> str:
    """`Deadline of lab1: Tue 1 Dec 2026, 23:59:00 Europe/Zurich (+01:00)`."""
    return f"Deadline of {slug}: {when.stamped(deadline, zone)}"


def strategy(project: Project) -> list[str]:
    """What happens at the deadline where that is not a lock."""
    if project.strategy != "commit":
        return []
    where = ", ".join(code(branch) for branch in project.branches) or "the default branch"
    return [f"Strategy commit: the App marks the deadline with an empty commit on {where}, and pushes stay possible."]


def standing(rows: Sequence[Enrolment]) -> list[str]:
    """Which repositories are not marked though their deadline has come, and why, and where a branch is missing."""
    waiting = [code(row.name) for row in rows if row.deadline_commit_waits]
    refused = [(row.name, plain(row.deadline_commit_refused)) for row in rows if row.deadline_commit_refused]
    missing = [(row.name, _branches(row.deadline_commit_missing)) for row in rows if row.deadline_commit_missing]
    lines = {
        "No deadline commit yet": waiting,
        "GitHub refused the deadline commit and is asked again": [f"{code(name)} ({why})" for name, why in refused],
        "There was no such branch for the deadline commit": [f"{code(name)} ({which})" for name, which in missing],
    }
    return [f"{said}: {_some(texts)}." for said, texts in lines.items() if texts]


def of_row(row: Enrolment, zone: str) -> str:
    """Whether one repository was marked; empty where none is to be."""
    if row.deadline_committed_at:
        return f"deadline commit {when.short(row.deadline_committed_at, zone)}"
    return "no deadline commit yet" if row.deadline_commit_waits else ""


def _some(texts: Sequence[str]) -> str:
    rest = len(texts) - NAMED_AT_MOST
    return ", ".join(texts[:NAMED_AT_MOST]) + (f" and {rest} more" if rest > 0 else "")


def _branches(names: Sequence[str]) -> str:
    return ", ".join(code(name) for name in names)

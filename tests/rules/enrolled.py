"""Repositories in a project, with only the facts that matter to a test."""

from dataclasses import fields
from datetime import UTC, datetime
from typing import Any

from bot.model import Enrolment

DEADLINE = datetime(2026, 12, 1, 22, 59, tzinfo=UTC)


def enrolment(repository_id: int, name: str, *students: str, **facts: Any) -> Enrolment:
    """A repository of these students; whatever is not named did not happen."""
    columns: dict[str, Any] = dict.fromkeys((field.name for field in fields(Enrolment)), None)
    columns |= {"account_id": 5, "project_id": 1, "effective_at": DEADLINE, "round": 1}
    columns |= {"repository_id": repository_id, "name": name, "students": list(students)}
    return Enrolment(**(columns | facts))

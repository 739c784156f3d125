"""What waits for a person, and who is called when it has waited too long (docs/design.md section 9)."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from bot.model import Person


@dataclass(frozen=True, slots=True)
class Task:
    """What waits for a person, about a project or one repository of it; its `addressee` is who it waits for."""

    account_id: int
    id: int
    kind: str
    project_id: int
    slug: str
    issue_number: int
    repository: str | None
    detail: dict[str, Any]
    addressee_kind: str
    addressee: str
    addressee_id: int | None
    created_at: datetime
    due_at: datetime | None
    escalate_at: datetime | None
    reminded_at: datetime | None
    escalated_at: datetime | None


def logins_to_call(tasks: Sequence[Task], teachers: Sequence[Person]) -> tuple[list[str], bool]:
    """The present logins of those to whom tasks are assigned, and whether the staff's team is to be called as well.

    A person who no longer teaches is not called: the team is.
    """
    here = {person.id: person.login for person in teachers}
    assigned = [task.addressee_id for task in tasks if task.addressee_kind == "user"]
    logins = sorted({here[person] for person in assigned if person in here})
    team = len(assigned) < len(tasks) or any(person not in here for person in assigned)
    return logins, team

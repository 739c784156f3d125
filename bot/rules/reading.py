"""When a command's words were read: a relative time stays what it meant then (docs/design.md section 11)."""

from dataclasses import dataclass, field
from datetime import datetime

from bot.model import Enrolment, Project


@dataclass(frozen=True, slots=True)
class Reading:
    """The instant at which a line was read (course time, UTC), and the effective deadlines of then that `+2d` adds to.

    A command that waited for its confirmation is run on the reading of its preview.
    """

    at: datetime
    deadline_at: datetime | None = None
    effective_at: dict[int, datetime] = field(default_factory=dict)

    def deadline_of(self, project: Project) -> datetime:
        """The project's deadline as it was then."""
        return self.deadline_at or project.deadline_at

    def effective_of(self, row: Enrolment) -> datetime:
        """A repository's effective deadline as it was then; one enrolled since has its present one."""
        return self.effective_at.get(row.repository_id, row.effective_at)

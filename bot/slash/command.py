"""What a command is: its grammar, who may give it and where, what it must know of GitHub, and what it does."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from bot.model import Authority, Command, Course, Enrolment, Facts, Needs, Project
from bot.rules.inverses import Inverse
from bot.rules.reading import Reading
from bot.slash.parse.options import Parsed, Spec
from bot.store import enrolments
from bot.store.changes import Change
from bot.store.records import Conn
from bot.text import refusals

Who = Literal["owner", "staff", "assistants", "anyone", "as the command"]
Where = Literal["anywhere", "course", "project", "waiting"]


@dataclass(frozen=True, slots=True)
class Place:
    """Where a comment stands: its organisation, and the course and project it belongs to, if any.

    `waiting` are the lines of its issue that were previewed, by the code that confirms each; `last` is the change that
    an undo there is about.
    """

    organisation: str
    course: Course | None
    project: Project | None
    student_repository: bool
    waiting: Mapping[str, str] = field(default_factory=dict)
    last: Change | None = None


@dataclass(frozen=True, slots=True)
class Context:
    """All that a command runs on: one transaction, the author's authority, course time, the place, GitHub's facts.

    Times that people wrote are read by `reading`, which is older than `now` where a preview was confirmed. `line` is
    the command as it was typed.
    """

    conn: Conn
    authority: Authority
    now: datetime
    command: Command
    place: Place
    facts: Facts
    app_login: str
    reading: Reading
    line: str = ""

    @property
    def account_id(self) -> int:
        return self.command.account_id

    @property
    def course(self) -> Course:
        """The course of this repository. Raises Told where there is none."""
        if self.place.course is None:
            raise refusals.no_course()
        return self.place.course

    @property
    def project(self) -> Project:
        """The project of this issue. Raises Told where there is none."""
        if self.place.project is None:
            raise refusals.no_project()
        return self.place.project

    async def enrolments(self) -> list[Enrolment]:
        """The repositories of this issue's project."""
        return await enrolments.of_project(self.conn, self.account_id, self.project.id)


@dataclass(frozen=True, slots=True)
class Done:
    """An answer, and what takes the change back; `command` is whose givers may do so, if not that of the one given.

    `wide`: it changes more than one repository beyond the project it was given in, and is asked first.
    """

    text: str
    inverse: Inverse
    command: str = ""
    wide: bool = False


@dataclass(frozen=True, slots=True)
class Question:
    """A preview: nothing is done before it is confirmed."""

    text: str


def nothing(_place: Place, _parsed: Parsed) -> Needs:
    """Most commands are done from the database alone."""
    return Needs()


@dataclass(frozen=True, slots=True)
class SlashCommand:
    """One command. `run` returns the answer's text, or raises Told; `needs` may raise Told too.

    `previewed` commands change something: they ask first where that is wide, or was written long ago. Those
    `of_students` are given in a student's repository too, by its students and by whoever may give them elsewhere.
    """

    spec: Spec
    who: Who
    where: Where
    does: str
    run: Callable[[Context, Parsed], Awaitable[str | Done | Question]]
    needs: Callable[[Place, Parsed], Needs] = nothing
    previewed: bool = True
    of_students: bool = False

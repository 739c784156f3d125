"""The nouns of docs/design.md section 1 as values: what the store returns, what the rules decide on. Times are UTC."""

import enum
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal


class State(enum.StrEnum):
    """A project's place in its life (docs/design.md section 8)."""

    DRAFT = "draft"
    OPEN = "open"
    CLOSED = "closed"
    GRADED = "graded"
    APPROVED = "approved"
    RELEASED = "released"


class Pusher(enum.StrEnum):
    """What kind of account pushed; only a student's or another person's push makes a submission."""

    UNKNOWN = "unknown"
    STUDENT = "student"
    STAFF = "staff"
    PERSON = "person"
    APP = "app"
    ACTIONS = "actions"
    BOT = "bot"


@dataclass(frozen=True, slots=True)
class Actor:
    """Who did something, for the audit log."""

    kind: Literal["person", "clock", "github"]
    id: int | None = None
    login: str | None = None


CLOCK = Actor("clock")
GITHUB = Actor("github")


@dataclass(frozen=True, slots=True)
class Installation:
    account_id: int
    installation_id: int
    login: str
    state: str


@dataclass(frozen=True, slots=True)
class LockTrouble:
    """In GitHub's words, why organisation rulesets are not to be had, and why their last change failed."""

    lock_refused: str | None = None
    lock_failure: str | None = None


@dataclass(frozen=True, slots=True)
class Course:
    account_id: int
    id: int
    repository_id: int
    timezone: str
    mode: str
    staff_team_id: int
    staff_team: str
    assistants_team_id: int | None
    assistants_team: str | None

    @property
    def teams(self) -> tuple[str, ...]:
        """The slugs of its teams."""
        return tuple(team for team in (self.staff_team, self.assistants_team) if team)


@dataclass(frozen=True, slots=True)
class Project:
    account_id: int
    id: int
    course_id: int
    issue_number: int
    slug: str
    state: str
    deadline_at: datetime
    deadline_wall: str
    deadline_zone: str
    opens_at: datetime | None
    grace_seconds: int
    strategy: str
    branches: list[str]
    repository_glob: str
    grading: str
    workflow: str
    deadline_applied_at: datetime | None


@dataclass(frozen=True, slots=True)
class Enrolment:
    """One repository's part in one project, with the names a person knows it by."""

    account_id: int
    project_id: int
    repository_id: int
    name: str
    students: list[str]
    deadline_at: datetime | None
    effective_at: datetime
    deadline_applied_at: datetime | None
    frozen_at: datetime | None
    submission_sha: str | None
    submission_at: datetime | None
    round: int
    locked_at: datetime | None
    lock_verified_at: datetime | None
    wanted_lock: bool | None
    gone_at: datetime | None
    lock_kind: str | None
    lock_reason: str | None
    lock_failure: str | None
    staff_lock: bool | None
    staff_lock_until: datetime | None
    review: str | None
    points: float | None
    max_points: float | None
    gone_as: str | None = None
    deadline_committed_at: datetime | None = None
    deadline_commit_waits: bool = False
    deadline_commit_missing: list[str] | None = None
    deadline_commit_refused: str | None = None
    lock_tried_at: datetime | None = None
    lock_absent_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Run:
    account_id: int
    id: int
    repository_id: int
    run_id: int
    attempt: int
    check_suite_id: int


@dataclass(frozen=True, slots=True)
class Command:
    """A comment that holds commands, as it was when it was created; `heard_at` is when it reached us."""

    account_id: int
    comment_id: int
    repository_id: int
    issue_number: int
    author_id: int
    author_login: str
    body: str
    commented_at: datetime
    heard_at: datetime


@dataclass(frozen=True, slots=True)
class Person:
    """An account of a person, known by `id`; a login can change hands."""

    id: int
    login: str
    role: str = ""


@dataclass(frozen=True, slots=True)
class TeamFact:
    """A team as GitHub has it now."""

    id: int
    slug: str
    secret: bool
    members: tuple[Person, ...] = ()


@dataclass(frozen=True, slots=True)
class RepositoryFact:
    """A repository as GitHub has it now; `students` are its direct collaborators who are people."""

    id: int
    name: str
    default_branch: str
    private: bool
    archived: bool
    template: bool
    students: tuple[Person, ...] = ()


@dataclass(frozen=True, slots=True)
class Needs:
    """What a command must know of GitHub before it can run: read by its job, outside any transaction.

    `students` are those of the comment's own repository.
    """

    teams: tuple[str, ...] = ()
    owners: bool = False
    repositories: tuple[str, ...] = ()
    rulesets: bool = False
    students: bool = False


@dataclass(frozen=True, slots=True)
class Facts:
    """What GitHub answered to what was `asked`, the needs of all commands of a comment together."""

    here: RepositoryFact
    teams: dict[str, TeamFact] = field(default_factory=dict)
    owners: tuple[Person, ...] = ()
    repositories: tuple[RepositoryFact, ...] = ()
    organisation_rulesets: bool | None = None
    asked: Needs = field(default_factory=Needs)

    def team(self, slug: str) -> TeamFact | None:
        """The team of that name, as it was asked for or as GitHub spells it."""
        return self.teams.get(slug) or next((team for team in self.teams.values() if team.slug == slug), None)

    def teachers(self, *slugs: str | None) -> list[Person]:
        """The members of these teams, and the owners, each once; other commands may have asked for other teams."""
        people = [person for team in self.teams.values() if team.slug in slugs for person in team.members]
        return list({person.id: person for person in [*people, *self.owners]}.values())


@dataclass(frozen=True, slots=True)
class Authority:
    """What the author of a command may do, read from GitHub at that moment by user id (docs/design.md section 11)."""

    person: Person
    owner: bool = False
    staff: bool = False
    assistant: bool = False

    @property
    def actor(self) -> Actor:
        return Actor("person", self.person.id, self.person.login)

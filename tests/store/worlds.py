"""Whole courses as Hypothesis draws them, with many times that are equal: projects, repositories, pushes and runs."""

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from hypothesis import strategies as st

from bot.model import Pusher, State
from bot.rules.parts import StaffHand
from bot.rules.submissions import Attempt, Receipt
from bot.store.records import Conn

from .rows import ACCOUNT, DEADLINE, WORKFLOW

MINUTE = timedelta(minutes=1)
OTHER_WORKFLOW = ".github/workflows/ci.yml"
NO_COMMIT = "0" * 40
PLACES = [(branch, sha) for branch in ("main", "dev", "side") for sha in "abc"]

# The first of what is sampled is drawn most often: pushes come early, deadlines late, and most things are in order.
times = st.integers(0, 4).map(lambda minutes: DEADLINE + minutes * MINUTE)
late_times = st.sampled_from((3, 2, 4, 1, 5, 0)).map(lambda minutes: DEADLINE + minutes * MINUTE)
maybe = st.booleans()
mostly = st.sampled_from((True, True, True, True, True, False))
# Of one of them nobody ever hears that it was pushed.
ran = st.sampled_from("abcd")


@dataclass(frozen=True)
class DrawnCourse:
    shadow: bool
    lifted: bool


@dataclass(frozen=True)
class DrawnProject:
    id: int
    course: DrawnCourse
    course_id: int
    state: State
    locks: bool
    archived: bool
    deadline: datetime
    grace_seconds: int
    branches: list[str]


@dataclass(frozen=True)
class DrawnRepository:
    id: int
    default_branch: str
    gone: bool
    hand: StaffHand
    receipts: list[Receipt]
    attempts: list[Attempt]


@dataclass
class DrawnPart:
    """A repository's part in a project; what is settled in it is followed by the test."""

    project: DrawnProject
    repository: DrawnRepository
    own: datetime | None
    withdrawn: bool
    holding: bool
    applied: bool
    frozen: bool
    current: Attempt | None = None
    slot: Attempt | None = None
    submission: tuple[str | None, datetime | None] = (None, None)
    round: int = 1


@dataclass(frozen=True)
class Move:
    """A deadline moves: the project's, or with `own` those of all its repositories (`to` None takes theirs away)."""

    project: DrawnProject
    own: bool
    to: datetime | None


@dataclass
class World:
    """A course whose scores were chosen `earlier`, at `now`: a hand is laid, a deadline moves, a while passes."""

    projects: list[DrawnProject]
    repositories: list[DrawnRepository]
    parts: list[DrawnPart]
    earlier: datetime
    now: datetime
    lock: bool
    hand_at: datetime
    move: Move
    later: datetime
    deadlines: dict[int, datetime] = field(default_factory=dict)

    @property
    def ids(self) -> list[int]:
        """Of all repositories."""
        return [repository.id for repository in self.repositories]


@st.composite
def _receipts(draw: st.DrawFn) -> list[Receipt]:
    places = draw(st.lists(st.sampled_from(PLACES), min_size=2, max_size=7, unique=True))
    found = []
    for branch, sha in places:
        arrived_at, early = draw(times), draw(st.sampled_from((0, 1, 2)))
        before = draw(st.sampled_from((NO_COMMIT, *"abc")))
        pusher = draw(st.sampled_from((*[Pusher.STUDENT] * 4, Pusher.PERSON, Pusher.STAFF, Pusher.UNKNOWN)))
        inner = frozenset(draw(st.sampled_from(("", "", "", "a", "b", "bc")))) - {sha}
        ref = f"refs/heads/{branch}"
        found.append(Receipt(ref, sha, before, arrived_at - early * MINUTE, arrived_at, pusher, inner))
    return found


@st.composite
def _attempts(draw: st.DrawFn, first_id: int) -> list[Attempt]:
    found: list[Attempt] = []
    for run_id in range(1, draw(st.sampled_from((3, 2, 0))) + 1):
        workflow = draw(st.sampled_from((*[WORKFLOW] * 5, OTHER_WORKFLOW)))
        event = draw(st.sampled_from((*["push"] * 5, "repository_dispatch")))
        branch, sha = draw(st.sampled_from(("main", "main", "dev", "dev", "side", None))), draw(ran)
        created_at = draw(times)
        for attempt in draw(st.sampled_from(((1, 2), (2, 3), (1, 3), (1,), (2,)))):
            # An attempt of which only the beginning was heard has no score.
            completed_at = draw(times | times | st.none())
            scored = completed_at is not None and draw(mostly)
            key = first_id + len(found)
            found.append(Attempt(key, run_id, attempt, workflow, event, branch, sha, created_at, completed_at, scored))
    return found


@st.composite
def _projects(draw: st.DrawFn) -> list[DrawnProject]:
    drawn = draw(st.lists(st.builds(DrawnCourse, maybe, maybe), min_size=1, max_size=2))
    # Most courses are active: in shadow mode no lock is wanted.
    courses = [DrawnCourse(it.shadow and draw(maybe), it.lifted) for it in drawn]
    found = []
    for number in range(1, draw(st.sampled_from((3, 3, 2, 1))) + 1):
        course = draw(st.integers(0, len(courses) - 1))
        state = draw(st.sampled_from((State.CLOSED, State.OPEN, State.CLOSED, State.DRAFT, State.GRADED)))
        branches = draw(st.sampled_from(([], ["main", "dev"], ["main", "dev"], ["dev"])))
        locks, archived, grace = (
            draw(st.sampled_from((True, True, False))),
            not draw(mostly),
            draw(st.sampled_from((0, 60, 120))),
        )
        found.append(
            DrawnProject(number, courses[course], course + 1, state, locks, archived, draw(late_times), grace, branches)
        )
    return found


@st.composite
def _hands(draw: st.DrawFn, projects: list[int]) -> StaffHand:
    """An unlock is from some deadlines, or from all where none is named."""
    lock = draw(st.sampled_from((None, None, True, False)))
    return StaffHand(lock, draw(st.frozensets(st.sampled_from(projects))) if lock is False else frozenset())


@st.composite
def worlds(draw: st.DrawFn) -> World:
    """Up to three projects of up to two courses, which share up to six repositories."""
    projects = draw(_projects())
    repositories, parts = [], []
    for number in range(1, draw(st.sampled_from((6, 5, 4, 1))) + 1):
        gone, hand = not draw(mostly), draw(_hands([it.id for it in projects]))
        branch = draw(st.sampled_from(("main", "main", "dev")))
        attempts = draw(_attempts(100 * number))
        repository = DrawnRepository(number, branch, gone, hand, draw(_receipts()), attempts)
        repositories.append(repository)
        holder = draw(st.sampled_from((*projects, None)))
        for project in [it for it in projects if draw(mostly)]:
            # A draft has neither applied a deadline nor frozen anything.
            applied = project.state != State.DRAFT and draw(maybe)
            frozen, withdrawn = applied and draw(maybe), draw(st.sampled_from((False, False, True)))
            own = draw(st.none() | late_times)
            parts.append(DrawnPart(project, repository, own, withdrawn, project is holder, applied, frozen))
    owns = draw(maybe)
    move = Move(draw(st.sampled_from(projects)), owns, draw(late_times | st.none()) if owns else draw(late_times))
    now = draw(late_times)
    earlier, later = now - draw(st.sampled_from((2, 4, 1, 0))) * MINUTE, now + draw(st.integers(0, 4)) * MINUTE
    standing, hand_at = {it.id: it.deadline for it in projects}, draw(st.sampled_from((now, later)))
    return World(projects, repositories, parts, earlier, now, draw(maybe), hand_at, move, later, standing)


async def write(conn: Conn, world: World) -> None:
    """The world as rows. What was withdrawn, archived or lost was so at the deadline, as far as a column says when."""
    courses = {project.course_id: project.course for project in world.projects}
    await _insert(conn, "courses", [_course(key, course) for key, course in courses.items()])
    await _insert(conn, "projects", [_project(project) for project in world.projects])
    await _insert(conn, "repositories", [_repository(repository) for repository in world.repositories])
    await _insert(conn, "receipts", [_receipt(it.id, heard) for it in world.repositories for heard in it.receipts])
    came_with = [(it.id, heard, sha) for it in world.repositories for heard in it.receipts for sha in heard.inner]
    inner = [{"repository_id": key, "sha": sha, "ref": it.ref, "head_sha": it.sha} for key, it, sha in came_with]
    await _insert(conn, "inner_commits", inner)
    await _insert(conn, "runs", [_run(it.id, run) for it in world.repositories for run in it.attempts])
    await _insert(conn, "enrolments", [_part(part) for part in world.parts])
    read = [{"repository_id": it.id, "read_at": "infinity", "attempts": 0} for it in world.repositories]
    await _insert(conn, "activities", read)


async def _insert(conn: Conn, table: str, rows: list[dict[str, Any]]) -> None:
    if rows:
        columns = ", ".join(["account_id", *rows[0]])
        values = [{"account_id": ACCOUNT, **row} for row in rows]
        await conn.execute(
            f"INSERT INTO {table} ({columns}) OVERRIDING SYSTEM VALUE "
            f"SELECT {columns} FROM jsonb_populate_recordset(NULL::{table}, $1)",
            values,
        )


def _when(instant: datetime | None) -> str | None:
    return instant.isoformat() if instant else None


def _flag(is_so: bool) -> str | None:
    return _when(DEADLINE) if is_so else None


def _course(key: int, course: DrawnCourse) -> dict[str, Any]:
    mode = "shadow" if course.shadow else "active"
    teams = {"staff_team_id": 1, "staff_team": "teachers"}
    times_and_place = {"repository_id": 900 + key, "timezone": "Europe/Zurich", "created_at": _when(DEADLINE)}
    return {"id": key, "mode": mode, "locks_lifted": course.lifted, **teams, **times_and_place}


def _project(project: DrawnProject) -> dict[str, Any]:
    return {
        "id": project.id,
        "course_id": project.course_id,
        "issue_number": project.id,
        "slug": f"lab{project.id}",
        "state": project.state.value,
        "strategy": "lock" if project.locks else "commit",
        "deadline_at": _when(project.deadline),
        "deadline_wall": "2026-12-01 23:59:00",
        "deadline_zone": "Europe/Zurich",
        "grace_seconds": project.grace_seconds,
        "branches": project.branches,
        "grading": "auto",
        "repository_glob": "lab1-*",
        "workflow": WORKFLOW,
        "created_at": _when(DEADLINE),
        "archived_at": _flag(project.archived),
    }


def _repository(repository: DrawnRepository) -> dict[str, Any]:
    names = {"name": f"lab1-{repository.id}", "default_branch": repository.default_branch, "private": True}
    settled = {"rulesets": 0, "bypass_stale": False, "attempts": 0}
    return {
        "id": repository.id,
        **names,
        **settled,
        "gone_at": _flag(repository.gone),
        "staff_lock": repository.hand.lock,
        "exempt_from": sorted(repository.hand.exempt_from),
    }


def _receipt(repository_id: int, heard: Receipt) -> dict[str, Any]:
    return {
        "repository_id": repository_id,
        "ref": heard.ref,
        "head_sha": heard.sha,
        "before_sha": heard.before,
        "forced": False,
        "arrived_at": _when(heard.arrived_at),
        "pushed_at": _when(heard.received_at),
        "pusher": heard.pusher,
        "guid": str(UUID(int=repository_id)),
    }


def _run(repository_id: int, run: Attempt) -> dict[str, Any]:
    return {
        "id": run.id,
        "repository_id": repository_id,
        "run_id": 10 * repository_id + run.run_id,
        "attempt": run.attempt,
        "check_suite_id": 1,
        "workflow": run.workflow,
        "event": run.event,
        "head_branch": run.branch,
        "head_sha": run.sha,
        "display_title": "",
        "status": "completed" if run.completed_at else "in_progress",
        "created_at": _when(run.created_at),
        "completed_at": _when(run.completed_at),
        "score_status": "ok" if run.scored else None,
        "attempts": 0,
    }


def _part(part: DrawnPart) -> dict[str, Any]:
    return {
        "project_id": part.project.id,
        "repository_id": part.repository.id,
        "enrolled_at": _when(DEADLINE),
        "withdrawn_at": _flag(part.withdrawn),
        "holding": part.holding,
        "deadline_at": _when(part.own),
        "deadline_applied_at": _flag(part.applied),
        "frozen_at": _flag(part.frozen),
        "round": 1,
        "review_refusals": 0,
    }

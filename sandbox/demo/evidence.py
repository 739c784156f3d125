"""Everything the proof rests on, collected once at the end: GitHub's side, the service's side, and what was planned."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sandbox.demo.cast import ORGANISATION, STAFF, Cast
from sandbox.demo.ledger import Ledger, Part, Receipt, Review
from sandbox.demo.remote import Remote

CHECK = "Deadline"
MARK = re.compile(r"<!-- (pencils-down:\S+) -->")


@dataclass(frozen=True, slots=True)
class Push:
    """A student's push that GitHub took. `at` is GitHub's own time, `on_time` what a perfect observer says of it.

    GitHub tells the time of a push in whole seconds, so that is how the observer compares.
    """

    repository_id: int
    sha: str
    at: datetime
    on_time: bool


@dataclass(frozen=True, slots=True)
class Effect:
    """The moment at which one ruleset began to close one repository."""

    repository_id: int
    target: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Deadlines:
    """The project's deadline, and the own one of the student who has more time."""

    project: datetime
    own: datetime
    extended: str

    def of(self, repository: str) -> datetime:
        """The effective deadline of a repository, by its full name."""
        return self.own if repository == self.extended else self.project


@dataclass(frozen=True, slots=True)
class Evidence:
    """See the module."""

    students: int
    deaths: int
    commands: int
    late_tries: int
    deadline_of: Mapping[int, datetime]
    extended_id: int
    repositories: Sequence[Mapping[str, Any]]
    pushes: Sequence[Push]
    refused: Sequence[Mapping[str, Any]]
    effects: Sequence[Effect]
    lock_calls: Sequence[Mapping[str, Any]]
    dispatches: Sequence[Mapping[str, Any]]
    comment_marks: Sequence[str]
    checks: Sequence[Mapping[str, Any]]
    checks_waiting: int
    unknown_routes: Sequence[str]
    calls: Mapping[str, int]
    receipts: Sequence[Receipt]
    parts: Sequence[Part]
    reviews: Sequence[Review]

    def submission(self, repository_id: int) -> str | None:
        """The commit that counts, by the observer: the last push in time."""
        own = [push for push in self.pushes if push.repository_id == repository_id and push.on_time]
        return max(own, key=lambda push: push.at).sha if own else None

    @property
    def submissions(self) -> dict[int, str]:
        """The commit that counts of each repository that has one."""
        found = {repository_id: self.submission(repository_id) for repository_id in self.deadline_of}
        return {repository_id: sha for repository_id, sha in found.items() if sha is not None}


@dataclass(frozen=True, slots=True)
class Told:
    """What only the director knows."""

    cast: Cast
    deadlines: Deadlines
    commands: int
    late_tries: int
    deaths: int


async def collect(remote: Remote, ledger: Ledger, told: Told) -> Evidence:
    """Ask everybody."""
    names = {student.repository for student in told.cast.students}
    every = await remote.get("/repositories", organisation=ORGANISATION)
    repositories = [one for one in every if one["full_name"] in names]
    calls = await remote.get("/calls")
    locks = [call for call in calls["mutations"] if call["route"].startswith("/orgs/{org}/rulesets")]
    extended = told.cast.extended.repository
    return Evidence(
        students=len(names),
        deaths=told.deaths,
        commands=told.commands,
        late_tries=told.late_tries,
        deadline_of={one["id"]: told.deadlines.of(one["full_name"]) for one in repositories},
        extended_id=next(one["id"] for one in repositories if one["full_name"] == extended),
        repositories=repositories,
        pushes=await _pushes(remote, told),
        refused=await remote.get("/refused-pushes"),
        effects=[effect for call in locks if call["effect"] for effect in _effects(call)],
        lock_calls=locks,
        dispatches=await remote.get("/dispatches"),
        comment_marks=await _marks(remote),
        checks=[check for name in sorted(names) for check in await _checks(remote, name)],
        checks_waiting=await ledger.checks_waiting(),
        unknown_routes=calls["unknown"],
        calls=calls["routes"],
        receipts=await ledger.receipts(),
        parts=await ledger.parts(),
        reviews=await ledger.reviews(),
    )


async def _pushes(remote: Remote, told: Told) -> list[Push]:
    logins = {student.login for student in told.cast.students}
    return [
        Push(one["repository_id"], one["sha"], at, at.replace(microsecond=0) <= told.deadlines.of(one["repository"]))
        for one in await remote.get("/pushes")
        if one["login"] in logins
        for at in [datetime.fromisoformat(one["at"])]
    ]


def _effects(call: Mapping[str, Any]) -> list[Effect]:
    body = call["body"]
    ids = body["conditions"]["repository_id"]["repository_ids"] if body["enforcement"] == "active" else []
    return [Effect(repository_id, body["target"], datetime.fromisoformat(call["at"])) for repository_id in ids]


async def _marks(remote: Remote) -> list[str]:
    bodies = [comment["body"] for comment in await remote.get("/comments", repository=STAFF)]
    return [mark for body in bodies for mark in MARK.findall(body)]


async def _checks(remote: Remote, repository: str) -> list[Mapping[str, Any]]:
    return [check for check in await remote.get("/checks", repository=repository) if check["name"] == CHECK]

"""What docs/design.md sections 3, 4 and 7 say must be so, from the history alone: no database, no code of the bot's."""

from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime, timedelta

GRACE = timedelta(minutes=30)
SECOND = timedelta(seconds=1)


@dataclass
class Push:
    """A push that GitHub took. That the news of it or of its run is lost on the way must make no difference.

    `counts`: by a student, on a branch that counts; `early`: before the project was published, or while the repository
    took no part in it; `lost`: it was heard of late, perhaps after the repository took no part any more.
    """

    sha: str
    at: datetime
    counts: bool
    early: bool
    lost: bool = False


@dataclass
class Part:
    """A repository's part in the project. `rounds`: for each, the submissions that were settled in it, in turn."""

    own: datetime | None = None
    applied: bool = False
    frozen: bool = False
    withdrawn: bool = False
    was_withdrawn: bool = False
    submission: str | None = None
    hand: bool | None = None
    until: datetime | None = None
    pushes: list[Push] = field(default_factory=list)
    rounds: list[list[str]] = field(default_factory=lambda: [[]])

    @property
    def wanted(self) -> bool:
        """Whether it should be closed: the staff's hand first, then its deadline; never once it was withdrawn."""
        return not self.withdrawn and (self.applied if self.hand is None else self.hand)

    def counted(self, effective: datetime) -> str | None:
        """The last commit that counts: each has a run, and both are known once the evidence is in."""
        return next((push.sha for push in self.pushes[::-1] if push.counts and push.at <= effective), None)

    def lay_hand(self, hand: bool | None, until: datetime | None = None) -> None:
        """Set it, or take it away."""
        self.hand, self.until = hand, None if hand is None else until


class Model:
    """One project. Each method is something that happened, at `now`, and was dealt with before the clock moved."""

    def __init__(self, now: datetime, deadline: datetime, names: list[str]) -> None:
        self.now = now
        self.deadline = deadline
        self.state = "draft"
        self.parts = {name: Part() for name in names}
        self.audit: Counter[tuple[str, str]] = Counter()

    def effective(self, part: Part) -> datetime:
        """Its own deadline, else the project's."""
        return part.own or self.deadline

    def instants(self) -> list[datetime]:
        """The instants ahead at which something must happen, and those just before and after."""
        due = {self.effective(part) for part in self.parts.values()} | {self.deadline}
        due |= {deadline + GRACE for deadline in due} | {part.until for part in self.parts.values() if part.until}
        near = {instant + step for instant in due for step in (-SECOND, timedelta(), SECOND)}
        return sorted(instant for instant in near if instant > self.now)

    def publish(self) -> bool:
        """Whether it opens."""
        if self.state != "draft" or self.deadline <= self.now or all(part.withdrawn for part in self.parts.values()):
            return False
        self.state = "open"
        self._note("project.open")
        self.settle()
        return True

    def move(self, deadline: datetime) -> None:
        """`/deadline`."""
        before, self.deadline = self.deadline, deadline
        if before != deadline:
            self._note("project.deadline_moved")
        if self.state == "closed" and deadline > self.now:
            self.state = "open"
            self._note("project.open")
        for name, part in self.parts.items():
            if part.own is None and not part.withdrawn:
                self._judge_anew(name, part, before)
        self.settle()

    def extend(self, names: list[str], own: datetime | None) -> None:
        """`/extend`, also to none."""
        for name in names:
            if self.parts[name].own != own:
                self._note("repository.deadline_moved", name)
            before, self.parts[name].own = self.effective(self.parts[name]), own
            self._judge_anew(name, self.parts[name], before)
        self.settle()

    def lay_hand(self, names: list[str], lock: bool, until: datetime | None) -> None:
        """`/lock` and `/unlock`: kept only where it differs from what the deadline alone holds."""
        for name in names:
            part = self.parts[name]
            part.lay_hand(None if part.applied == lock else lock, until)
            self._note("repository.locked_by_hand" if lock else "repository.unlocked_by_hand", name)

    def withdraw(self, names: list[str]) -> None:
        """`/withdraw`: nothing is judged and nothing closed there any more, not by hand either."""
        for name in names:
            self.parts[name].withdrawn = self.parts[name].was_withdrawn = True
            self.parts[name].lay_hand(None)
            self._note("repository.withdrawn", name)
        self.settle()

    def take_back(self, name: str) -> None:
        """`/enrol`: judged as if it had been there all the while."""
        part = self.parts[name]
        part.withdrawn = False
        self._judge_anew(name, part, None)
        self._note("repository.enrolled", name)
        self.settle()

    def settle(self) -> None:
        """What the clock does at `now`."""
        if self.state == "open" and self.deadline <= self.now:
            self.state = "closed"
            self._note("project.closed")
        for name, part in self.parts.items():
            if part.until is not None and part.until <= self.now:
                part.lay_hand(None)
                self._note("repository.hand_ended", name)
            if self.state != "draft" and not part.withdrawn:
                self._apply(name, part)

    def _apply(self, name: str, part: Part) -> None:
        effective = self.effective(part)
        if not part.applied and effective <= self.now:
            part.applied = True
            self._note("repository.applied", name)
        if part.applied and not part.frozen and effective + GRACE <= self.now:
            part.frozen, part.submission = True, part.counted(effective)
            part.rounds[-1] += [part.submission] if part.submission else []
            self._note("repository.frozen", name)

    def _judge_anew(self, name: str, part: Part, before: datetime | None) -> None:
        """Its deadline moved, or it comes back (`before` None).

        What was applied opens in a new round, or is frozen again behind the closed door.
        """
        ahead = part.applied and self.effective(part) > self.now
        if ahead:
            part.applied = False
            part.rounds.append([])
            self._note("repository.reopened", name)
        elif part.applied and self.effective(part) != before:
            self._note("repository.judged_again", name)
        if ahead or self.effective(part) != before:
            part.frozen, part.submission = False, None
        moved = before is not None and self.effective(part) != before
        if ahead or (moved and part.hand is False):
            part.lay_hand(None)

    def _note(self, action: str, name: str = "") -> None:
        self.audit[action, name] += 1

"""The server's own record of what became of the branches, and the ways in which its list can fall short of it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from sandbox.git import RefChange
from sandbox.user import User

Merge = Literal["pr_merge", "merge_queue_merge"]


@dataclass(frozen=True)
class Activity:
    """One entry: a move of a branch, when the server took it. `merge` says that GitHub made it for a pull request."""

    id: int
    at: datetime
    actor: User
    change: RefChange
    merge: Merge | None = None

    @property
    def kind(self) -> str:
        """GitHub's `activity_type`."""
        if self.merge is not None:
            return self.merge
        if self.change.creates or self.change.deletes:
            return "branch_creation" if self.change.creates else "branch_deletion"
        return "force_push" if self.change.forced else "push"


Wanted = Callable[[Activity], bool]


@dataclass(frozen=True)
class Hiding:
    """Entries that are not listed yet; without `until`, not before they are revealed."""

    wanted: Wanted
    until: datetime | None

    def holds(self, entry: Activity, now: datetime) -> bool:
        """Whether it keeps this entry back at this moment."""
        return (self.until is None or now < self.until) and self.wanted(entry)


def every(_: Activity) -> bool:
    """All there are and will be."""
    return True


class ActivityLog(list[Activity]):
    """What happened, oldest first. The list itself is always the truth; its methods bend what the API shows of it.

    `order` arranges what is listed, newest first when it gets it. `retention` is how long an entry is remembered.
    """

    def __init__(self) -> None:
        super().__init__()
        self.order: Callable[[list[Activity]], Sequence[Activity]] | None = None
        self.retention: timedelta | None = None
        self._hidings: list[Hiding] = []
        self._nameless: list[Wanted] = []
        self._forgotten: set[int] = set()

    def hide(self, wanted: Wanted = every, until: datetime | None = None) -> None:
        """Keep these entries, those still to come too, out of the list until GitHub's clock shows `until`, if given."""
        self._hidings.append(Hiding(wanted, until))

    def reveal(self) -> None:
        """List again whatever was hidden."""
        self._hidings.clear()

    def forget(self, wanted: Wanted = every) -> int:
        """Drop these entries from the list for good, as retention would; returns how many."""
        gone = {entry.id for entry in self if wanted(entry)} - self._forgotten
        self._forgotten |= gone
        return len(gone)

    def make_nameless(self, wanted: Wanted = every) -> None:
        """These entries, those still to come too, are listed without their actor, as after an account's end."""
        self._nameless.append(wanted)

    def arranged(self) -> list[Activity]:
        """All entries in the order of the list, newest first unless `order` says otherwise."""
        newest_first = self[::-1]
        return list(self.order(newest_first)) if self.order is not None else newest_first

    def lists(self, entry: Activity, now: datetime) -> bool:
        """Whether the list shows this entry at this moment."""
        remembered = self.retention is None or entry.at >= now - self.retention
        hidden = any(hiding.holds(entry, now) for hiding in self._hidings)
        return remembered and not hidden and entry.id not in self._forgotten

    def actor(self, entry: Activity) -> User | None:
        """Who the list says it was."""
        return None if any(wanted(entry) for wanted in self._nameless) else entry.actor

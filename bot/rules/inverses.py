"""What takes a change back, as data: what it left behind, which must still hold, and what was there before."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

import msgspec

from bot.rules import modes
from bot.rules.modes import Settings
from bot.rules.when import When


@dataclass(frozen=True, slots=True)
class Hand:
    """The staff's hand as it is stored; `lock` None is no hand. An unlock is from the deadlines of those projects."""

    lock: bool | None
    until: datetime | None = None
    exempt_from: tuple[int, ...] = ()


class HandMove(msgspec.Struct, frozen=True):
    """The staff's hand on one repository, after its change and before."""

    repository_id: int
    left: Hand
    before: Hand


@dataclass(frozen=True, slots=True)
class OwnDeadline:
    """A repository's own deadline; `when` None lets it follow the project again."""

    when: When | None
    reason: str | None = None

    def is_at(self, other: "OwnDeadline") -> bool:
        """Whether both are the same instant, in whatever zone it was written, or none."""
        return (self.when and self.when.at) == (other.when and other.when.at)

    def is_as(self, other: "OwnDeadline") -> bool:
        """Whether one in the other's place would change nothing; why there is none is of no account."""
        return self.is_at(other) and (self.when is None or self.reason == other.reason)


class OwnMove(msgspec.Struct, frozen=True):
    """One repository's own deadline, after its change and before."""

    repository_id: int
    left: OwnDeadline
    before: OwnDeadline


class DeadlineMove(msgspec.Struct, frozen=True, tag="deadline"):
    """The project's deadline moved, which ended `hands`."""

    left: When
    before: When
    hands: list[HandMove] = []


class OwnMoves(msgspec.Struct, frozen=True, tag="own deadlines"):
    """Own deadlines were given or taken, which ended `hands`."""

    moves: list[OwnMove]
    hands: list[HandMove] = []


class HandMoves(msgspec.Struct, frozen=True, tag="hands"):
    """Repositories were locked or unlocked by hand."""

    moves: list[HandMove]


class OpeningMove(msgspec.Struct, frozen=True, tag="opening"):
    """The time at which a draft opens by itself was set."""

    left: datetime | None
    before: datetime | None


class Publication(msgspec.Struct, frozen=True, tag="publication"):
    """A draft was opened (`left` is "open"), or put back to a draft."""

    left: Literal["open", "draft"]


class Membership(msgspec.Struct, frozen=True, tag="membership"):
    """Repositories came into the project or were withdrawn from it."""

    left: Literal["enrolled", "withdrawn"]
    repository_ids: list[int]
    hands: list[HandMove] = []


class SettingsMove(msgspec.Struct, frozen=True, tag="settings"):
    """Settings of the course were changed: those that were, by name (`modes.as_data`); none if all was so already."""

    left: dict[str, object]
    before: dict[str, object]


@dataclass(frozen=True, slots=True)
class TaskState:
    """How a task stands: `ended` None while it is open, else how a person ended it and why; and whom it waits for."""

    ended: str | None
    reason: str | None
    addressee_kind: str
    addressee: str
    addressee_id: int | None


class TaskMove(msgspec.Struct, frozen=True, tag="task"):
    """A person ended a task or gave it to somebody; it is about a project, or about the course alone."""

    task_id: int
    project_id: int | None
    left: TaskState
    before: TaskState


class Nothing(msgspec.Struct, frozen=True, tag="nothing"):
    """The change has no inverse."""


Inverse = (
    DeadlineMove | OwnMoves | HandMoves | OpeningMove | Publication | Membership | SettingsMove | TaskMove | Nothing
)


def between(before: Settings, after: Settings) -> SettingsMove:
    """What takes new settings back: only those that differ, so that what others change meanwhile stays."""
    was, left = modes.as_data(before), modes.as_data(after)
    names = [name for name in left if left[name] != was[name]]
    return SettingsMove({name: left[name] for name in names}, {name: was[name] for name in names})


def is_void(inverse: Inverse) -> bool:
    """Whether there is nothing to be taken back by it."""
    match inverse:
        case SettingsMove():
            return not inverse.left
        case DeadlineMove():
            return inverse.left.at == inverse.before.at
        case HandMoves() | OwnMoves():
            return not inverse.moves
    return isinstance(inverse, Nothing)


def project_of(inverse: Inverse, here: int | None) -> int | None:
    """The project that a change is about, made in the issue of the project `here`; None for the course itself."""
    match inverse:
        case SettingsMove():
            return None
        case TaskMove():
            return inverse.project_id
    return here


def stored(inverse: Inverse) -> dict[str, object]:
    """As it is kept in the database."""
    data: dict[str, object] = msgspec.to_builtins(inverse)
    return data


def read(data: object) -> Inverse:
    """As it was kept."""
    inverse: Inverse = msgspec.convert(data, Inverse)
    return inverse

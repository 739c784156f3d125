"""What takes a change back, as data: what it left behind, which must still hold, and what was there before."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

import msgspec

from bot.rules.when import When


@dataclass(frozen=True, slots=True)
class OwnDeadline:
    """A repository's own deadline; `when` None lets it follow the project again."""

    when: When | None
    reason: str | None = None


class OwnMove(msgspec.Struct, frozen=True):
    """One repository's own deadline, after its change and before."""

    repository_id: int
    left: OwnDeadline
    before: OwnDeadline


class DeadlineMove(msgspec.Struct, frozen=True, tag="deadline"):
    """The project's deadline moved."""

    left: When
    before: When


class OwnMoves(msgspec.Struct, frozen=True, tag="own deadlines"):
    """Own deadlines were given or taken."""

    moves: list[OwnMove]


@dataclass(frozen=True, slots=True)
class Hand:
    """The staff's hand as it is stored; `lock` None is no hand."""

    lock: bool | None
    until: datetime | None = None


class HandMove(msgspec.Struct, frozen=True):
    """The staff's hand on one repository, after its change and before."""

    repository_id: int
    left: Hand
    before: Hand


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


class Nothing(msgspec.Struct, frozen=True, tag="nothing"):
    """The change has no inverse."""


Inverse = DeadlineMove | OwnMoves | HandMoves | OpeningMove | Publication | Membership | Nothing


def turned(inverse: Inverse) -> Inverse:
    """What takes the taking back back: an undo is a change too."""
    match inverse:
        case DeadlineMove():
            return DeadlineMove(inverse.before, inverse.left)
        case OpeningMove():
            return OpeningMove(inverse.before, inverse.left)
        case OwnMoves():
            return OwnMoves([OwnMove(it.repository_id, it.before, it.left) for it in inverse.moves])
        case HandMoves():
            return HandMoves([HandMove(it.repository_id, it.before, it.left) for it in inverse.moves])
        case Publication():
            return Publication("draft" if inverse.left == "open" else "open")
        case Membership():
            return Membership("withdrawn" if inverse.left == "enrolled" else "enrolled", inverse.repository_ids)
    return inverse


def stored(inverse: Inverse) -> dict[str, object]:
    """As it is kept in the database."""
    data: dict[str, object] = msgspec.to_builtins(inverse)
    return data


def read(data: object) -> Inverse:
    """As it was kept."""
    inverse: Inverse = msgspec.convert(data, Inverse)
    return inverse

"""GitHub's JSON becomes typed values here: only the fields we need, and nothing untyped beyond this room."""

from typing import TypeVar

import msgspec

from bot.github.failures import ServerBroken

T = TypeVar("T")


def fit(kind: type[T], data: object) -> T:
    """`data` of a successful answer as a `kind`.

    Raises ServerBroken where it has another shape: GitHub did act, and what it did cannot be read.
    """
    try:
        return msgspec.convert(data, kind)
    except msgspec.ValidationError as error:
        raise ServerBroken(f"an answer of another shape: {error}") from None


class Numbered(msgspec.Struct, frozen=True):
    """Anything that was created and is known by its id from then on."""

    id: int


class Account(msgspec.Struct, frozen=True):
    """A user or an organisation. An enterprise has neither login nor type, and is no use to us."""

    id: int
    login: str = ""
    type: str = ""


class Person(msgspec.Struct, frozen=True):
    """An account as it stands to a repository or a team. `role` is the exact role where the list names one."""

    user_id: int = msgspec.field(name="id")
    login: str
    type: str
    role: str = msgspec.field(name="role_name", default="")

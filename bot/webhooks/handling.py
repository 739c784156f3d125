"""What a handler is given, and how it reads a stored body."""

from dataclasses import dataclass
from datetime import datetime
from typing import TypeVar

import msgspec

from bot.errors import GivenUp
from bot.store.deliveries import Delivery

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Handling:
    """The unit of work around one handler: course time, and the login under which our App pushes and comments."""

    now: datetime
    app_login: str


def decode(kind: type[T], delivery: Delivery) -> T:
    """The body as the event's type. Raises GivenUp naming the field where GitHub sent something else."""
    try:
        return msgspec.json.decode(delivery.body, type=kind)
    except msgspec.ValidationError as error:
        raise GivenUp(f"{delivery.event} body: {error}") from error

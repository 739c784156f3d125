"""What the demo stands on. The sandbox does not know the service, so whoever starts the demo lends it these."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Ground:
    """An empty, migrated database in `folder` at `dsn`, how to set its clock, and how to start the service.

    `environment` is what the service would find if a person started it; the demo's own settings go over it.
    """

    folder: Path
    dsn: str
    set_clock: Callable[[datetime], Awaitable[None]]
    serve: Sequence[str]
    environment: Mapping[str, str]


class Broken(Exception):
    """The demo cannot go on; the words are for the person at the terminal."""

"""Two things timed in turns, and their ratio."""

import statistics
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass

Timed = Callable[[], Awaitable[float]]
"""Does something once and returns how long the part that counts took, in seconds."""


@dataclass(frozen=True, slots=True)
class Ratio:
    """What `name` costs: seconds beside those of its base."""

    name: str
    base: str
    seconds: float
    base_seconds: float

    @property
    def times(self) -> float:
        """How many times the base."""
        return self.seconds / self.base_seconds

    def __str__(self) -> str:
        figures = f"{self.base_seconds * 1000:.1f} ms and {self.seconds * 1000:.1f} ms"
        return f"{self.times:8.1f} x  {self.name}, beside {self.base} ({figures})"


Measure = Callable[[str, int, int], AsyncIterator[Ratio]]
"""Given a server's address, a number of repositories and of rounds: the ratios, each as soon as it is known."""


async def compare(name: str, other: Timed, base: str, of_base: Timed, rounds: int) -> Ratio:
    """The medians over so many turns; one turn before them fills the caches and is not counted."""
    base_seconds, seconds = [], []
    for number in range(rounds + 1):
        pair = await of_base(), await other()
        if number:
            base_seconds.append(pair[0])
            seconds.append(pair[1])
    return Ratio(name, base, statistics.median(seconds), statistics.median(base_seconds))


class Watch:
    """Times a block: `with Watch() as watch: ...`, then `watch.seconds`."""

    seconds = 0.0

    def __enter__(self) -> "Watch":
        self._begun = time.perf_counter()
        return self

    def __exit__(self, *_: object) -> None:
        self.seconds = time.perf_counter() - self._begun

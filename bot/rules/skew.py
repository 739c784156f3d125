"""How far clocks may lie apart: only the database's decides, but a wrong one confuses (docs/design.md section 13)."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta

TOLERATED = timedelta(seconds=5)


@dataclass(frozen=True, slots=True)
class ProcessStanding:
    """A living process: by how much its clock, and GitHub's as it knows it, lie ahead of the database's."""

    role: str
    clock_skew: timedelta | None
    github_skew: timedelta | None


def by_clock(processes: list[ProcessStanding]) -> Mapping[str, timedelta]:
    """The greatest distance of each kind of clock that was measured, in either direction."""
    measured = {
        "process": [process.clock_skew for process in processes if process.clock_skew is not None],
        "github": [process.github_skew for process in processes if process.github_skew is not None],
    }
    return {clock: max(found, key=abs) for clock, found in measured.items() if found}

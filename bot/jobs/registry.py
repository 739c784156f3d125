"""The one list of jobs, by the kind of lease each works under, and how many of a kind run at once in a process."""

from collections.abc import Mapping

from bot.jobs import (
    activities,
    boards,
    checks,
    commands,
    delivery_logs,
    dispatches,
    enforcement,
    installations,
    locks,
    outbox,
    reconciliations,
    repositories,
    runs,
)
from bot.jobs.frame import Job

JOBS: Mapping[str, Job] = {
    "locks": locks.run,
    "enforcement": enforcement.run,
    "dispatches": dispatches.run,
    "installations": installations.run,
    "delivery_logs": delivery_logs.run,
    "commands": commands.run,
    "repositories": repositories.run,
    "activities": activities.run,
    "runs": runs.run,
    "reconciliations": reconciliations.run,
    "checks": checks.run,
    "outbox": outbox.run,
    "boards": boards.run,
}

AT_ONCE: Mapping[str, int] = {
    # One lease each for a whole organisation or project; within it four repositories at a time.
    "locks": 8,
    "enforcement": 8,
    "dispatches": 8,
    "installations": 4,
    "delivery_logs": 1,
    "commands": 8,
    "repositories": 4,
    "activities": 8,
    "runs": 8,
    "reconciliations": 4,
    "checks": 8,
    "outbox": 4,
    "boards": 2,
}

"""The moments at which a crash matters, by name, so that a test can kill a real process exactly there.

In production none is armed and `reach` does nothing. One is armed by FAILPOINT, which bot/config.py takes only where
GitHub is a sandbox on this machine (docs/design.md section 12: crashes are tested at named failpoints).
"""

import os
import signal
from collections.abc import Mapping

NAMES: Mapping[str, str] = {
    "delivery.stored": "a delivery and its receipt are stored; GitHub has no answer yet",
    "delivery.understood": "a delivery's handler is done; nothing of it is committed",
    "missed_delivery.read": "the payload of a delivery that never arrived was read from GitHub; nothing is stored",
    "missed_delivery.asked": "GitHub was asked to deliver again what never arrived; the row does not know",
    "deadlines.applied": "deadlines are applied, the provisional freezes written; nothing is committed",
    "deadlines.committed": "deadlines are applied for good; no lock has begun",
    "freezes.committed": "what counts is settled for good; no review has been asked for",
    "lease.taken": "a lease is taken; its job has not begun",
    "lock.trying": "a ruleset of the organisation is about to be sent, and the row says so",
    "lock.answered": "GitHub took a ruleset of the organisation; no row knows",
    "lock.branches_recorded": "a ruleset of the pair is sent and recorded, branches first; the other is not",
    "lock.read": "GitHub said that the lock holds; no row knows",
    "repository_lock.answered": "GitHub took a ruleset of one repository; no row knows",
    "archive.answered": "GitHub archived a repository as its lock; no row knows",
    "deadline_commit.made": "GitHub made the commit that marks a deadline; no row knows, no branch has moved",
    "deadline_commit.recorded": "the commit that marks a deadline is recorded; no branch has moved",
    "deadline_commit.moved": "GitHub moved a branch to the mark of its deadline; no row knows",
    "activity.read": "GitHub listed the pushes of a repository; no receipt knows",
    "dispatch.claimed": "a review is claimed in the ledger; GitHub was not asked",
    "dispatch.answered": "GitHub took the request for a review; the ledger does not know",
    "command.seen": "the reaction that a command was seen is written; it has not run",
    "command.run": "a command has had its effects and has its answer; nothing is committed",
    "outbox.trying": "a comment is about to be posted, and its row says so",
    "outbox.posted": "a comment is posted; no row knows",
    "check.trying": "a check is about to be made, and its row says so",
    "check.made": "GitHub made a check; no row knows",
    "installation.read": "an installation was read from GitHub; nothing is recorded",
    "repository.read": "a repository was read from GitHub; nothing is recorded",
    "reconciliation.read": "the latest runs of a repository were read from GitHub; nothing is recorded",
    "run.read": "the annotations of a run were read from GitHub; no score is recorded",
}
"""Each name is `noun.moment`; what is true at that moment."""

_passes_left: dict[str, int] = {}


def arm(spec: str) -> None:
    """Have this process die at a point, `name` or `name:skip` to pass it so often first; "" arms none.

    Raises ValueError saying what is wrong with the words.
    """
    name, _, skip = spec.partition(":")
    if not spec:
        return
    if name not in NAMES:
        raise ValueError(f"there is no point {name!r}; there are {', '.join(NAMES)}")
    if skip and not skip.isdecimal():
        raise ValueError(f"{skip!r} is not how often to pass it")
    _passes_left[name] = int(skip or 0)


def reach(name: str) -> None:
    """Die here, as by `kill -9`, if the point is armed and has been passed often enough."""
    if name not in _passes_left:
        return
    if _passes_left[name] == 0:
        os.kill(os.getpid(), signal.SIGKILL)
    _passes_left[name] -= 1

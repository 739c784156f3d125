"""The one gate every call of an installation passes: shadow mode, budget and pause (docs/design.md sections 2 and 5).

The room knows how to wait and how to be refused; who keeps the counts (the installation's row, shared by all
processes) is handed in as a `Gate`.
"""

import asyncio
import enum
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Literal, Protocol

from bot.github.failures import Closing, HeldByShadow, Paused


class Urgency(enum.IntEnum):
    """Who goes first when the budget is short: deadlines first, comments last."""

    DEADLINE = 0
    REVIEW = 1
    READ = 2
    CHECK = 3
    COMMENT = 4


@dataclass(slots=True)
class Passage:
    """How far one call came: while it is not `out`, GitHub certainly has not heard of it, or has said no to it."""

    out: bool = False


@dataclass(frozen=True, slots=True)
class Call:
    """One call as the gate sees it. `repository_ids` are the repositories it would change; `lifts`: by opening them."""

    method: str
    path: str
    account_id: int
    installation_id: int
    repository_ids: tuple[int, ...]
    urgency: Urgency
    creates_content: bool
    lifts: bool = False
    passage: Passage = field(default_factory=Passage, compare=False, repr=False)

    @property
    def writes(self) -> bool:
        """Whether the call may change something on GitHub."""
        return self.method not in {"GET", "HEAD", "OPTIONS"}

    @property
    def points(self) -> int:
        """What the call costs of the 900 points a minute ("Rate limits for the REST API")."""
        return 5 if self.writes else 1


@dataclass(frozen=True, slots=True)
class Admission:
    """The gate's word: go; wait `after_seconds` and ask again; paused until then; or held by shadow mode."""

    verdict: Literal["go", "wait", "paused", "shadow"]
    after_seconds: float = 0.0


class Gate(Protocol):
    """Who admits calls. `admit` counts what it admits, and is told when that is `done`."""

    async def admit(self, call: Call) -> Admission:
        """Decide whether `call` may go out now."""
        ...

    def done(self, call: Call) -> None:
        """An admitted call has ended, however."""
        ...

    async def pause(self, call: Call, seconds: float) -> None:
        """GitHub limited `call`: hold every call of its installation for `seconds` of real time."""
        ...

    async def moved(self, call: Call) -> None:
        """GitHub sent `call` on: what it is about has another name now."""
        ...


async def pass_through(gate: Gate, call: Call, *, patience_seconds: float, closing: asyncio.Event) -> None:
    """Return once `call` may go out, having waited at most `patience_seconds`; it is then to be reported as `done`.

    Raises Paused where that would not be enough, HeldByShadow, and Closing where the process ends first.
    """
    loop = asyncio.get_running_loop()
    give_up_at = loop.time() + patience_seconds
    while not closing.is_set():
        admission = await gate.admit(call)
        if admission.verdict == "go":
            return
        after = admission.after_seconds
        if admission.verdict == "shadow":
            raise HeldByShadow("held by shadow mode", method=call.method, path=call.path)
        if admission.verdict == "paused":
            raise Paused("the installation pauses", after_seconds=after, method=call.method, path=call.path)
        if loop.time() + after > give_up_at:
            raise Paused("the budget is spent", after_seconds=after, method=call.method, path=call.path)
        with suppress(TimeoutError):
            async with asyncio.timeout(after):
                await closing.wait()
    raise Closing(method=call.method, path=call.path)

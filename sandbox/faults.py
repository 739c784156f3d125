"""What can go wrong between the service and GitHub, arranged by a test."""

import asyncio
from dataclasses import dataclass, field
from typing import Any, Literal

from sandbox.calls import normal_route

Side = Literal["before", "after"]


@dataclass
class Fault:
    """The next `times` calls that fit `method` and `route` (any, if None), after letting `skip` pass, go wrong.

    `status` (with `headers` and `body`) is answered instead of doing the work, or after it with `after_effect`.
    `moved` sends the caller on, with a redirect's `status`, to where the call would have been done.
    `delay` holds the answer back for so many seconds; `drop` closes the connection before or after the effect;
    `hold` stops the call there until `release()`, and `reached` is set when it got there.
    """

    method: str | None = None
    route: str | None = None
    times: int = 1
    skip: int = 0
    status: int | None = None
    after_effect: bool = False
    moved: bool = False
    headers: dict[str, str] = field(default_factory=dict)
    body: dict[str, Any] = field(default_factory=dict)
    delay: float = 0.0
    drop: Side | None = None
    hold: Side | None = None
    reached: asyncio.Event = field(default_factory=asyncio.Event, repr=False)
    released: asyncio.Event = field(default_factory=asyncio.Event, repr=False)

    @property
    def prevents(self) -> bool:
        """Whether the call has no effect."""
        return self.drop == "before" or (self.status is not None and not self.after_effect)

    def release(self) -> None:
        """Let the held call, and those after it, go on."""
        self.released.set()

    async def wait_at(self, side: Side) -> None:
        """Stop here if this is the side at which the call is held."""
        if self.hold == side:
            self.reached.set()
            await self.released.wait()

    def fits(self, method: str, route: str) -> bool:
        """Whether a call is one of those meant."""
        return self.method in (None, method) and (self.route is None or normal_route(self.route) == normal_route(route))


class Faults:
    """The faults that still wait for their calls, oldest first."""

    def __init__(self) -> None:
        self._waiting: list[Fault] = []

    def add(self, fault: Fault) -> Fault:
        """Arrange a fault; returned so that a test can wait for it."""
        self._waiting.append(fault)
        return fault

    def clear(self) -> None:
        """Forget those that have not struck."""
        self._waiting.clear()

    def take(self, method: str, route: str) -> Fault | None:
        """The fault of this call, one of its times used up."""
        fault = next((fault for fault in self._waiting if fault.fits(method, route)), None)
        if fault is None:
            return None
        if fault.skip:
            fault.skip -= 1
            return None
        fault.times -= 1
        if fault.times <= 0:
            self._waiting.remove(fault)
        return fault

    @property
    def pending(self) -> list[Fault]:
        """What has been arranged and has not struck: a test that leaves any has not tested what it meant."""
        return list(self._waiting)

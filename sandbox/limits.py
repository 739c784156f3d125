"""The rate limits of an installation, as GitHub counts them (docs: rate limits for the REST API)."""

from collections import Counter, defaultdict
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import cycle
from typing import TYPE_CHECKING

from sandbox.clock import Clock
from sandbox.errors import Refused
from sandbox.secondary_limits import Refusals, Spending

if TYPE_CHECKING:
    from sandbox.installation import Installation

WINDOW = timedelta(hours=1)
LEAST, MOST, ENTERPRISE = 5_000, 12_500, 15_000


@dataclass
class Allowance:
    """The calls of one hour of real time."""

    until: datetime
    limit: int
    used: int = 0

    def headers(self, clock: Clock) -> dict[str, str]:
        """The x-ratelimit headers of an answer, the reset by GitHub's clock."""
        return {
            "x-ratelimit-limit": str(self.limit),
            "x-ratelimit-remaining": str(max(0, self.limit - self.used)),
            "x-ratelimit-used": str(self.used),
            "x-ratelimit-reset": str(int(clock.shown(self.until).timestamp())),
            "x-ratelimit-resource": "core",
        }


class Limits:
    """One allowance per installation; the App's own calls have another (key None).

    The secondary limits hold once `enforce` is called. `violations` counts the calls that broke a limit, by its name.
    """

    def __init__(self) -> None:
        self.violations: Counter[str] = Counter()
        self.spending: defaultdict[int, Spending] = defaultdict(Spending)
        self._allowances: dict[int | None, Allowance] = {}
        self._enforced = False
        self._refusals = Refusals()
        # GitHub documents both for a spent allowance.
        self._statuses = cycle([403, 429])

    def enforce(self) -> None:
        """Refuse from now on what breaks a secondary limit."""
        self._enforced = True

    def elapse(self, by: timedelta) -> None:
        """Let so much real time pass for the limits alone."""
        for allowance in self._allowances.values():
            allowance.until -= by
        for spending in self.spending.values():
            spending.elapse(by)

    def use(self, installation: "Installation | None", clock: Clock, method: str, route: str) -> dict[str, str]:
        """Count a call and return its headers. Raises Refused (403 or 429) where it breaks a limit."""
        allowance = self.of(installation, clock.real())
        if allowance.used >= allowance.limit:
            self.violations["primary"] += 1
            number = None if installation is None else installation.id
            text = f"API rate limit exceeded for installation ID {number}."
            raise Refused(next(self._statuses), text, headers=allowance.headers(clock))
        if installation is not None and self._enforced:
            broken = self.spending[installation.id].exceeded(method, route, clock.real())
            if broken is not None:
                self.violations[broken] += 1
                raise self._refusals.next(broken)
        allowance.used += 1
        return allowance.headers(clock)

    def of(self, installation: "Installation | None", now: datetime) -> Allowance:
        """The allowance of the present hour."""
        key = None if installation is None else installation.id
        allowance = self._allowances.get(key)
        if allowance is None or allowance.until <= now:
            allowance = self._allowances[key] = Allowance(now + WINDOW, _limit(installation))
        return allowance


def _limit(installation: "Installation | None") -> int:
    if installation is None:
        return LEAST
    org = installation.organisation
    if org.plan == "enterprise":
        return ENTERPRISE
    extra = max(0, len(org.repositories) - 20) + max(0, len(org.memberships) - 20)
    return min(MOST, LEAST + 50 * extra)

"""The primary rate limit, as GitHub counts it for an installation (docs: rate limits for the REST API)."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from sandbox.clock import Clock
from sandbox.errors import Refused

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
    """One allowance per installation; the App's own calls have another (key None)."""

    def __init__(self) -> None:
        self._allowances: dict[int | None, Allowance] = {}

    def use(self, installation: "Installation | None", clock: Clock) -> dict[str, str]:
        """Count a call and return its headers. Raises Refused (403) once the hour's calls are used up."""
        allowance = self.of(installation, clock.real())
        if allowance.used >= allowance.limit:
            number = None if installation is None else installation.id
            raise Refused(
                403, f"API rate limit exceeded for installation ID {number}.", headers=allowance.headers(clock)
            )
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

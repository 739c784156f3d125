"""GitHub's secondary rate limits, as it documents them (docs: rate limits for the REST API): by real time, sliding."""

from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import cycle

from sandbox.calls import SAFE_METHODS
from sandbox.errors import Refused

MINUTE, HOUR = timedelta(minutes=1), timedelta(hours=1)
MOST_AT_ONCE = 100
POINTS_A_MINUTE = 900
CONTENTS_A_MINUTE, CONTENTS_AN_HOUR = 80, 500
READ_POINTS, WRITE_POINTS = 1, 5
# The endpoints of those imitated here whose documentation warns of "creating content too quickly".
CREATES_CONTENT = ("/issues", "/issues/{issue_number}/comments")

TOO_MUCH = "You have exceeded a secondary rate limit. Please wait a few minutes before you try again."
TOO_MUCH_CONTENT = (
    "You have exceeded a secondary rate limit and have been temporarily blocked from content creation. "
    "Please retry your request again later."
)
RETRY_AFTER = {"retry-after": "60"}


@dataclass
class Spending:
    """What one installation has done lately."""

    points: deque[tuple[datetime, int]] = field(default_factory=deque)
    contents: deque[datetime] = field(default_factory=deque)
    at_once: int = 0
    most_at_once: int = 0

    @contextmanager
    def answering(self) -> Iterator[None]:
        """A call that is being answered while the block runs."""
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        try:
            yield
        finally:
            self.at_once -= 1

    def exceeded(self, method: str, route: str, now: datetime) -> str | None:
        """The limit that this call breaks, by name; None where it breaks none, and is counted."""
        self._forget(now)
        points = READ_POINTS if method in SAFE_METHODS else WRITE_POINTS
        creates = method == "POST" and route.endswith(CREATES_CONTENT)
        last_minute = sum(at > now - MINUTE for at in self.contents)
        broken = {
            "at once": self.at_once > MOST_AT_ONCE,
            "points": sum(spent for _, spent in self.points) + points > POINTS_A_MINUTE,
            "content in a minute": creates and last_minute >= CONTENTS_A_MINUTE,
            "content in an hour": creates and len(self.contents) >= CONTENTS_AN_HOUR,
        }
        if any(broken.values()):
            return next(name for name, is_broken in broken.items() if is_broken)
        self.points.append((now, points))
        if creates:
            self.contents.append(now)
        return None

    def elapse(self, by: timedelta) -> None:
        """All of it lies further back by so much."""
        self.points = deque((at - by, spent) for at, spent in self.points)
        self.contents = deque(at - by for at in self.contents)

    def _forget(self, now: datetime) -> None:
        while self.points and self.points[0][0] <= now - MINUTE:
            self.points.popleft()
        while self.contents and self.contents[0] <= now - HOUR:
            self.contents.popleft()


class Refusals:
    """GitHub answers 403 or 429, and says or does not say for how long: each of the four in turn."""

    def __init__(self) -> None:
        self._forms = cycle([(403, RETRY_AFTER), (429, {}), (403, {}), (429, RETRY_AFTER)])

    def next(self, limit: str) -> Refused:
        """The refusal of a call that broke this limit."""
        status, headers = next(self._forms)
        return Refused(status, TOO_MUCH_CONTENT if limit.startswith("content") else TOO_MUCH, headers=dict(headers))

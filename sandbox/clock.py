"""The sandbox's time: the machine's, shifted, or standing still."""

import time
from datetime import UTC, datetime, timedelta

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class Clock:
    """Tells GitHub's time. It runs with the machine until it is shifted or made to stand."""

    def __init__(self) -> None:
        self._shift = timedelta()
        self._standing: datetime | None = None

    @staticmethod
    def real() -> datetime:
        """The machine's time, UTC: tokens, JWTs and rate limits live by it, whatever the course's clock says."""
        return EPOCH + timedelta(microseconds=time.time_ns() // 1000)

    def now(self) -> datetime:
        """GitHub's present time, UTC: what every object, event and `Date` header is stamped with."""
        return self._standing if self._standing is not None else self.real() + self._shift

    def shown(self, real: datetime) -> datetime:
        """What this clock shows at a moment of real time, if it runs on: how GitHub states an expiry or a reset."""
        return self.now() + (real - self.real())

    def shift(self, by: timedelta) -> None:
        """Move the clock by `by`, running or standing."""
        if self._standing is not None:
            self._standing += by
        else:
            self._shift += by

    def stand_at(self, moment: datetime) -> None:
        """Stop the clock at `moment`, which must be aware."""
        self._standing = moment.astimezone(UTC)

    def run(self) -> None:
        """Let a standing clock run on from where it stands."""
        if self._standing is not None:
            self._shift = self._standing - self.real()
            self._standing = None


def stamp(moment: datetime) -> str:
    """A moment as GitHub writes it: whole seconds with a Z."""
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def stamp_or_none(moment: datetime | None) -> str | None:
    """The same for a moment that may not have come."""
    return None if moment is None else stamp(moment)

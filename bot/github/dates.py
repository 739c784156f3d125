"""Time by GitHub's own clock: differences between two of its headers owe nothing to the clock of this machine."""

import time
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime

UNSAID_SECONDS = 60.0
"""How long GitHub asks to wait at a secondary limit that names no time ("Rate limits for the REST API")."""

LONGEST_SECONDS = 3600.0
"""Primary limits are counted by the hour, so no honest answer asks for more."""


def read_date(headers: Mapping[str, str]) -> datetime | None:
    """The `Date` of an answer, in UTC; None where it has none or one that is no date."""
    try:
        date = parsedate_to_datetime(headers.get("date", ""))
    except ValueError:
        return None
    return date.replace(tzinfo=UTC) if date.tzinfo is None else date.astimezone(UTC)


def seconds_to_wait(headers: Mapping[str, str]) -> float:
    """Real seconds until a refused call may be tried again: `retry-after`, else the reset of a spent limit, else 60."""
    wait = _number(headers, "retry-after")
    if wait is None and headers.get("x-ratelimit-remaining") == "0":
        wait = _until_reset(headers)
    return UNSAID_SECONDS if wait is None else min(max(wait, 1.0), LONGEST_SECONDS)


def _until_reset(headers: Mapping[str, str]) -> float | None:
    reset, date = _number(headers, "x-ratelimit-reset"), read_date(headers)
    return None if reset is None or date is None else reset - date.timestamp()


def _number(headers: Mapping[str, str], name: str) -> float | None:
    value = headers.get(name, "").strip()
    return float(value) if value.isascii() and value.isdigit() else None


class GitHubClock:
    """GitHub's present time: the latest `Date` we were given, carried on by monotonic time."""

    def __init__(self) -> None:
        self._heard: tuple[datetime, float] | None = None

    def hear(self, date: datetime | None) -> None:
        """Take over the `Date` of an answer that has just arrived."""
        if date is not None:
            self._heard = date, time.monotonic()

    def now(self) -> datetime | None:
        """GitHub's time now in UTC, good to about a second; None before its first answer."""
        if self._heard is None:
            return None
        date, at = self._heard
        return date + timedelta(seconds=time.monotonic() - at)

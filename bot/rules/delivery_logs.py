"""What GitHub's log of deliveries tells: attempts, put together by delivery."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Attempt:
    """One line of the log. A redelivery is another one with the same GUID."""

    id: int
    guid: str
    event: str
    delivered_at: datetime


@dataclass(frozen=True, slots=True)
class Logged:
    """A delivery by all its attempts: when the first was made (UTC), and the number of the newest.

    Of the newest GitHub keeps the payload for longest; it is the same in all.
    """

    guid: str
    event: str
    first_at: datetime
    attempt_id: int


def deliveries(attempts: Iterable[Attempt]) -> list[Logged]:
    """The deliveries in the order in which they are recovered: pushes before the rest, the oldest first.

    Whether an attempt succeeded is not asked: what we never stored is missing, whatever GitHub was answered.
    """
    by_guid: dict[str, list[Attempt]] = {}
    for attempt in attempts:
        by_guid.setdefault(attempt.guid, []).append(attempt)
    found = [_together(of_one) for of_one in by_guid.values()]
    return sorted(found, key=lambda one: (one.event != "push", one.first_at, one.attempt_id))


def _together(attempts: list[Attempt]) -> Logged:
    newest = max(attempts, key=lambda attempt: (attempt.delivered_at, attempt.id))
    return Logged(newest.guid, newest.event, min(attempt.delivered_at for attempt in attempts), newest.id)

"""A repository's activity: GitHub's own list of what happened to its branches. Source: "List repository activities"."""

from datetime import datetime

import msgspec

from bot.github.api import Api
from bot.github.shapes import Account, fit

BRANCH = "refs/heads/"
NO_COMMIT = "0" * 40
MOST_PAGES = 20
"""2,000 pushes: more than a course makes in one repository."""


class Entry(msgspec.Struct, frozen=True):
    """One move of a branch. `timestamp` is the server's, in whole seconds; `actor` is missing where the account is."""

    id: int
    before: str
    after: str
    ref: str
    timestamp: datetime
    kind: str = msgspec.field(name="activity_type")
    actor: Account | None = None

    @property
    def is_push(self) -> bool:
        """Whether it left a head on a branch."""
        return self.ref.startswith(BRANCH) and self.after != NO_COMMIT


class Listed(msgspec.Struct, frozen=True):
    """The entries of a reading, oldest first; `whole` if there are no older ones."""

    entries: list[Entry]
    whole: bool


async def read(api: Api, repository_id: int, back_to: datetime | None) -> Listed:
    """What happened since `back_to` (UTC), or ever, as far as GitHub keeps it."""
    found: list[Entry] = []
    pages = 0
    async for page in api.page_by_page(f"/repositories/{repository_id}/activity", repository_id=repository_id):
        entries = fit(list[Entry], page)
        found += entries
        pages += 1
        # Entries may lie out of order: a page is the last one when all of it is old.
        if pages == MOST_PAGES or (back_to is not None and all(entry.timestamp < back_to for entry in entries)):
            return Listed(_in_order(found, back_to), whole=False)
    kept = _in_order(found, back_to)
    return Listed(kept, whole=len(kept) == len(found))


def _in_order(entries: list[Entry], back_to: datetime | None) -> list[Entry]:
    kept = [entry for entry in entries if back_to is None or entry.timestamp >= back_to]
    return sorted(kept, key=lambda entry: (entry.timestamp, entry.id))

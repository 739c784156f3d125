"""The next step towards the wanted lock of one repository (docs/design.md section 6)."""

import enum
from dataclasses import dataclass
from datetime import datetime

ARCHIVE, OWN = "archive", "repository"
"""The weaker locks, as `lock_kind` names them."""
PAIR = 2
"""Branches and tags: a repository is closed once both rulesets hold it; the archive counts for both."""


@dataclass(frozen=True, slots=True)
class Standing:
    """What is wanted of a repository, and what GitHub holds: how many rulesets of its own pair, or the archive.

    `named` counts those of the organisation's pair that name it too. `lock_tried_at`: since when it is not known
    whether GitHub holds that; `lock_tried_kind` says which lock that is about.
    """

    id: int
    default_branch: str
    wanted_lock: bool | None
    rulesets: int
    lock_kind: str | None
    branch_ruleset_id: int | None
    tag_ruleset_id: int | None
    bypass_stale: bool
    named: int
    lock_refused: str | None
    lock_tried_at: datetime | None = None
    lock_tried_kind: str | None = None
    rulesets_dormant: bool = False

    @property
    def may_have_rulesets(self) -> bool:
        """Whether it has rulesets of its own, or may have some, whatever the plan makes of them."""
        known = self.branch_ruleset_id is not None or self.tag_ruleset_id is not None
        return known or self.rulesets_dormant or self.lock_tried_kind == OWN

    @property
    def may_be_archived(self) -> bool:
        """Whether an archive would be our lock, and not somebody else's."""
        return ARCHIVE in (self.lock_kind, self.lock_tried_kind)


class Step(enum.Enum):
    """One thing to do on GitHub; after it the row is read again."""

    LOOK = "look"
    CLOSE = "close"
    OPEN = "open"
    UNARCHIVE = "unarchive"


def next_step(now: Standing) -> Step | None:
    """None where GitHub is known to hold what is wanted, no rule speaks, or the organisation's set is in charge."""
    if now.lock_tried_at is not None:
        # Whatever is wanted by now: what to do about it depends on what GitHub holds.
        return Step.LOOK
    if now.lock_kind == "organisation" or (now.lock_kind is None and now.lock_refused is None):
        return None
    if now.named < PAIR and now.wanted_lock and (now.rulesets < PAIR or now.bypass_stale):
        return Step.CLOSE
    # Whoever is held by the organisation's pair as well needs the weaker lock no more: it is never open in between.
    if now.lock_kind is not None and (now.wanted_lock is False or (now.wanted_lock and now.named == PAIR)):
        return Step.UNARCHIVE if now.lock_kind == ARCHIVE else Step.OPEN
    return None

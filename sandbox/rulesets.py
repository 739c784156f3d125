"""Rulesets, and what they say to a push."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Union

from sandbox.access import role_of
from sandbox.git import BRANCH, TAG, RefChange
from sandbox.user import User

if TYPE_CHECKING:
    from sandbox.organisation import Organisation
    from sandbox.repository import Repository

PREFIX = {"branch": BRANCH, "tag": TAG}
# The ids GitHub gives the built-in repository roles that can bypass.
ROLE_IDS = {2: "maintain", 4: "write", 5: "admin"}


@dataclass(eq=False)
class Ruleset:
    """A ruleset of an organisation or of one repository; the parts are kept as the API spells them."""

    id: int
    source: Union["Organisation", "Repository"]
    created_at: datetime
    updated_at: datetime
    name: str = ""
    target: str = "branch"
    enforcement: str = "active"
    bypass_actors: list[dict[str, Any]] = field(default_factory=list)
    conditions: dict[str, Any] = field(default_factory=dict)
    rules: list[dict[str, Any]] = field(default_factory=list)

    @property
    def repository_ids(self) -> frozenset[int]:
        """The repositories an organisation's ruleset lists by id."""
        return _id_set(tuple(self.conditions.get("repository_id", {}).get("repository_ids", ())))

    @property
    def rule_types(self) -> set[str]:
        """The kinds of rules in it."""
        return {rule["type"] for rule in self.rules}

    def covers(self, repo: "Repository") -> bool:
        """Whether the repository is among those meant. A repository's own ruleset has no such condition."""
        if self.source is repo or "repository_id" in self.conditions:
            return self.source is repo or repo.id in self.repository_ids
        names = self.conditions.get("repository_name", {})
        return _included(names, lambda pattern: pattern == "~ALL" or _fnmatch(pattern, repo.name))

    def applies_to(self, repo: "Repository", ref: str) -> bool:
        """Whether the ruleset is in force for a ref of the repository."""
        return (
            self.enforcement == "active"
            and ref.startswith(PREFIX[self.target])
            and self.covers(repo)
            and _included(self.conditions.get("ref_name", {}), lambda pattern: _ref_fits(pattern, repo, ref))
        )

    def bypassed_by(self, user: User, repo: "Repository") -> bool:
        """Whether the user may push past it. `pull_request` bypass does not help a push."""
        return any(
            actor.get("bypass_mode", "always") in ("always", "exempt") and _is_actor(actor, user, repo)
            for actor in self.bypass_actors
        )


def in_force(repo: "Repository", ref: str) -> Iterator[Ruleset]:
    """The active rulesets of every level that bear on a ref, as far as the plan has rulesets at all."""
    if repo.owner.has_rulesets:
        yield from (ruleset for ruleset in repo.owner.rulesets.values() if ruleset.applies_to(repo, ref))
    if repo.has_rulesets:
        yield from (ruleset for ruleset in repo.rulesets.values() if ruleset.applies_to(repo, ref))


def violations(repo: "Repository", change: RefChange, user: User) -> list[str]:
    """What the rules say against a push, in GitHub's sentences; empty if it may pass."""
    kind = "tag" if change.ref.startswith(TAG) else "branch"
    broken = [
        sentence
        for ruleset in in_force(repo, change.ref)
        if not ruleset.bypassed_by(user, repo)
        for sentence in _broken(ruleset.rule_types, change, kind)
    ]
    return list(dict.fromkeys(broken))


def _broken(rules: set[str], change: RefChange, kind: str) -> Iterator[str]:
    if change.creates and "creation" in rules:
        yield "Cannot create ref due to creations being restricted."
    if change.deletes and "deletion" in rules:
        yield f"Cannot delete this {kind}"
    if change.forced and "non_fast_forward" in rules:
        yield f"Cannot force-push to this {kind}"
    if not change.creates and not change.deletes and "update" in rules:
        yield "Cannot update this protected ref."


def _is_actor(actor: dict[str, Any], user: User, repo: "Repository") -> bool:
    kind, number = actor["actor_type"], actor.get("actor_id")
    org = repo.owner
    if kind == "Integration":
        return user.app_id is not None and user.app_id == number
    if kind == "Team":
        return any(team.id == number and team.has(user) for team in org.teams.values())
    if kind == "RepositoryRole":
        return role_of(repo, user) == ROLE_IDS.get(number or 0)
    return org.is_owner(user) if kind == "OrganizationAdmin" else kind == "User" and user.id == number


def _included(condition: dict[str, Any], fits: Any) -> bool:
    return any(map(fits, condition.get("include", ()))) and not any(map(fits, condition.get("exclude", ())))


def _ref_fits(pattern: str, repo: "Repository", ref: str) -> bool:
    if pattern == "~DEFAULT_BRANCH":
        return ref == BRANCH + repo.default_branch
    return pattern == "~ALL" or _fnmatch(pattern, ref)


def _fnmatch(pattern: str, name: str) -> bool:
    """Ruby's File.fnmatch with FNM_PATHNAME: a single star stops at a slash."""
    return _compiled(pattern).fullmatch(name) is not None


@lru_cache(maxsize=4096)
def _compiled(pattern: str) -> re.Pattern[str]:
    meaning = {"**/": "(?:[^/]+/)*", "**": ".*", "*": "[^/]*", "?": "[^/]"}
    return re.compile("".join(meaning.get(part, re.escape(part)) for part in re.split(r"(\*\*/|\*\*|\*|\?)", pattern)))


@lru_cache(maxsize=256)
def _id_set(ids: tuple[int, ...]) -> frozenset[int]:
    return frozenset(ids)

"""The receiving end of a push: permission, rulesets, then the refs, the activity and what follows from it."""

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING
from urllib.parse import quote

from sandbox import actions, events
from sandbox.access import at_least, role_of
from sandbox.activity import Activity, Merge
from sandbox.errors import PushRefused
from sandbox.git import RefChange
from sandbox.rulesets import violations
from sandbox.user import User

if TYPE_CHECKING:
    from sandbox.repository import Repository

# docs, push event: there is none for tags when more than this many are pushed at once.
MOST_TAGS_TOLD = 3


@dataclass(frozen=True)
class RefusedPush:
    """A push that never happened: it leaves no event, no activity and no commit on any ref."""

    at: datetime
    user: User
    change: RefChange
    violations: tuple[str, ...]


def refusal(repo: "Repository", user: User, change: RefChange) -> PushRefused | None:
    """Why this push would be declined now, None if it would be taken."""
    if not _may_write(repo, user):
        return PushRefused(f"remote: Permission to {repo.full_name}.git denied to {user.login}.")
    if repo.archived:
        return PushRefused("remote: This repository was archived so it is read-only.")
    broken = violations(repo, change, user)
    return PushRefused(_gh013(repo, change, broken), broken) if broken else None


def receive(repo: "Repository", user: User, *changes: RefChange, merge: Merge | None = None) -> None:
    """Take a push, of one ref or of several at once; a ref that is declined holds up no other.

    Raises PushRefused for the first that was declined, after noting each in `repo.refused_pushes`.
    """
    answers = [(change, refusal(repo, user, change)) for change in changes]
    taken = [change for change, refused in answers if refused is None]
    tags_are_told = sum(change.branch is None for change in taken) <= MOST_TAGS_TOLD
    for change in taken:
        _take(repo, user, change, merge)
        if change.branch is not None or tags_are_told:
            events.pushed(repo, change, user)
        if change.branch is not None and not change.deletes:
            actions.start_for_push(repo, change.branch, change.after, user)
    declined = [(change, refused) for change, refused in answers if refused is not None]
    for change, refused in declined:
        repo.refused_pushes.append(RefusedPush(repo.world.clock.now(), user, change, refused.violations))
    if declined:
        raise declined[0][1]


def _take(repo: "Repository", user: User, change: RefChange, merge: Merge | None) -> None:
    """Move the ref and record it."""
    repo.git.apply(change)
    repo.pushed_at = repo.world.clock.now()
    if change.branch is not None:
        repo.activity.append(Activity(repo.world.ids.large(), repo.pushed_at, user, change, merge))


def _may_write(repo: "Repository", user: User) -> bool:
    """People and other bots by their role; the App by its installation; GitHub Actions by its own token."""
    if user is repo.world.app.bot:
        installation = repo.owner.installation
        return installation is not None and installation.may(repo, "contents", "write")
    return user is repo.world.actions_bot or at_least(role_of(repo, user), "write")


def _gh013(repo: "Repository", change: RefChange, broken: list[str]) -> str:
    name = change.ref.split("/", 2)[-1]
    lines = [
        f"remote: error: GH013: Repository rule violations found for {change.ref}.",
        f"remote: Review all repository rules at {repo.html_url}/rules?ref={quote(change.ref, safe='')}",
        "remote: ",
        *(f"remote: - {sentence}" for sentence in broken),
        "remote: ",
        f" ! [remote rejected] {name} -> {name} (push declined due to repository rule violations)",
    ]
    return "\n".join(lines)

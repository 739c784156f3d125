"""Repositories, and what people do in them."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from sandbox import events, forks, pushes
from sandbox.actions import Dispatch, Run, Workflow
from sandbox.activity import Activity, ActivityLog, Merge
from sandbox.checks import Checks
from sandbox.errors import PushRefused
from sandbox.git import BRANCH, TAG, ZERO, Git, RefChange, Signature
from sandbox.issues import Comment, Issue
from sandbox.rulesets import Ruleset
from sandbox.user import User

if TYPE_CHECKING:
    from sandbox.organisation import Organisation
    from sandbox.world import World


@dataclass
class Collaborator:
    """A direct grant: a role (read, triage, write, maintain, admin) to a user."""

    user: User
    role: str


class Repository:
    """A repository of an organisation. Its id stays; its name, owner and visibility may change."""

    def __init__(self, world: "World", owner: "Organisation", name: str, private: bool, default_branch: str) -> None:
        self.world = world
        self.id = world.ids.small()
        self.owner = owner
        self.name = name
        self.private = private
        self.default_branch = default_branch
        self.template = False
        self.archived = False
        self.created_at: datetime = world.clock.now()
        self.pushed_at: datetime = self.created_at
        self.stale_pushed_at: datetime | None = None
        self.is_fork = False
        self.collaborators: dict[int, Collaborator] = {}
        self.workflows: dict[str, Workflow] = {}
        self.workflow_ids: dict[str, int] = {}
        self.runs: list[Run] = []
        self.git = Git(str(self.id))
        self.activity = ActivityLog()
        self.refused_pushes: list[pushes.RefusedPush] = []
        self.rulesets: dict[int, Ruleset] = {}
        self.issues: dict[int, Issue] = {}
        self.comments: dict[int, Comment] = {}
        self.checks = Checks(self)
        self.dispatches: list[Dispatch] = []

    @property
    def full_name(self) -> str:
        """`owner/name` as it is now."""
        return f"{self.owner.login}/{self.name}"

    @property
    def key(self) -> str:
        """The name in the form it is looked up by: GitHub's names ignore case."""
        return self.full_name.lower()

    @property
    def organisation(self) -> "Organisation":
        """What it belongs to."""
        return self.owner

    @property
    def source_name(self) -> str:
        """How a ruleset names its source."""
        return self.full_name

    @property
    def html_url(self) -> str:
        """Its page."""
        return f"{self.world.url}/{self.full_name}"

    @property
    def has_rulesets(self) -> bool:
        """A private repository of a free organisation has none."""
        return self.owner.plan != "free" or not self.private

    def begin(self, user: User) -> None:
        """The first commit, made with the repository: recorded as activity, told to nobody."""
        sha = self.commit(user, message="Initial commit")
        change = self.git.change(BRANCH + self.default_branch, sha)
        self.git.apply(change)
        self.activity.append(Activity(self.world.ids.large(), self.created_at, user, change))

    def head(self, branch: str | None = None) -> str:
        """The commit a branch (the default one) points at."""
        return self.git.refs[BRANCH + (branch or self.default_branch)]

    def push(
        self,
        user: User,
        branch: str | None = None,
        message: str = "work",
        force: bool = False,
        to_sha: str | None = None,
        author_date: datetime | None = None,
    ) -> str:
        """Push one new commit, or the existing `to_sha`, and return the sha. A new branch begins at the default one.

        `force` replaces the head instead of adding to it; `author_date` is what git claims. Raises PushRefused.
        """
        ref = BRANCH + (branch or self.default_branch)
        head = self.git.refs.get(ref, self.git.head(BRANCH + self.default_branch))
        parent = self._parent_of(head) if force else head
        sha = to_sha or self.commit(user, parent, message=message, author_date=author_date)
        change = self.git.change(ref, sha)
        if change.forced and not force:
            raise PushRefused(f" ! [rejected] {ref} -> {ref} (non-fast-forward)")
        self._receive(user, change, () if to_sha else (sha,))
        return sha

    def push_several(
        self, user: User, count: int, branch: str | None = None, author_date: datetime | None = None
    ) -> list[str]:
        """Push so many new commits at once and return their shas, oldest first. Raises PushRefused."""
        ref = BRANCH + (branch or self.default_branch)
        shas = [self.git.refs.get(ref, self.git.head(BRANCH + self.default_branch))]
        for number in range(count):
            shas.append(self.commit(user, shas[-1], message=f"work {number + 1}", author_date=author_date))
        self._receive(user, self.git.change(ref, shas[-1]), shas[1:])
        return shas[1:]

    def merge(self, user: User, branch: str, into: str | None = None, kind: Merge = "pr_merge") -> str:
        """Have GitHub merge a branch (into the default one) for a pull request: a commit with two parents."""
        ref = BRANCH + (into or self.default_branch)
        sha = self.commit(user, self.git.refs[ref], self.head(branch), message=f"Merge {branch}")
        self._receive(user, self.git.change(ref, sha), (sha,), kind)
        return sha

    def commit(self, user: User, *parents: str, message: str = "work", author_date: datetime | None = None) -> str:
        """Commit a new tree in somebody's clone: no ref moves until `push(to_sha=…)`. Its date is what git claims."""
        email = f"{user.id}+{user.login}@users.noreply.github.com"
        signature = Signature(user.login, email, author_date or self.world.clock.now())
        known = [parent for parent in parents if parent != ZERO]
        return self.git.commit(self.git.new_tree(), known, message, signature, signature).sha

    def push_tag(self, user: User, name: str, sha: str | None = None) -> str:
        """Push a tag at a commit (the default branch's head); moves it if it exists. Raises PushRefused."""
        return self.push_tags(user, name, sha=sha)

    def push_tags(self, user: User, *names: str, sha: str | None = None) -> str:
        """Push several tags in one push; of more than three at once GitHub tells nothing. Raises PushRefused."""
        target = sha or self.head()
        pushes.receive(self, user, *(self.git.change(TAG + name, target) for name in names))
        return target

    def create_branch(self, user: User, name: str, sha: str | None = None) -> str:
        """Push a new branch at a commit (the default branch's head). Raises PushRefused."""
        return self.push(user, name, to_sha=sha or self.head())

    def delete_branch(self, user: User, name: str) -> None:
        """Push the deletion of a branch. Raises PushRefused."""
        pushes.receive(self, user, self.git.change(BRANCH + name, ZERO))

    def delete_tag(self, user: User, name: str) -> None:
        """Push the deletion of a tag. Raises PushRefused."""
        pushes.receive(self, user, self.git.change(TAG + name, ZERO))

    def refusal(self, user: User, branch: str | None = None) -> PushRefused | None:
        """Why a push of one more commit by this user would be declined now; None if it would be taken."""
        ref = BRANCH + (branch or self.default_branch)
        return pushes.refusal(self, user, self.git.change(ref, self.git.head(ref)))

    def open_issue(self, user: User, title: str, body: str = "") -> Issue:
        """Open an issue."""
        return Issue.open(self, user, title, body)

    def collaborator(self, user: User, role: str | None) -> None:
        """Give a user a direct role, or take it away with None."""
        self.collaborators.pop(user.id, None)
        if role is not None:
            self.collaborators[user.id] = Collaborator(user, role)

    def rename(self, name: str) -> None:
        """Give it another name; the old one answers 301 from now on."""
        old = self.name
        self.world.unregister(self, redirect=True)
        self.name = name
        self.world.register(self)
        events.repository(self, "renamed", self.owner.somebody, {"repository": {"name": {"from": old}}})

    def transfer(self, to: "Organisation") -> None:
        """Move it to another organisation; only the App's installation there, if any, hears of it."""
        old = self.owner
        self.world.unregister(self, redirect=True)
        self.owner = to
        self.world.register(self)
        events.transferred(self, old)

    def delete(self) -> None:
        """Delete it for good."""
        events.repository(self, "deleted", self.owner.somebody)
        self.world.unregister(self, redirect=False)

    def archive(self, user: User | None = None) -> None:
        """Make it read-only."""
        self._set_archived(True, user)

    def unarchive(self, user: User | None = None) -> None:
        """Make it writable again."""
        self._set_archived(False, user)

    def fork(self, into: "Organisation", name: str | None = None) -> "Repository":
        """Fork it into another organisation, or under another name."""
        return forks.fork(self, into, name)

    def pull_request(self, user: User, fork: "Repository", branch: str | None = None) -> list[Run]:
        """Open a pull request of a fork's branch; returns the runs it started here. Raises ValueError if none."""
        return forks.pull_request(self, user, fork, branch)

    def _set_archived(self, archived: bool, user: User | None) -> None:
        if self.archived != archived:
            self.archived = archived
            events.repository(self, "archived" if archived else "unarchived", user or self.owner.somebody)

    def _receive(self, user: User, change: RefChange, made: Sequence[str], merge: Merge | None = None) -> None:
        """Take a push of commits made for it, which are gone again if it is refused."""
        try:
            pushes.receive(self, user, change, merge=merge)
        except PushRefused:
            for sha in made:
                self.git.commits.pop(sha)
            raise

    def _parent_of(self, sha: str) -> str:
        commit = self.git.commits.get(sha)
        return commit.parents[0] if commit and commit.parents else ZERO

"""What is read of GitHub's webhook bodies: only the fields the bot needs, the rest is skipped while decoding.

Git's author and committer dates are in these bodies too and are never named here (docs/design.md section 3).
"""

from datetime import datetime

import msgspec

from bot.rules.runs import WorkflowRun


class Account(msgspec.Struct, frozen=True):
    id: int
    login: str
    type: str = "User"


class InstallationRef(msgspec.Struct, frozen=True):
    id: int
    account: Account | None = None


class RepositoryRef(msgspec.Struct, frozen=True):
    id: int
    name: str
    owner: Account | None = None
    # An integer (epoch seconds) in a push, a text everywhere else; GitHub's own clock either way.
    pushed_at: int | str | None = None


class Envelope(msgspec.Struct, frozen=True):
    """What every delivery is filed under, whatever its event."""

    action: str | None = None
    installation: InstallationRef | None = None
    organization: Account | None = None
    repository: RepositoryRef | None = None

    @property
    def account(self) -> Account | None:
        """The account the delivery belongs to: the organisation, else the owner, else where the App is installed."""
        owner = self.repository.owner if self.repository else None
        installed = self.installation.account if self.installation else None
        return self.organization or owner or installed


class From(msgspec.Struct, frozen=True):
    """Whose something was."""

    organization: Account | None = None
    user: Account | None = None


class OwnerChange(msgspec.Struct, frozen=True):
    before: From | None = msgspec.field(name="from", default=None)


class Changes(msgspec.Struct, frozen=True):
    owner: OwnerChange | None = None


class RepositoryBody(Envelope, frozen=True):
    changes: Changes | None = None

    @property
    def former_owner(self) -> Account | None:
        """The account that it was transferred from."""
        before = self.changes.owner.before if self.changes and self.changes.owner else None
        return (before.organization or before.user) if before else None


class PushedCommit(msgspec.Struct, frozen=True):
    """One commit of a push: its name alone."""

    id: str


class PushBody(msgspec.Struct, frozen=True):
    ref: str
    before: str
    after: str
    repository: RepositoryRef
    forced: bool = False
    deleted: bool = False
    sender: Account | None = None
    # 2,048 at most, and of a new branch only those that no other branch has.
    commits: list[PushedCommit] = []


class WorkflowRunBody(msgspec.Struct, frozen=True):
    repository: RepositoryRef
    workflow_run: WorkflowRun


class Comment(msgspec.Struct, frozen=True):
    id: int
    user: Account | None
    created_at: datetime
    body: str | None = None


class Issue(msgspec.Struct, frozen=True):
    number: int
    pull_request: object = None


class IssueBody(msgspec.Struct, frozen=True):
    issue: Issue
    repository: RepositoryRef
    sender: Account | None = None


class IssueCommentBody(msgspec.Struct, frozen=True):
    action: str
    issue: Issue
    comment: Comment
    repository: RepositoryRef


class RepositoryListBody(msgspec.Struct, frozen=True):
    repositories_added: list[RepositoryRef] = []
    repositories_removed: list[RepositoryRef] = []

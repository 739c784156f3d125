"""Issues, comments and reactions."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING

from sandbox import events
from sandbox.errors import archived, unprocessable
from sandbox.reactions import Reaction
from sandbox.user import User

if TYPE_CHECKING:
    from sandbox.repository import Repository

MAX_BODY = 65_536
TOO_LONG = f"Body is too long (maximum is {MAX_BODY} characters)"


@dataclass(eq=False)
class Comment:
    """A comment of an issue."""

    id: int
    issue: "Issue"
    user: User
    body: str
    created_at: datetime
    updated_at: datetime
    reactions: list[Reaction] = field(default_factory=list)

    def edit(self, user: User, body: str) -> None:
        """Change the words."""
        before = self.body
        self.body = _body_for(self.issue.repo, body)
        self.updated_at = self.issue.repo.world.clock.now()
        events.commented(self, "edited", user, {"body": {"from": before}})

    def delete(self, user: User) -> None:
        """Take the comment away."""
        _body_for(self.issue.repo, "")
        events.commented(self, "deleted", user)
        self.issue.comments.remove(self)
        del self.issue.repo.comments[self.id]

    def react(self, user: User, content: str) -> tuple[Reaction, bool]:
        """Leave a reaction; the second of one kind by one user is the first again (and False)."""
        found = next((one for one in self.reactions if one.user is user and one.content == content), None)
        if found is not None:
            return found, False
        world = self.issue.repo.world
        self.reactions.append(Reaction(world.ids.large(), user, content, world.clock.now()))
        return self.reactions[-1], True


@dataclass(eq=False)
class Issue:
    """An issue of a repository."""

    id: int
    repo: "Repository"
    number: int
    user: User
    title: str
    body: str
    created_at: datetime
    updated_at: datetime
    closed_at: datetime | None = None
    labels: list[str] = field(default_factory=list)
    comments: list[Comment] = field(default_factory=list)

    @classmethod
    def open(cls, repo: "Repository", user: User, title: str, body: str) -> "Issue":
        """Open an issue in a repository. Raises Refused if it is archived or the body too long."""
        now = repo.world.clock.now()
        number = len(repo.issues) + 1
        issue = cls(repo.world.ids.large(), repo, number, user, title, _body_for(repo, body), now, now)
        repo.issues[number] = issue
        events.issue(issue, "opened", user)
        return issue

    @property
    def state(self) -> str:
        """open or closed."""
        return "open" if self.closed_at is None else "closed"

    def comment(self, user: User, body: str) -> Comment:
        """Write a comment. Raises Refused if the repository is archived or the body too long."""
        now = self.repo.world.clock.now()
        comment = Comment(self.repo.world.ids.large(), self, user, _body_for(self.repo, body), now, now)
        self.comments.append(comment)
        self.updated_at = now
        self.repo.comments[comment.id] = comment
        events.commented(comment, "created", user)
        return comment

    def edit(self, user: User, title: str | None = None, body: str | None = None, state: str | None = None) -> None:
        """Change the title, the body or the state; what is None stays."""
        changes = {"title": {"from": self.title}} if title is not None else {}
        changes |= {"body": {"from": self.body}} if body is not None else {}
        self.body = _body_for(self.repo, self.body if body is None else body)
        self.title = self.title if title is None else title
        self.updated_at = self.repo.world.clock.now()
        if changes:
            events.issue(self, "edited", user, changes)
        if state not in (None, self.state):
            self.closed_at = self.updated_at if state == "closed" else None
            events.issue(self, "closed" if state == "closed" else "reopened", user)


def _body_for(repo: "Repository", body: str) -> str:
    """The words, once the repository takes them."""
    if repo.archived:
        raise archived()
    if len(body) > MAX_BODY:
        raise unprocessable({"field": "data", "code": "unprocessable", "message": TOO_LONG})
    return body

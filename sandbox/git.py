"""A repository's objects and refs."""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import count

ZERO = "0" * 40
BRANCH = "refs/heads/"
TAG = "refs/tags/"


@dataclass(frozen=True)
class Signature:
    """Who a commit says made it and when. Git believes the client, so both are free to forge."""

    name: str
    email: str
    date: datetime


@dataclass(frozen=True)
class Commit:
    """A commit object."""

    sha: str
    tree: str
    parents: tuple[str, ...]
    message: str
    author: Signature
    committer: Signature


@dataclass(frozen=True)
class RefChange:
    """One line of a push: a ref goes from one commit to another; all zeros mean it is not there."""

    ref: str
    before: str
    after: str
    forced: bool = False

    @property
    def creates(self) -> bool:
        """The ref was not there."""
        return self.before == ZERO

    @property
    def deletes(self) -> bool:
        """The ref will not be there."""
        return self.after == ZERO

    @property
    def branch(self) -> str | None:
        """The branch's name, if it is a branch."""
        return self.ref.removeprefix(BRANCH) if self.ref.startswith(BRANCH) else None


@dataclass(frozen=True)
class Parting:
    """What lies on each side of where two commits part, oldest first."""

    merge_base: Commit | None
    ahead: list[Commit]
    behind: list[Commit]

    @property
    def status(self) -> str:
        """GitHub's word for it."""
        if self.ahead and self.behind:
            return "diverged"
        return "ahead" if self.ahead else "behind" if self.behind else "identical"


@dataclass
class Git:
    """Commits by sha and refs by full name."""

    seed: str
    commits: dict[str, Commit] = field(default_factory=dict)
    refs: dict[str, str] = field(default_factory=dict)
    trees: set[str] = field(default_factory=set)
    _serial: Iterator[int] = field(default_factory=count)

    def new_tree(self) -> str:
        """A tree unlike any other: somebody worked."""
        tree = self._sha("tree")
        self.trees.add(tree)
        return tree

    def commit(
        self, tree: str, parents: Sequence[str], message: str, author: Signature, committer: Signature
    ) -> Commit:
        """Store a commit object; no ref moves."""
        commit = Commit(self._sha("commit"), tree, tuple(parents), message, author, committer)
        self.commits[commit.sha] = commit
        return commit

    def head(self, ref: str) -> str:
        """Where a ref points, all zeros if it does not exist."""
        return self.refs.get(ref, ZERO)

    def change(self, ref: str, after: str) -> RefChange:
        """The move of `ref` to `after`, and whether it leaves commits behind."""
        before = self.head(ref)
        rewrites = ZERO not in (before, after) and not self.reaches(after, before)
        return RefChange(ref, before, after, forced=rewrites)

    def apply(self, change: RefChange) -> None:
        """Move the ref."""
        if change.deletes:
            self.refs.pop(change.ref, None)
        else:
            self.refs[change.ref] = change.after

    def reaches(self, head: str, ancestor: str) -> bool:
        """Whether `ancestor` is `head` or reachable from it."""
        return any(commit.sha == ancestor for commit in self.history(head))

    def history(self, head: str, until: str = ZERO) -> Iterator[Commit]:
        """The commits reachable from `head`, nearest first, not going past `until`."""
        waiting, seen = [head], {until}
        for sha in waiting:
            if sha in seen or sha not in self.commits:
                continue
            seen.add(sha)
            commit = self.commits[sha]
            yield commit
            waiting.extend(commit.parents)

    def parting(self, base: str, head: str) -> Parting:
        """How `head` stands to `base`."""
        olds, news = list(self.history(base)), list(self.history(head))
        known, found = {commit.sha for commit in olds}, {commit.sha for commit in news}
        ahead = [commit for commit in reversed(news) if commit.sha not in known]
        behind = [commit for commit in reversed(olds) if commit.sha not in found]
        return Parting(next((commit for commit in news if commit.sha in known), None), ahead, behind)

    def resolve(self, name: str) -> Commit | None:
        """The commit that a sha, a branch or a full ref names."""
        sha = self.refs.get(name) or self.refs.get(BRANCH + name) or self.refs.get(TAG + name) or name
        return self.commits.get(sha)

    def _sha(self, kind: str) -> str:
        text = f"{self.seed}:{kind}:{next(self._serial)}"
        return hashlib.sha1(text.encode(), usedforsecurity=False).hexdigest()

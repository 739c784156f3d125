"""Commits and refs, as the git API, the commits API and the push event each show them."""

from typing import TYPE_CHECKING, Any

from sandbox.clock import stamp
from sandbox.git import BRANCH, TAG, Commit, Parting, RefChange, Signature
from sandbox.ids import node_id
from sandbox.render import accounts
from sandbox.render.repositories import api_url
from sandbox.user import User

if TYPE_CHECKING:
    from sandbox.repository import Repository

UNSIGNED = {"verified": False, "reason": "unsigned", "signature": None, "payload": None, "verified_at": None}
# docs: the `commits` array of a push event holds at most this many.
MOST_COMMITS = 2048


def signature(one: Signature) -> dict[str, str]:
    """The author or committer as git has it."""
    return {"name": one.name, "email": one.email, "date": stamp(one.date)}


def git_commit(repo: "Repository", commit: Commit) -> dict[str, Any]:
    """git-commit."""
    url = api_url(repo)
    return {
        "sha": commit.sha,
        "node_id": node_id("C", commit.sha),
        "url": f"{url}/git/commits/{commit.sha}",
        "html_url": f"{repo.html_url}/commit/{commit.sha}",
        "author": signature(commit.author),
        "committer": signature(commit.committer),
        "tree": {"sha": commit.tree, "url": f"{url}/git/trees/{commit.tree}"},
        "message": commit.message,
        "parents": _parents(repo, commit, "git/commits"),
        "verification": UNSIGNED,
    }


def commit(repo: "Repository", one: Commit) -> dict[str, Any]:
    """commit, of the commits API."""
    url = f"{api_url(repo)}/commits/{one.sha}"
    inner = {
        key: value
        for key, value in git_commit(repo, one).items()
        if key not in ("sha", "node_id", "html_url", "parents")
    }
    return {
        "sha": one.sha,
        "node_id": node_id("C", one.sha),
        "url": url,
        "html_url": f"{repo.html_url}/commit/{one.sha}",
        "comments_url": f"{url}/comments",
        "commit": inner | {"comment_count": 0},
        "author": _account(repo, one.author),
        "committer": _account(repo, one.committer),
        "parents": _parents(repo, one, "commits"),
        "stats": {"total": 1, "additions": 1, "deletions": 0},
        "files": [],
    }


def comparison(repo: "Repository", base: Commit, head: Commit, parting: Parting, commits: Any) -> dict[str, Any]:
    """commit-comparison; `commits` is one page of those that `head` has and `base` has not."""
    basehead = f"{base.sha}...{head.sha}"
    page = f"{repo.html_url}/compare/{basehead}"
    return {
        "url": f"{api_url(repo)}/compare/{basehead}",
        "html_url": page,
        "permalink_url": page,
        "diff_url": f"{page}.diff",
        "patch_url": f"{page}.patch",
        "base_commit": commit(repo, base),
        "merge_base_commit": commit(repo, parting.merge_base or base),
        "status": parting.status,
        "ahead_by": len(parting.ahead),
        "behind_by": len(parting.behind),
        "total_commits": len(parting.ahead),
        "commits": commits,
        "files": [],
    }


def simple_commit(one: Commit) -> dict[str, Any]:
    """simple-commit, as in workflow runs and check suites."""
    return {
        "id": one.sha,
        "tree_id": one.tree,
        "message": one.message,
        "timestamp": stamp(one.committer.date),
        "author": {"name": one.author.name, "email": one.author.email},
        "committer": {"name": one.committer.name, "email": one.committer.email},
    }


def ref(repo: "Repository", name: str) -> dict[str, Any]:
    """git-ref."""
    url, sha = api_url(repo), repo.git.refs[name]
    return {
        "ref": name,
        "node_id": node_id("REF", f"{repo.id}:{name}"),
        "url": f"{url}/git/{name}",
        "object": {"type": "commit", "sha": sha, "url": f"{url}/git/commits/{sha}"},
    }


def branch(repo: "Repository", name: str) -> dict[str, Any]:
    """branch-with-protection. Rulesets do not count as protection here; GitHub shows them by `rules/branches`."""
    url = f"{api_url(repo)}/branches/{name}"
    return {
        "name": name,
        "commit": commit(repo, repo.git.commits[repo.git.refs[BRANCH + name]]),
        "_links": {"self": url, "html": f"{repo.html_url}/tree/{name}"},
        "protected": False,
        "protection": {"enabled": False},
        "protection_url": f"{url}/protection",
    }


def push(repo: "Repository", change: RefChange, user: User) -> dict[str, Any]:
    """The part of a push event that is about the push."""
    news = [] if change.deletes or change.ref.startswith(TAG) else _news(repo, change)
    head = None if change.deletes else repo.git.commits[change.after]
    elsewhere = _elsewhere(repo, change)
    return {
        "ref": change.ref,
        "before": change.before,
        "after": change.after,
        "base_ref": None,
        "created": change.creates,
        "deleted": change.deletes,
        "forced": change.forced,
        "compare": f"{repo.html_url}/compare/{change.before[:12]}...{change.after[:12]}",
        "commits": [_pushed_commit(repo, one, elsewhere) for one in news[-MOST_COMMITS:]],
        "head_commit": None if head is None else _pushed_commit(repo, head, elsewhere),
        "pusher": {"name": user.login, "email": f"{user.id}+{user.login}@users.noreply.github.com"},
    }


def _news(repo: "Repository", change: RefChange) -> list[Commit]:
    """What the ref has now and had not before, oldest first; a new branch is compared with the default one."""
    known = repo.git.head(BRANCH + repo.default_branch) if change.creates else change.before
    return repo.git.parting(known, change.after).ahead


def _elsewhere(repo: "Repository", change: RefChange) -> set[str]:
    """The commits that other refs have: those of a push that are among them were pushed before."""
    others = [sha for ref, sha in repo.git.refs.items() if ref != change.ref]
    return {commit.sha for sha in others for commit in repo.git.history(sha)}


def _pushed_commit(repo: "Repository", one: Commit, elsewhere: set[str]) -> dict[str, Any]:
    names = {"author": one.author, "committer": one.committer}
    people = {key: {"name": who.name, "email": who.email, "username": who.name} for key, who in names.items()}
    url = f"{repo.html_url}/commit/{one.sha}"
    files = {"added": [], "removed": [], "modified": ["README.md"]}
    return simple_commit(one) | people | files | {"distinct": one.sha not in elsewhere, "url": url}


def _parents(repo: "Repository", one: Commit, kind: str) -> list[dict[str, str]]:
    url = f"{api_url(repo)}/{kind}"
    return [{"sha": sha, "url": f"{url}/{sha}", "html_url": f"{repo.html_url}/commit/{sha}"} for sha in one.parents]


def _account(repo: "Repository", who: Signature) -> dict[str, Any] | None:
    found = repo.world.users.get(who.name.lower())
    return None if found is None else accounts.user(repo.world, found)

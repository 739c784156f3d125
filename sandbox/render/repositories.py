"""Repositories and their activity."""

from typing import TYPE_CHECKING, Any

from sandbox.clock import stamp
from sandbox.ids import node_id
from sandbox.render import accounts

if TYPE_CHECKING:
    from sandbox.activity import Activity
    from sandbox.repository import Repository

URLS = {
    "archive_url": "{archive_format}{/ref}",
    "assignees_url": "assignees{/user}",
    "blobs_url": "git/blobs{/sha}",
    "branches_url": "branches{/branch}",
    "collaborators_url": "collaborators{/collaborator}",
    "comments_url": "comments{/number}",
    "commits_url": "commits{/sha}",
    "compare_url": "compare/{base}...{head}",
    "contents_url": "contents/{+path}",
    "contributors_url": "contributors",
    "deployments_url": "deployments",
    "downloads_url": "downloads",
    "events_url": "events",
    "forks_url": "forks",
    "git_commits_url": "git/commits{/sha}",
    "git_refs_url": "git/refs{/sha}",
    "git_tags_url": "git/tags{/sha}",
    "hooks_url": "hooks",
    "issue_comment_url": "issues/comments{/number}",
    "issue_events_url": "issues/events{/number}",
    "issues_url": "issues{/number}",
    "keys_url": "keys{/key_id}",
    "labels_url": "labels{/name}",
    "languages_url": "languages",
    "merges_url": "merges",
    "milestones_url": "milestones{/number}",
    "notifications_url": "notifications{?since,all,participating}",
    "pulls_url": "pulls{/number}",
    "releases_url": "releases{/id}",
    "stargazers_url": "stargazers",
    "statuses_url": "statuses/{sha}",
    "subscribers_url": "subscribers",
    "subscription_url": "subscription",
    "tags_url": "tags",
    "teams_url": "teams",
    "trees_url": "git/trees{/sha}",
}
NOUGHTS = ("forks_count", "stargazers_count", "watchers_count", "size", "forks", "watchers")
COUNTS = dict.fromkeys(NOUGHTS, 0)
FEATURES = {
    "has_issues": True,
    "has_projects": True,
    "has_wiki": False,
    "has_pages": False,
    "has_discussions": False,
    "allow_forking": True,
    "web_commit_signoff_required": False,
}
NOTHINGS: dict[str, None] = dict.fromkeys(("homepage", "language", "license", "mirror_url"))


def api_url(repo: "Repository") -> str:
    """The API address by name, as GitHub writes it into objects."""
    return f"{repo.world.url}/repos/{repo.full_name}"


def repository(repo: "Repository") -> dict[str, Any]:
    """repository: what lists, single answers and events share."""
    open_issues = sum(issue.state == "open" for issue in repo.issues.values())
    return {
        **minimal(repo),
        "git_url": f"git://github.invalid/{repo.full_name}.git",
        "ssh_url": f"git@github.invalid:{repo.full_name}.git",
        "clone_url": f"{repo.html_url}.git",
        "svn_url": repo.html_url,
        **NOTHINGS,
        **FEATURES,
        **COUNTS,
        "archived": repo.archived,
        "disabled": False,
        "is_template": repo.template,
        "topics": [],
        "visibility": "private" if repo.private else "public",
        "default_branch": repo.default_branch,
        "open_issues_count": open_issues,
        "open_issues": open_issues,
        "created_at": stamp(repo.created_at),
        "updated_at": stamp(repo.pushed_at),
        "pushed_at": stamp(repo.pushed_at),
    }


def full(repo: "Repository") -> dict[str, Any]:
    """full-repository: the answer for one."""
    counts = {"subscribers_count": 0, "network_count": 0}
    return repository(repo) | counts | {"organization": accounts.owner(repo.owner)}


def minimal(repo: "Repository") -> dict[str, Any]:
    """The least of minimal-repository: what is inside a workflow run or a check suite."""
    url = api_url(repo)
    return {
        **simple(repo),
        "owner": accounts.owner(repo.owner),
        "html_url": repo.html_url,
        "description": None,
        "fork": repo.is_fork,
        "url": url,
        **{key: f"{url}/{path}" for key, path in URLS.items()},
    }


def in_push(repo: "Repository") -> dict[str, Any]:
    """The repository of a push event, where two of the times are whole seconds since 1970."""
    return repository(repo) | {
        "created_at": int(repo.created_at.timestamp()),
        "pushed_at": int((repo.stale_pushed_at or repo.pushed_at).timestamp()),
        "stargazers": 0,
        "master_branch": repo.default_branch,
        "organization": repo.owner.login,
    }


def simple(repo: "Repository") -> dict[str, Any]:
    """The five fields that installation events give."""
    return {
        "id": repo.id,
        "node_id": node_id("R", repo.id),
        "name": repo.name,
        "full_name": repo.full_name,
        "private": repo.private,
    }


def activity(repo: "Repository", entry: "Activity") -> dict[str, Any]:
    """activity, as the list tells it."""
    actor = repo.activity.actor(entry)
    return {
        "id": entry.id,
        "node_id": node_id("PSH", entry.id),
        "before": entry.change.before,
        "after": entry.change.after,
        "ref": entry.change.ref,
        "timestamp": stamp(entry.at),
        "activity_type": entry.kind,
        "actor": None if actor is None else accounts.user(repo.world, actor),
    }

"""Issues, comments and reactions."""

from collections import Counter
from typing import TYPE_CHECKING, Any

from sandbox.clock import stamp, stamp_or_none
from sandbox.ids import node_id
from sandbox.reactions import REACTIONS, Reaction
from sandbox.render import accounts, apps
from sandbox.render.repositories import api_url
from sandbox.user import User

if TYPE_CHECKING:
    from sandbox.issues import Comment, Issue
    from sandbox.repository import Repository


def issue(one: "Issue") -> dict[str, Any]:
    """issue."""
    repo = one.repo
    url, page = f"{api_url(repo)}/issues/{one.number}", f"{repo.html_url}/issues/{one.number}"
    return {
        "id": one.id,
        "node_id": node_id("I", one.id),
        "url": url,
        "repository_url": api_url(repo),
        "labels_url": f"{url}/labels{{/name}}",
        "comments_url": f"{url}/comments",
        "events_url": f"{url}/events",
        "timeline_url": f"{url}/timeline",
        "html_url": page,
        "number": one.number,
        "state": one.state,
        "state_reason": "completed" if one.closed_at else None,
        "title": one.title,
        "body": one.body,
        "user": accounts.user(repo.world, one.user),
        "labels": [_label(repo, name) for name in one.labels],
        "assignees": [],
        "milestone": None,
        "locked": False,
        "active_lock_reason": None,
        "comments": len(one.comments),
        "author_association": _association(repo, one.user),
        "performed_via_github_app": _via_app(repo, one.user),
        "reactions": _rollup(f"{url}/reactions", []),
        "created_at": stamp(one.created_at),
        "updated_at": stamp(one.updated_at),
        "closed_at": stamp_or_none(one.closed_at),
    }


def in_event(one: "Issue") -> dict[str, Any]:
    """The issue of an event, which still names one assignee besides all."""
    return issue(one) | {"assignee": None}


def comment(one: "Comment") -> dict[str, Any]:
    """issue-comment."""
    repo = one.issue.repo
    url = f"{api_url(repo)}/issues/comments/{one.id}"
    return {
        "id": one.id,
        "node_id": node_id("IC", one.id),
        "url": url,
        "html_url": f"{repo.html_url}/issues/{one.issue.number}#issuecomment-{one.id}",
        "issue_url": f"{api_url(repo)}/issues/{one.issue.number}",
        "body": one.body,
        "user": accounts.user(repo.world, one.user),
        "author_association": _association(repo, one.user),
        "performed_via_github_app": _via_app(repo, one.user),
        "reactions": _rollup(f"{url}/reactions", one.reactions),
        "created_at": stamp(one.created_at),
        "updated_at": stamp(one.updated_at),
    }


def reaction(repo: "Repository", one: Reaction) -> dict[str, Any]:
    """reaction."""
    return {
        "id": one.id,
        "node_id": node_id("REA", one.id),
        "user": accounts.user(repo.world, one.user),
        "content": one.content,
        "created_at": stamp(one.created_at),
    }


def _rollup(url: str, reactions: list[Reaction]) -> dict[str, Any]:
    counts = Counter(one.content for one in reactions)
    return {"url": url, "total_count": len(reactions), **{content: counts[content] for content in REACTIONS}}


def _label(repo: "Repository", name: str) -> dict[str, Any]:
    number = sum(name.encode())
    url = f"{api_url(repo)}/labels/{name}"
    shape = {"color": "ededed", "default": False, "description": None}
    return {"id": number, "node_id": node_id("LA", number), "url": url, "name": name, **shape}


def _via_app(repo: "Repository", user: User) -> dict[str, Any] | None:
    one = repo.world.app
    return apps.integration(repo.world, one.id, one.slug, one.name) if user is one.bot else None


def _association(repo: "Repository", user: User) -> str:
    """GitHub's hint of who speaks. Not to be relied on: private members look like strangers to some."""
    if repo.owner.is_member(user):
        return "MEMBER"
    return "COLLABORATOR" if user.id in repo.collaborators else "NONE"

"""Comments of issues, and reactions to them."""

from collections.abc import Iterable

from sandbox.bodies import field, one_of
from sandbox.clock import stamp
from sandbox.errors import not_found
from sandbox.issues import Comment
from sandbox.pages import paged
from sandbox.reactions import REACTIONS
from sandbox.render import issues as rendered
from sandbox.request import Answer, Request, on_repo
from sandbox.routes.issues import named as issue_named


def of_issue(request: Request) -> Answer:
    """GET /repos/{owner}/{repo}/issues/{issue_number}/comments, oldest first"""
    return _list(request, issue_named(request).comments)


def of_repository(request: Request) -> Answer:
    """GET /repos/{owner}/{repo}/issues/comments"""
    newest_first = request.query.get("direction") == "desc" and "sort" in request.query
    every = list(request.repo.comments.values())
    return _list(request, reversed(every) if newest_first else every)


def create(request: Request) -> Answer:
    """POST /repos/{owner}/{repo}/issues/{issue_number}/comments"""
    issue = issue_named(request)
    return Answer(201, rendered.comment(issue.comment(request.user, field(request.body, "body", str))))


def show(request: Request) -> Answer:
    """GET /repos/{owner}/{repo}/issues/comments/{comment_id}"""
    return Answer(200, rendered.comment(_named(request)))


def change(request: Request) -> Answer:
    """PATCH /repos/{owner}/{repo}/issues/comments/{comment_id}"""
    comment = _named(request)
    comment.edit(request.user, field(request.body, "body", str))
    return Answer(200, rendered.comment(comment))


def remove(request: Request) -> Answer:
    """DELETE /repos/{owner}/{repo}/issues/comments/{comment_id}"""
    _named(request).delete(request.user)
    return Answer(204)


def reactions(request: Request) -> Answer:
    """GET /repos/{owner}/{repo}/issues/comments/{comment_id}/reactions"""
    content = request.query.get("content")
    fitting = [one for one in _named(request).reactions if content in (None, one.content)]
    return paged(request, fitting, lambda one: rendered.reaction(request.repo, one))


def react(request: Request) -> Answer:
    """POST /repos/{owner}/{repo}/issues/comments/{comment_id}/reactions: 201 if new, 200 if there already"""
    reaction, new = _named(request).react(request.user, one_of(request.body, "content", REACTIONS))
    return Answer(201 if new else 200, rendered.reaction(request.repo, reaction))


def _list(request: Request, comments: Iterable[Comment]) -> Answer:
    since = request.query.get("since", "")
    return paged(request, [one for one in comments if stamp(one.updated_at) >= since], rendered.comment)


def _named(request: Request) -> Comment:
    found = request.repo.comments.get(request.number("comment_id"))
    if found is None:
        raise not_found()
    return found


ROUTES = [
    on_repo("GET", "/issues/comments", "issues:read", of_repository),
    on_repo("GET", "/issues/comments/{comment_id}", "issues:read", show),
    on_repo("PATCH", "/issues/comments/{comment_id}", "issues:write", change),
    on_repo("DELETE", "/issues/comments/{comment_id}", "issues:write", remove),
    on_repo("GET", "/issues/comments/{comment_id}/reactions", "issues:read", reactions),
    on_repo("POST", "/issues/comments/{comment_id}/reactions", "issues:write", react),
    on_repo("GET", "/issues/{issue_number}/comments", "issues:read", of_issue),
    on_repo("POST", "/issues/{issue_number}/comments", "issues:write", create),
]

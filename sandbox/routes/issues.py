"""Issues."""

from sandbox.bodies import field, one_of
from sandbox.errors import not_found
from sandbox.issues import Issue
from sandbox.pages import paged
from sandbox.render import issues as rendered
from sandbox.request import Answer, Request, on_repo


def issues(request: Request) -> Answer:
    """GET /repos/{owner}/{repo}/issues, newest first"""
    state, creator = request.query.get("state", "open"), request.query.get("creator")
    fitting = [
        one
        for one in reversed(request.repo.issues.values())
        if state in ("all", one.state) and creator in (None, one.user.login)
    ]
    return paged(request, fitting, rendered.issue)


def create(request: Request) -> Answer:
    """POST /repos/{owner}/{repo}/issues"""
    title, body = field(request.body, "title", str), field(request.body, "body", str, "")
    issue = request.repo.open_issue(request.user, title, body)
    issue.labels = field(request.body, "labels", list, [])
    return Answer(201, rendered.issue(issue))


def show(request: Request) -> Answer:
    """GET /repos/{owner}/{repo}/issues/{issue_number}"""
    return Answer(200, rendered.issue(named(request)))


def change(request: Request) -> Answer:
    """PATCH /repos/{owner}/{repo}/issues/{issue_number}"""
    issue, body = named(request), request.body
    state = one_of(body, "state", ("open", "closed"), issue.state)
    issue.edit(request.user, field(body, "title", str, None), field(body, "body", str, None), state)
    return Answer(200, rendered.issue(issue))


def named(request: Request) -> Issue:
    """The issue in the address. Raises Refused (404)."""
    found = request.repo.issues.get(request.number("issue_number"))
    if found is None:
        raise not_found()
    return found


ROUTES = [
    on_repo("GET", "/issues", "issues:read", issues),
    on_repo("POST", "/issues", "issues:write", create),
    on_repo("GET", "/issues/{issue_number}", "issues:read", show),
    on_repo("PATCH", "/issues/{issue_number}", "issues:write", change),
]

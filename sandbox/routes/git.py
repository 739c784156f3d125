"""The git database: commits made without a push, and refs, whose moves are pushes by the App."""

from datetime import datetime
from typing import Any

from sandbox import pushes
from sandbox.bodies import field
from sandbox.errors import PushRefused, Refused, not_found
from sandbox.git import ZERO, RefChange, Signature
from sandbox.render import git as rendered
from sandbox.request import Answer, Request, on_repo


def ref(request: Request) -> Answer:
    """GET /repos/{owner}/{repo}/git/ref/{ref}"""
    name = f"refs/{request.params['ref']}"
    if name not in request.repo.git.refs:
        raise not_found()
    return Answer(200, rendered.ref(request.repo, name))


def create_ref(request: Request) -> Answer:
    """POST /repos/{owner}/{repo}/git/refs"""
    git, name = request.repo.git, field(request.body, "ref", str)
    if not name.startswith("refs/") or name.count("/") < 2:
        raise Refused(422, "Reference name must start with 'refs/' and have at least two slashes")
    if name in git.refs:
        raise Refused(422, "Reference already exists")
    _receive(request, git.change(name, _existing_sha(request)))
    return Answer(201, rendered.ref(request.repo, name))


def move_ref(request: Request) -> Answer:
    """PATCH /repos/{owner}/{repo}/git/refs/{ref}"""
    change = request.repo.git.change(_existing_ref(request), _existing_sha(request))
    if change.forced and not field(request.body, "force", bool, False):
        raise Refused(422, "Update is not a fast forward")
    if change.before != change.after:
        _receive(request, change)
    return Answer(200, rendered.ref(request.repo, change.ref))


def delete_ref(request: Request) -> Answer:
    """DELETE /repos/{owner}/{repo}/git/refs/{ref}"""
    _receive(request, request.repo.git.change(_existing_ref(request), ZERO))
    return Answer(204)


def commit(request: Request) -> Answer:
    """GET /repos/{owner}/{repo}/git/commits/{sha}"""
    found = request.repo.git.commits.get(request.params["sha"])
    if found is None:
        raise not_found()
    return Answer(200, rendered.git_commit(request.repo, found))


def create_commit(request: Request) -> Answer:
    """POST /repos/{owner}/{repo}/git/commits"""
    git, body = request.repo.git, request.body
    message, tree = field(body, "message", str), field(body, "tree", str)
    parents = field(body, "parents", list, [])
    if tree not in git.trees:
        raise Refused(422, "Tree SHA does not exist")
    if not all(parent in git.commits for parent in parents):
        raise Refused(422, "Parent SHA does not exist or is not a commit object")
    author = _signature(request, field(body, "author", dict, {}))
    committer = _signature(request, field(body, "committer", dict, {})) if "committer" in body else author
    return Answer(201, rendered.git_commit(request.repo, git.commit(tree, parents, message, author, committer)))


def _receive(request: Request, change: RefChange) -> None:
    """A move by REST answers to the same rules as a push, in other words."""
    try:
        pushes.receive(request.repo, request.user, change)
    except PushRefused as refused:
        sentences = "\n".join(refused.violations)
        raise Refused(422, f"Repository rule violations found\n\n{sentences}\n\n") from refused


def _existing_ref(request: Request) -> str:
    name = f"refs/{request.params['ref']}"
    if name not in request.repo.git.refs:
        raise Refused(422, "Reference does not exist")
    return name


def _existing_sha(request: Request) -> str:
    sha = field(request.body, "sha", str)
    if sha not in request.repo.git.commits:
        raise Refused(422, "Object does not exist")
    return sha


def _signature(request: Request, given: dict[str, Any]) -> Signature:
    bot, now = request.user, request.world.clock.now()
    date = datetime.fromisoformat(given["date"]) if "date" in given else now
    email = f"{bot.id}+{bot.login}@users.noreply.github.com"
    return Signature(given.get("name", bot.login), given.get("email", email), date)


ROUTES = [
    on_repo("GET", "/git/ref/{ref:.+}", "contents:read", ref),
    on_repo("POST", "/git/refs", "contents:write", create_ref),
    on_repo("PATCH", "/git/refs/{ref:.+}", "contents:write", move_ref),
    on_repo("DELETE", "/git/refs/{ref:.+}", "contents:write", delete_ref),
    on_repo("GET", "/git/commits/{sha}", "contents:read", commit),
    on_repo("POST", "/git/commits", "contents:write", create_commit),
]

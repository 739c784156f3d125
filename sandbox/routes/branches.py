"""Branches and commits, as the commits API shows them."""

from sandbox.errors import Refused, not_found
from sandbox.git import BRANCH
from sandbox.pages import paged
from sandbox.render import git as rendered
from sandbox.request import Answer, Request, on_repo

# docs, compare two commits: as many are listed, up to the most recent, when no page is asked for.
MOST_COMPARED = 250


def branch(request: Request) -> Answer:
    """GET /repos/{owner}/{repo}/branches/{branch}"""
    name = request.params["branch"]
    if BRANCH + name not in request.repo.git.refs:
        raise Refused(404, "Branch not found")
    return Answer(200, rendered.branch(request.repo, name))


def branches(request: Request) -> Answer:
    """GET /repos/{owner}/{repo}/branches"""
    repo = request.repo
    names = [ref.removeprefix(BRANCH) for ref in repo.git.refs if ref.startswith(BRANCH)]
    return paged(request, names, lambda name: rendered.branch(repo, name))


def commit(request: Request) -> Answer:
    """GET /repos/{owner}/{repo}/commits/{ref}"""
    found = request.repo.git.resolve(request.params["ref"])
    if found is None:
        raise Refused(422, f"No commit found for SHA: {request.params['ref']}")
    return Answer(200, rendered.commit(request.repo, found))


def commits(request: Request) -> Answer:
    """GET /repos/{owner}/{repo}/commits, from `sha` (the default branch) backwards"""
    repo = request.repo
    start = repo.git.resolve(request.query.get("sha", repo.default_branch))
    if start is None:
        raise not_found()
    return paged(request, list(repo.git.history(start.sha)), lambda one: rendered.commit(repo, one))


def compare(request: Request) -> Answer:
    """GET /repos/{owner}/{repo}/compare/{base}...{head}, with the new commits page by page or the last 250 of them"""
    repo, (base_name, dots, head_name) = request.repo, request.params["basehead"].partition("...")
    base, head = repo.git.resolve(base_name), repo.git.resolve(head_name)
    if not dots or base is None or head is None:
        raise not_found()
    parting = repo.git.parting(base.sha, head.sha)
    if parting.merge_base is None:
        raise Refused(404, f"No common ancestor between {base_name} and {head_name}.")
    if {"page", "per_page"} & set(request.query):
        page = paged(request, parting.ahead, lambda one: rendered.commit(repo, one))
    else:
        page = Answer(200, [rendered.commit(repo, one) for one in parting.ahead[-MOST_COMPARED:]])
    return Answer(200, rendered.comparison(repo, base, head, parting, page.body), page.headers)


ROUTES = [
    on_repo("GET", "/branches", "contents:read", branches),
    on_repo("GET", "/branches/{branch:.+}", "contents:read", branch),
    on_repo("GET", "/commits", "contents:read", commits),
    on_repo("GET", "/commits/{ref}", "contents:read", commit),
    on_repo("GET", "/compare/{basehead:.+}", "contents:read", compare),
]

"""The pages one looks at."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from aiohttp import web

from sandbox.web import find, shown
from sandbox.web.template import elsewhere, page

if TYPE_CHECKING:
    from sandbox.repository import Repository
    from sandbox.world import World

Page = Callable[["World", web.Request], web.Response]


def overview(world: "World", _: web.Request) -> web.Response:
    """GET /: the organisations."""
    return page("overview.html", world, organisations=world.organisations.values())


def organisation(world: "World", http: web.Request) -> web.Response:
    """GET /{owner}: every repository with its lock."""
    org = find.organisation(world, http)
    return page("organisation.html", world, org=org, repositories=sorted(org.repositories.values(), key=_name))


def repository(world: "World", http: web.Request) -> web.Response:
    """GET /{owner}/{repo}: pushes, checks, runs, dispatches, issues; `refused` names whose push just failed."""
    repo, login = find.repository(world, http), http.query.get("refused")
    refusal = repo.refusal(find.user(world, login)) if login else None
    return page("repository.html", world, repo=repo, refusal=refusal)


def issue(world: "World", http: web.Request) -> web.Response:
    """GET /{owner}/{repo}/issues/{number}: the comments and a box to write one, `as` somebody."""
    one = find.issue(world, http)
    speakers = [user.login for users in shown.people(one.repo).values() for user in users]
    speaker = http.query.get("as", one.user.login)
    return page("issue.html", world, issue=one, speaker=speaker if speaker in speakers else "")


def commit(world: "World", http: web.Request) -> web.Response:
    """GET /{owner}/{repo}/commit/{sha}: what the student reads there."""
    repo, sha = find.repository(world, http), http.match_info["sha"]
    if sha not in repo.git.commits:
        raise find.Missing(f"There is no commit {sha} in {repo.full_name}.")
    return page("commit.html", world, repo=repo, commit=repo.git.commits[sha])


def check(world: "World", http: web.Request) -> web.Response:
    """GET /{owner}/{repo}/runs/{id}: a check, on the page of its commit."""
    repo, number = find.repository(world, http), http.match_info["id"]
    run = repo.checks.runs.get(int(number)) if number.isdecimal() else None
    if run is None:
        raise find.Missing(f"There is no check {number} in {repo.full_name}.")
    return elsewhere(f"/{repo.full_name}/commit/{run.suite.head_sha}#check-{run.id}")


def workflow_run(world: "World", http: web.Request) -> web.Response:
    """GET /{owner}/{repo}/actions/runs/{id}: a run, on the page of its commit."""
    repo, number = find.repository(world, http), http.match_info["id"]
    run = next((run for run in repo.runs if str(run.id) == number), None)
    if run is None:
        raise find.Missing(f"There is no run {number} in {repo.full_name}.")
    return elsewhere(f"/{repo.full_name}/commit/{run.head_sha}")


def _name(repo: "Repository") -> str:
    return repo.name


PAGES: dict[str, Page] = {
    "/": overview,
    "/{owner}": organisation,
    "/{owner}/{repo}": repository,
    "/{owner}/{repo}/issues/{number}": issue,
    "/{owner}/{repo}/commit/{sha}": commit,
    "/{owner}/{repo}/runs/{id}": check,
    "/{owner}/{repo}/actions/runs/{id}": workflow_run,
}

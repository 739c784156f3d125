"""Rulesets of organisations and repositories."""

from collections.abc import Sequence
from typing import Any

from sandbox import ruleset_edits
from sandbox.errors import not_found
from sandbox.pages import paged
from sandbox.render import rulesets as rendered
from sandbox.request import Answer, Request, on_org, on_repo
from sandbox.ruleset_edits import Source
from sandbox.rulesets import Ruleset


def of_organisation(request: Request) -> Answer:
    """GET /orgs/{org}/rulesets"""
    ruleset_edits.check_plan(request.org)
    return _list(request, list(request.org.rulesets.values()))


def of_repository(request: Request) -> Answer:
    """GET /repos/{owner}/{repo}/rulesets, the organisation's that cover it among them unless told otherwise"""
    repo = request.repo
    ruleset_edits.check_plan(repo)
    parents = request.query.get("includes_parents", "true") != "false"
    inherited = [one for one in repo.owner.rulesets.values() if parents and one.covers(repo)]
    return _list(request, inherited + list(repo.rulesets.values()))


def create(request: Request) -> Answer:
    """POST …/rulesets"""
    source = _source(request)
    return Answer(201, _shown(request, ruleset_edits.create(source, request.body, request.user)))


def show(request: Request) -> Answer:
    """GET …/rulesets/{ruleset_id}"""
    return Answer(200, _shown(request, _named(request)))


def change(request: Request) -> Answer:
    """PUT …/rulesets/{ruleset_id}"""
    return Answer(200, _shown(request, ruleset_edits.change(_named(request), request.body, request.user)))


def remove(request: Request) -> Answer:
    """DELETE …/rulesets/{ruleset_id}"""
    ruleset_edits.remove(_named(request), request.user)
    return Answer(204)


def rules_of_branch(request: Request) -> Answer:
    """GET /repos/{owner}/{repo}/rules/branches/{branch}; the branch need not exist"""
    ruleset_edits.check_plan(request.repo)
    return paged(request, rendered.rules_for(request.repo, f"refs/heads/{request.params['branch']}"), dict)


def _source(request: Request) -> Source:
    source: Source = request.found_repo or request.org
    ruleset_edits.check_plan(source)
    return source


def _named(request: Request) -> Ruleset:
    source = _source(request)
    found = source.rulesets.get(request.number("ruleset_id"))
    if found is None and request.method == "GET" and request.found_repo is not None:
        inherited = request.found_repo.owner.rulesets.get(request.number("ruleset_id"))
        found = inherited if inherited and inherited.covers(request.found_repo) else None
    if found is None:
        raise not_found()
    return found


def _shown(request: Request, ruleset: Ruleset) -> dict[str, Any]:
    """The ruleset; at a repository's endpoint also whether the caller can pass it."""
    body = rendered.full(ruleset)
    if request.found_repo is not None:
        passes = ruleset.bypassed_by(request.user, request.found_repo)
        body["current_user_can_bypass"] = "always" if passes else "never"
    return body


def _list(request: Request, rulesets: Sequence[Ruleset]) -> Answer:
    targets = request.query.get("targets")
    fitting = [one for one in rulesets if targets is None or one.target in targets.split(",")]
    return paged(request, fitting, rendered.summary)


ORGANISATION = "organization_administration:write"
ROUTES = [
    on_org("GET", "/rulesets", ORGANISATION, of_organisation),
    on_org("POST", "/rulesets", ORGANISATION, create),
    on_org("GET", "/rulesets/{ruleset_id}", ORGANISATION, show),
    on_org("PUT", "/rulesets/{ruleset_id}", ORGANISATION, change),
    on_org("DELETE", "/rulesets/{ruleset_id}", ORGANISATION, remove),
    on_repo("GET", "/rulesets", "metadata:read", of_repository),
    on_repo("POST", "/rulesets", "administration:write", create),
    on_repo("GET", "/rulesets/{ruleset_id}", "metadata:read", show),
    on_repo("PUT", "/rulesets/{ruleset_id}", "administration:write", change),
    on_repo("DELETE", "/rulesets/{ruleset_id}", "administration:write", remove),
    on_repo("GET", "/rules/branches/{branch:.+}", "metadata:read", rules_of_branch),
]

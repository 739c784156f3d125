"""Reading a world from outside: what GitHub holds, and what it was asked."""

from collections import Counter
from typing import TYPE_CHECKING, Any

from sandbox.calls import Call
from sandbox.control.act import repository
from sandbox.render import actions, checks, issues

if TYPE_CHECKING:
    from sandbox.repository import Repository
    from sandbox.user import User
    from sandbox.world import World


def repositories(world: "World", fields: dict[str, Any]) -> list[dict[str, Any]]:
    """Those of `organisation`, each with whether it would take a push now from its first collaborator."""
    every = world.organisations[fields["organisation"]].repositories.values()
    return [_repository(repo) for repo in every]


def pushes(world: "World", _: dict[str, Any]) -> list[dict[str, Any]]:
    """Every push to a branch that was taken, when it was: what a perfect observer saw."""
    return [
        {
            "repository": repo.full_name,
            "repository_id": repo.id,
            "login": moved.actor.login,
            "ref": moved.change.ref,
            "sha": moved.change.after,
            "at": moved.at.isoformat(),
        }
        for repo in world.repositories.values()
        for moved in repo.activity
    ]


def refused_pushes(world: "World", _: dict[str, Any]) -> list[dict[str, Any]]:
    """Every push that was declined."""
    return [
        {
            "repository": repo.full_name,
            "login": refused.user.login,
            "ref": refused.change.ref,
            "at": refused.at.isoformat(),
            "violations": refused.violations,
        }
        for repo in world.repositories.values()
        for refused in repo.refused_pushes
    ]


def dispatches(world: "World", _: dict[str, Any]) -> list[dict[str, Any]]:
    """Every repository_dispatch that was taken."""
    return [
        {
            "repository": repo.full_name,
            "repository_id": repo.id,
            "event_type": one.event_type,
            "client_payload": one.client_payload,
            "at": one.at.isoformat(),
        }
        for repo in world.repositories.values()
        for one in repo.dispatches
    ]


def runs(world: "World", fields: dict[str, Any]) -> list[dict[str, Any]]:
    """The workflow runs of `repository`."""
    return [actions.workflow_run(run) for run in repository(world, fields).runs]


def comments(world: "World", fields: dict[str, Any]) -> list[dict[str, Any]]:
    """The comments of `repository`, of one `issue` (number) if given; reactions are counted in each."""
    every = repository(world, fields).comments.values()
    number = int(fields.get("issue", 0))
    return [issues.comment(one) for one in every if number in (0, one.issue.number)]


def check_runs(world: "World", fields: dict[str, Any]) -> list[dict[str, Any]]:
    """The check runs of `repository`."""
    return [checks.check_run(run) for run in repository(world, fields).checks.runs.values()]


def calls(world: "World", _: dict[str, Any]) -> dict[str, Any]:
    """How often each route was asked, the mutating calls one by one, and what is not imitated."""
    counts = Counter(f"{call.method} {call.route}" for call in world.calls)
    mutations = [_call(call) for call in world.mutations()]
    return {"total": len(world.calls), "routes": counts, "mutations": mutations, "unknown": world.unknown_routes}


def deliveries(world: "World", _: dict[str, Any]) -> dict[str, Any]:
    """How the webhooks fared: by event, and by answer."""
    log = world.hook.log
    return {
        "total": len(log),
        "events": Counter(one.event for one in log),
        "answers": Counter(one.status for one in log),
    }


def _repository(repo: "Repository") -> dict[str, Any]:
    pusher = _pusher(repo)
    refusal = None if pusher is None else repo.refusal(pusher)
    return {
        "id": repo.id,
        "full_name": repo.full_name,
        "head": repo.head(),
        "archived": repo.archived,
        "pusher": None if pusher is None else pusher.login,
        "open": refusal is None,
        "refusal": None if refusal is None else str(refusal),
        "refused_pushes": len(repo.refused_pushes),
        "dispatches": len(repo.dispatches),
        "runs": len(repo.runs),
    }


def _pusher(repo: "Repository") -> "User | None":
    return next((one.user for one in repo.collaborators.values()), None)


def _call(call: Call) -> dict[str, Any]:
    return {
        "number": call.number,
        "method": call.method,
        "route": call.route,
        "path": call.path,
        "body": call.body,
        "status": call.status,
        "effect": call.effect,
        "at": call.at.isoformat(),
    }


HANDLERS = {
    ("GET", "/repositories"): repositories,
    ("GET", "/pushes"): pushes,
    ("GET", "/refused-pushes"): refused_pushes,
    ("GET", "/dispatches"): dispatches,
    ("GET", "/runs"): runs,
    ("GET", "/comments"): comments,
    ("GET", "/checks"): check_runs,
    ("GET", "/calls"): calls,
    ("GET", "/deliveries"): deliveries,
}

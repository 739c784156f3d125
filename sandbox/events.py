"""What the App is told, one function per event: who hears of it, and the payload at that moment."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from sandbox.ids import node_id
from sandbox.render import accounts, actions, apps, checks, git, issues, repositories, rulesets

if TYPE_CHECKING:
    from sandbox.actions import Run
    from sandbox.checks import CheckRun
    from sandbox.git import RefChange
    from sandbox.installation import Installation
    from sandbox.issues import Comment, Issue
    from sandbox.organisation import Organisation
    from sandbox.repository import Repository
    from sandbox.rulesets import Ruleset
    from sandbox.user import User
    from sandbox.world import World

# docs, webhook events and payloads: the permissions, any of which lets an App hear of each.
NEEDED_TO_HEAR = {
    "check_run": ("checks",),
    "issue_comment": ("issues",),
    "issues": ("issues",),
    "push": ("contents",),
    "repository": ("metadata",),
    "repository_dispatch": ("contents",),
    "repository_ruleset": ("administration", "organization_administration"),
    "workflow_run": ("actions",),
}


def pushed(repo: "Repository", change: "RefChange", user: "User") -> None:
    """`push`, of a branch or a tag. A stale time was meant for this one alone."""
    fields = git.push(repo, change, user) | {"repository": repositories.in_push(repo)}
    repo.stale_pushed_at = None
    _tell(repo, "push", user, fields)


def repository(repo: "Repository", action: str, user: "User", changes: dict[str, Any] | None = None) -> None:
    """`repository`: created, renamed, archived, unarchived, deleted."""
    _tell(repo, "repository", user, {"action": action} | _changes(changes))


def transferred(repo: "Repository", old: "Organisation") -> None:
    """`repository` transferred: only the new owner's installation can hear it."""
    changes = {"owner": {"from": {"organization": accounts.organisation(old)}}}
    repository(repo, "transferred", repo.owner.somebody, changes)


def issue(one: "Issue", action: str, user: "User", changes: dict[str, Any] | None = None) -> None:
    """`issues`: opened, edited, closed, reopened."""
    _tell(one.repo, "issues", user, {"action": action, "issue": issues.in_event(one)} | _changes(changes))


def commented(one: "Comment", action: str, user: "User", changes: dict[str, Any] | None = None) -> None:
    """`issue_comment`: created, edited, deleted."""
    fields = {"action": action, "issue": issues.in_event(one.issue), "comment": issues.comment(one)}
    _tell(one.issue.repo, "issue_comment", user, fields | _changes(changes))


def check_run(run: "CheckRun", action: str, user: "User") -> None:
    """`check_run`: created, completed."""
    _tell(run.suite.repo, "check_run", user, {"action": action, "check_run": checks.in_event(run)})


def workflow_run(run: "Run", action: str) -> None:
    """`workflow_run`: requested, in_progress, completed."""
    fields = {"action": action, "workflow_run": actions.in_event(run), "workflow": actions.workflow(run)}
    _tell(run.repo, "workflow_run", run.triggering_actor, fields)


def dispatched(repo: "Repository", event_type: str, payload: dict[str, Any], user: "User") -> None:
    """`repository_dispatch`: the proof that GitHub took one."""
    fields = {"action": event_type, "branch": repo.default_branch, "client_payload": payload}
    _tell(repo, "repository_dispatch", user, fields)


def ruleset_of_repository(repo: "Repository", one: "Ruleset", action: str, user: "User") -> None:
    """`repository_ruleset`: created, edited, deleted."""
    _tell(repo, "repository_ruleset", user, {"action": action, "repository_ruleset": rulesets.full(one)})


def ruleset_of_organisation(org: "Organisation", one: "Ruleset", action: str, user: "User") -> None:
    """The same of an organisation's ruleset: no repository is named."""
    _tell_organisation(org, "repository_ruleset", user, {"action": action, "repository_ruleset": rulesets.full(one)})


def installation(one: "Installation", action: str, user: "User") -> None:
    """`installation`: created, deleted, suspend, unsuspend. Sent whatever the installation's state."""
    listed = {"repositories": [repositories.simple(repo) for repo in one.repositories]}
    fields = {"action": action, "installation": apps.installation(one), **listed, "requester": None}
    one.world.hook.emit("installation", fields | _sender(one.world, user), one.id, None)


def installation_repositories(
    one: "Installation", added: "Iterable[Repository]" = (), removed: "Iterable[Repository]" = ()
) -> None:
    """`installation_repositories`: added or removed."""
    gone = [repositories.simple(repo) for repo in removed]
    fields = {
        "action": "removed" if gone else "added",
        "installation": apps.installation(one),
        "repository_selection": apps.selection(one),
        "repositories_added": [repositories.simple(repo) for repo in added],
        "repositories_removed": gone,
        "requester": None,
    }
    one.world.hook.emit(
        "installation_repositories", fields | _sender(one.world, one.organisation.somebody), one.id, None
    )


def ping(world: "World") -> None:
    """`ping`: the hook has just been set up."""
    hook = apps.hook(world)
    world.hook.emit("ping", {"zen": "Keep it logically awesome.", "hook_id": hook["id"], "hook": hook}, None, None)


def meta_deleted(world: "World") -> None:
    """`meta` deleted: the hook is being removed."""
    hook = apps.hook(world)
    fields = {"action": "deleted", "hook_id": hook["id"], "hook": hook} | _sender(world, world.ghost)
    world.hook.emit("meta", fields, None, None)


def _tell(repo: "Repository", event: str, user: "User", fields: dict[str, Any]) -> None:
    """To the installation that covers the repository, if it listens."""
    one = repo.owner.installation
    if one is not None and _listens(one, event) and one.covers(repo):
        payload = {"repository": repositories.repository(repo)} | fields | _context(one, user)
        repo.world.hook.emit(event, payload, one.id, repo.id)


def _tell_organisation(org: "Organisation", event: str, user: "User", fields: dict[str, Any]) -> None:
    one = org.installation
    if one is not None and _listens(one, event):
        org.world.hook.emit(event, fields | _context(one, user), one.id, None)


def _listens(one: "Installation", event: str) -> bool:
    granted = any(permission in one.permissions for permission in NEEDED_TO_HEAR[event])
    return granted and one.suspended_at is None and event in one.app.events


def _context(one: "Installation", user: "User") -> dict[str, Any]:
    """What every event of an organisation carries."""
    return {
        "organization": accounts.organisation(one.organisation),
        "installation": {"id": one.id, "node_id": node_id("MDIzOk", one.id)},
        **_sender(one.world, user),
    }


def _sender(world: "World", user: "User") -> dict[str, Any]:
    return {"sender": accounts.user(world, user)}


def _changes(changes: dict[str, Any] | None) -> dict[str, Any]:
    return {} if changes is None else {"changes": changes}

"""Every event the App takes, and what understands it. The manifest's list is checked against this one."""

from collections.abc import Awaitable, Callable, Mapping

from bot.store.deliveries import Delivery
from bot.store.records import Conn
from bot.webhooks import (
    installation,
    installation_repositories,
    installation_target,
    issue_comment,
    issues,
    member,
    organization,
    push,
    repository,
    workflow_run,
)
from bot.webhooks.handling import Handling

Handler = Callable[[Conn, Delivery, Handling], Awaitable[None]]

AUTOMATIC = frozenset({"ping", "installation", "installation_repositories", "installation_target"})
"""GitHub sends these to every App; a manifest does not name them."""

HANDLERS: Mapping[str, Handler | None] = {
    "installation": installation.handle,
    "installation_repositories": installation_repositories.handle,
    "installation_target": installation_target.handle,
    "issue_comment": issue_comment.handle,
    "issues": issues.handle,
    "member": member.handle,
    "organization": organization.handle,
    "push": push.handle,
    "repository": repository.handle,
    "workflow_run": workflow_run.handle,
    # Recorded as evidence; no rule of today reads them, and an App's events are best asked for once.
    "check_run": None,
    "membership": None,
    "meta": None,
    "ping": None,
    "repository_dispatch": None,
    "repository_ruleset": None,
}

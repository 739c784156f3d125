"""app-manifest.yml asks GitHub for what the code takes and the design needs, and says why."""

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from bot.webhooks.events import AUTOMATIC, HANDLERS
from sandbox.app import PERMISSIONS

ROOT = Path(__file__).parents[1]
TEXT = (ROOT / "app-manifest.yml").read_text()
MANIFEST: dict[str, Any] = yaml.safe_load(TEXT)

# Which permission lets an App subscribe to an event ("Webhook events and payloads"). `meta` needs none of these.
NEEDED = {
    "check_run": "checks",
    "issue_comment": "issues",
    "issues": "issues",
    "member": "members",
    "membership": "members",
    "organization": "members",
    "push": "contents",
    "repository": "metadata",
    "repository_dispatch": "contents",
    "repository_ruleset": "administration",
    "workflow_run": "actions",
}
ORGANISATIONS_OWN = {"members": "Members"}
ACCESS = {"read": "Read-only", "write": "Read and write"}


def in_the_form(permission: str) -> tuple[str, str]:
    """Where GitHub's form shows a permission, and what it calls it."""
    if permission in ORGANISATIONS_OWN or permission.startswith("organization_"):
        return "Organization", permission.removeprefix("organization_").capitalize()
    return "Repository", permission.capitalize()


def test_the_events_asked_for_are_those_that_are_taken() -> None:
    assert set(MANIFEST["default_events"]) == set(HANDLERS) - AUTOMATIC


def test_events_that_come_unasked_are_taken_too() -> None:
    assert set(HANDLERS) >= AUTOMATIC


@pytest.mark.parametrize("event", sorted(set(MANIFEST["default_events"]) - {"meta"}))
def test_each_event_is_allowed_by_a_permission_that_is_asked_for(event: str) -> None:
    assert NEEDED[event] in MANIFEST["default_permissions"]


@pytest.mark.parametrize("name", [*MANIFEST["default_permissions"], *MANIFEST["default_events"]])
def test_each_permission_and_each_event_has_its_reason(name: str) -> None:
    assert re.search(rf"^ +(?:- {name}|{name}: (?:read|write)) # \w.{{10}}", TEXT, re.MULTILINE)


def test_the_sandboxs_app_is_granted_just_what_the_manifest_asks_for() -> None:
    assert MANIFEST["default_permissions"] == PERMISSIONS


def test_the_readme_has_each_permission_as_githubs_form_shows_it() -> None:
    rows = re.findall(
        r"^\| (Repository|Organization) \| ([\w ]+) \| ([\w -]+) \|", (ROOT / "README.md").read_text(), re.M
    )
    asked = [(*in_the_form(name), ACCESS[access]) for name, access in MANIFEST["default_permissions"].items()]

    assert sorted(rows) == sorted(asked)


def test_the_readme_names_each_event_as_githubs_form_shows_it() -> None:
    (listed,) = re.findall(r"^Events to tick: (.+)\.$", (ROOT / "README.md").read_text(), re.MULTILINE)

    assert listed.split(", ") == [event.replace("_", " ").capitalize() for event in MANIFEST["default_events"]]

"""Rulesets and the rules they amount to."""

from typing import TYPE_CHECKING, Any

from sandbox.clock import stamp
from sandbox.ids import node_id
from sandbox.rulesets import Ruleset, in_force

if TYPE_CHECKING:
    from sandbox.repository import Repository


def is_of_organisation(ruleset: Ruleset) -> bool:
    """Whether an organisation holds it."""
    return ruleset.source is ruleset.source.organisation


def summary(ruleset: Ruleset) -> dict[str, Any]:
    """repository-ruleset as lists show it: without bypass actors, conditions and rules."""
    return {
        "id": ruleset.id,
        "name": ruleset.name,
        "target": ruleset.target,
        "source_type": "Organization" if is_of_organisation(ruleset) else "Repository",
        "source": ruleset.source.source_name,
        "enforcement": ruleset.enforcement,
        "node_id": node_id("RRS", ruleset.id),
        "_links": _links(ruleset),
        "created_at": stamp(ruleset.created_at),
        "updated_at": stamp(ruleset.updated_at),
    }


def full(ruleset: Ruleset) -> dict[str, Any]:
    """repository-ruleset."""
    parts = {"bypass_actors": ruleset.bypass_actors, "conditions": ruleset.conditions, "rules": ruleset.rules}
    return summary(ruleset) | parts


def rules_for(repo: "Repository", ref: str) -> list[dict[str, Any]]:
    """The active rules of every level on a ref, each with the ruleset it comes from."""
    return [
        rule
        | {
            "ruleset_source_type": "Organization" if is_of_organisation(ruleset) else "Repository",
            "ruleset_source": ruleset.source.source_name,
            "ruleset_id": ruleset.id,
        }
        for ruleset in in_force(repo, ref)
        for rule in ruleset.rules
    ]


def _links(ruleset: Ruleset) -> dict[str, Any]:
    kind = "orgs" if is_of_organisation(ruleset) else "repos"
    name, url = ruleset.source.source_name, ruleset.source.world.url
    page = f"{url}/organizations/{name}/settings/rules" if kind == "orgs" else f"{url}/{name}/rules"
    return {
        "self": {"href": f"{url}/{kind}/{name}/rulesets/{ruleset.id}"},
        "html": {"href": f"{page}/{ruleset.id}"},
    }

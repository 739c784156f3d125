"""Making, changing and removing rulesets, with everything GitHub refuses on the way."""

from typing import Any

from sandbox import events
from sandbox.bodies import field, one_of
from sandbox.errors import Refused, invalid, unprocessable
from sandbox.organisation import Organisation
from sandbox.repository import Repository
from sandbox.rulesets import PREFIX, Ruleset
from sandbox.user import User

Source = Organisation | Repository

# docs: "up to 75 rulesets per repository and 75 organization-wide rulesets".
MOST_RULESETS = 75
EVALUATED_RULES = frozenset({"creation", "update", "deletion", "non_fast_forward"})
ACTOR_TYPES = ("Integration", "OrganizationAdmin", "RepositoryRole", "Team", "User")
BYPASS_MODES = ("always", "pull_request", "exempt")
NO_MATCH = "Invalid property /conditions: data matches no possible input. See `documentation_url`."
TEAM_PLAN = "Upgrade to GitHub Team to enable this feature."
PRO_PLAN = "Upgrade to GitHub Pro or make this repository public to enable this feature."


def check_plan(source: Source) -> None:
    """Raises Refused (403) where the plan has no rulesets: permanent, whatever the permissions."""
    if not source.has_rulesets:
        raise Refused(403, TEAM_PLAN if isinstance(source, Organisation) else PRO_PLAN)


def create(source: Source, body: dict[str, Any], user: User) -> Ruleset:
    """A new ruleset of the organisation or repository. Raises Refused."""
    field(body, "name", str)
    field(body, "enforcement", str)
    if len(source.rulesets) >= MOST_RULESETS:
        raise unprocessable(f"Only {MOST_RULESETS} rulesets are allowed")
    now = source.world.clock.now()
    ruleset = Ruleset(source.world.ids.small(), source, now, now)
    _assign(ruleset, body)
    source.rulesets[ruleset.id] = ruleset
    _announce(ruleset, "created", user)
    return ruleset


def change(ruleset: Ruleset, body: dict[str, Any], user: User) -> Ruleset:
    """What the body names is replaced, the rest stays. Raises Refused and then changes nothing."""
    _assign(ruleset, body)
    ruleset.updated_at = ruleset.source.world.clock.now()
    _announce(ruleset, "edited", user)
    return ruleset


def remove(ruleset: Ruleset, user: User) -> None:
    """Delete it."""
    del ruleset.source.rulesets[ruleset.id]
    _announce(ruleset, "deleted", user)


def _announce(ruleset: Ruleset, action: str, user: User) -> None:
    if isinstance(ruleset.source, Organisation):
        events.ruleset_of_organisation(ruleset.source, ruleset, action, user)
    else:
        events.ruleset_of_repository(ruleset.source, ruleset, action, user)


def _assign(ruleset: Ruleset, body: dict[str, Any]) -> None:
    source = ruleset.source
    name = field(body, "name", str, ruleset.name)
    target = one_of(body, "target", tuple(PREFIX), ruleset.target)
    enforcement = one_of(body, "enforcement", _enforcements(source), ruleset.enforcement)
    actors = field(body, "bypass_actors", list, ruleset.bypass_actors)
    conditions = field(body, "conditions", dict, ruleset.conditions)
    rules = field(body, "rules", list, ruleset.rules)
    _check_name(ruleset, name)
    _check_conditions(source, conditions)
    _check_rules(rules)
    normal = [_checked_actor(source, actor) for actor in actors]
    ruleset.name, ruleset.target, ruleset.enforcement = name, target, enforcement
    ruleset.bypass_actors, ruleset.conditions, ruleset.rules = normal, conditions, rules


def _enforcements(source: Source) -> tuple[str, ...]:
    """`evaluate` is only available with GitHub Enterprise."""
    return ("disabled", "active", "evaluate") if source.organisation.plan == "enterprise" else ("disabled", "active")


def _check_name(ruleset: Ruleset, name: str) -> None:
    if any(other.name == name and other is not ruleset for other in ruleset.source.rulesets.values()):
        raise unprocessable("Name must be unique")


def _check_conditions(source: Source, conditions: dict[str, Any]) -> None:
    """An organisation's ruleset names its repositories in exactly one of three ways; a repository's in none."""
    others = set(conditions) - {"ref_name"}
    if "repository_property" in others:
        raise Refused(501, "The sandbox does not evaluate repository_property conditions.")
    of_organisation = isinstance(source, Organisation)
    wanted: list[set[str]] = [{"repository_id"}, {"repository_name"}] if of_organisation else [set()]
    if others not in wanted or (of_organisation and "ref_name" not in conditions):
        raise invalid(NO_MATCH)
    for name in set(conditions) - {"repository_id"}:
        if not {"include", "exclude"} <= set(conditions[name]):
            raise invalid(NO_MATCH)
    ids = conditions.get("repository_id", {}).get("repository_ids", [])
    if not all(isinstance(number, int) for number in ids):
        raise invalid(NO_MATCH)


def _check_rules(rules: list[dict[str, Any]]) -> None:
    for rule in rules:
        if rule.get("type") not in EVALUATED_RULES:
            raise Refused(501, f"The sandbox does not evaluate the rule {rule.get('type')}.")


def _checked_actor(source: Source, actor: dict[str, Any]) -> dict[str, Any]:
    """A bypass actor as GitHub keeps it. It must belong to the organisation, and a secret team is nobody."""
    kind = one_of(actor, "actor_type", ACTOR_TYPES)
    mode = one_of(actor, "bypass_mode", BYPASS_MODES, "always")
    number = field(actor, "actor_id", int, None)
    org = source.organisation
    if kind == "Integration" and (org.installation is None or org.installation.app.id != number):
        raise unprocessable(f"Actor {number} integration must be part of the ruleset source or owner organization")
    if kind == "Team" and not any(team.id == number and not team.secret for team in org.teams.values()):
        raise unprocessable(f"Actor {number} team must be part of the ruleset source or owner organization")
    return {"actor_id": number, "actor_type": kind, "bypass_mode": mode}

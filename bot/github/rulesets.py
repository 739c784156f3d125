"""The organisation's pair of rulesets that closes repositories (docs/design.md section 6).

Sources: "REST API endpoints for rules" of GitHub. Each target holds every closed repository by id, so that one PUT
closes any number of them; a ruleset that closes nothing is disabled, not deleted.
"""

from collections.abc import Sequence
from typing import Any, Literal
from urllib.parse import quote

import msgspec

from bot.github.api import Api
from bot.github.gate import Urgency
from bot.github.shapes import Numbered, fit

BRANCHES = "pencils-down: closed branches"
TAGS = "pencils-down: closed tags"
RULES = ("creation", "update", "deletion", "non_fast_forward")
REPLACE_ATTEMPTS = 3

Target = Literal["branch", "tag"]


class Named(msgspec.Struct, frozen=True):
    """A ruleset as lists show it."""

    id: int
    name: str


class _Rule(msgspec.Struct, frozen=True):
    type: str


async def find(api: Api, name: str) -> int | None:
    """The id of the organisation's ruleset of that name. Raises PlanRefused where the plan has none."""
    rulesets = fit(list[Named], await api.pages(f"/orgs/{api.login}/rulesets", urgency=Urgency.DEADLINE))
    return next((ruleset.id for ruleset in rulesets if ruleset.name == name), None)


async def create(api: Api, body: dict[str, Any], closing: Sequence[int]) -> int:
    """Make a ruleset that closes `closing`, once: after an unknown outcome look for its name, then try again."""
    answer = await api.write(
        "POST",
        f"/orgs/{api.login}/rulesets",
        body,
        repository_ids=tuple(closing),
        urgency=Urgency.DEADLINE,
    )
    return fit(Numbered, answer.data).id


async def replace(api: Api, ruleset_id: int, body: dict[str, Any], closing: Sequence[int]) -> None:
    """Make the ruleset what `body` says, which closes `closing` beyond what it closed before.

    Repeated where the outcome is unknown, since twice is the same as once.
    """
    await api.write(
        "PUT",
        f"/orgs/{api.login}/rulesets/{ruleset_id}",
        body,
        repository_ids=tuple(closing),
        urgency=Urgency.DEADLINE,
        attempts=REPLACE_ATTEMPTS,
    )


def lock_body(
    *,
    target: Target,
    repository_ids: Sequence[int],
    app_id: int,
    team_ids: Sequence[int],
    name: str,
) -> dict[str, Any]:
    """The ruleset that lets only the App, the staff teams and the owners move anything in `repository_ids`."""
    return {
        "name": name,
        "target": target,
        "enforcement": "active" if repository_ids else "disabled",
        "bypass_actors": [
            # Exempt: the App's own pushes leave no bypass entries in the organisation's audit log.
            {"actor_type": "Integration", "actor_id": app_id, "bypass_mode": "exempt"},
            *({"actor_type": "Team", "actor_id": team, "bypass_mode": "always"} for team in sorted(team_ids)),
            # Its id is ignored, but older servers want one.
            {"actor_type": "OrganizationAdmin", "actor_id": 1, "bypass_mode": "always"},
        ],
        "conditions": {
            "ref_name": {"include": ["~ALL"], "exclude": []},
            "repository_id": {"repository_ids": sorted(repository_ids)},
        },
        "rules": [{"type": rule} for rule in RULES],
    }


async def closed_to_students(api: Api, repository_id: int, branch: str) -> bool:
    """Whether the rules that GitHub applies to the branch now, from all levels together, make up the lock."""
    path = f"/repositories/{repository_id}/rules/branches/{quote(branch, safe='')}"
    rules = fit(list[_Rule], await api.pages(path, repository_id=repository_id, urgency=Urgency.DEADLINE))
    return {rule.type for rule in rules}.issuperset(RULES)

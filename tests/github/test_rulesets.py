"""The pair of rulesets that closes an organisation's repositories."""

import json

import pytest

from bot.github import rulesets
from bot.github.api import Api
from bot.github.failures import PlanRefused

from .conftest import APP_ID, OpenGate
from .fake import FakeGitHub, Reply

LIST = "/orgs/prog1/rulesets"
LOCK = [{"type": rule} for rule in ("creation", "update", "deletion", "non_fast_forward")]


def test_a_lock_holds_every_ref_of_its_repositories_against_all_but_app_staff_and_owners() -> None:
    body = rulesets.lock_body(
        target="tag", repository_ids=[3, 1, 2], app_id=APP_ID, team_ids=[9, 8], name=rulesets.TAGS
    )

    assert body == {
        "name": "pencils-down: closed tags",
        "target": "tag",
        "enforcement": "active",
        "bypass_actors": [
            {"actor_type": "Integration", "actor_id": APP_ID, "bypass_mode": "exempt"},
            {"actor_type": "Team", "actor_id": 8, "bypass_mode": "always"},
            {"actor_type": "Team", "actor_id": 9, "bypass_mode": "always"},
            {"actor_type": "OrganizationAdmin", "actor_id": 1, "bypass_mode": "always"},
        ],
        "conditions": {
            "ref_name": {"include": ["~ALL"], "exclude": []},
            "repository_id": {"repository_ids": [1, 2, 3]},
        },
        "rules": LOCK,
    }


def test_a_lock_of_nothing_is_disabled() -> None:
    body = rulesets.lock_body(target="branch", repository_ids=[], app_id=APP_ID, team_ids=[], name=rulesets.BRANCHES)

    assert body["enforcement"] == "disabled"


async def test_a_ruleset_is_found_by_its_name_on_any_page(api: Api, github: FakeGitHub) -> None:
    more = {"Link": f'<{github.url}{LIST}?page=2>; rel="next"'}
    ours = {"id": 9, "name": rulesets.BRANCHES, "enforcement": "active"}
    github.on("GET", LIST, Reply(200, [{"id": 1, "name": "theirs"}], more), Reply(200, [ours]))

    assert await rulesets.find(api, rulesets.BRANCHES) == 9
    assert await rulesets.find(api, rulesets.TAGS) is None


async def test_a_plan_without_organisation_rulesets_says_so(api: Api, github: FakeGitHub) -> None:
    github.on("GET", LIST, Reply(403, {"message": "Upgrade to GitHub Team to enable this feature."}))

    with pytest.raises(PlanRefused):
        await rulesets.find(api, rulesets.BRANCHES)


async def test_creating_and_replacing_name_the_repositories_they_change_to_the_gate(
    api: Api, github: FakeGitHub, gate: OpenGate
) -> None:
    github.on("POST", LIST, Reply(201, {"id": 9}))
    github.on("PUT", f"{LIST}/9", Reply(200, {"id": 9}))

    assert await rulesets.create(api, {"name": "x"}, [1, 2]) == 9
    await rulesets.replace(api, 9, {"name": "y"}, [2])

    assert [(call.method, call.repository_ids) for call in gate.calls] == [("POST", (1, 2)), ("PUT", (2,))]
    assert json.loads(github.last("PUT", f"{LIST}/9").body) == {"name": "y"}


@pytest.mark.parametrize(
    ("rules", "closed"), [(LOCK, True), ([{"type": "pull_request"}, *LOCK], True), (LOCK[1:], False), ([], False)]
)
async def test_a_branch_is_closed_when_all_four_rules_apply_to_it(
    api: Api, github: FakeGitHub, rules: list[dict[str, str]], closed: bool
) -> None:
    github.on("GET", "/repositories/1/rules/branches/feature%2Fx", Reply(200, rules))

    assert await rulesets.closed_to_students(api, 1, "feature/x") is closed

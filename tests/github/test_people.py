"""Who is who: by number, as GitHub holds it now."""

from typing import Any

import pytest

from bot.github import repositories, teams
from bot.github.api import Api
from bot.github.shapes import Person

from .fake import FakeGitHub, Reply

AMY: dict[str, Any] = {"id": 31, "login": "amy", "type": "User"}
ORGANISATION = "/orgs/prog1/memberships/amy"
TEAM = "/organizations/5/team/8/memberships/amy"


async def test_a_team_is_found_by_its_slug(api: Api, github: FakeGitHub) -> None:
    github.on("GET", "/orgs/prog1/teams/tas", Reply(200, {"id": 8, "slug": "tas", "name": "TAs", "privacy": "secret"}))
    github.on("GET", "/orgs/prog1/teams/none", Reply(404))

    assert await teams.find(api, "tas") == teams.Team(8, "tas", "TAs", "secret")
    assert await teams.find(api, "none") is None


@pytest.mark.parametrize(
    ("organisation", "team", "expected"),
    [
        (Reply(200, {"state": "active", "role": "member", "user": AMY}), "active", True),
        (Reply(200, {"state": "active", "role": "member", "user": AMY}), "pending", False),
        (Reply(200, {"state": "active", "role": "member", "user": {**AMY, "id": 32}}), "active", False),
        (Reply(200, {"state": "active", "role": "member", "user": None}), "active", False),
        (Reply(200, {"state": "pending", "role": "member", "user": AMY}), "active", False),
        (Reply(404), "active", False),
    ],
)
async def test_a_member_is_active_in_the_team_and_the_same_user_by_number(
    api: Api, github: FakeGitHub, organisation: Reply, team: str, expected: bool
) -> None:
    github.on("GET", ORGANISATION, organisation)
    github.on("GET", TEAM, Reply(200, {"state": team, "role": "maintainer"}))

    assert await teams.is_member(api, 8, 31, "amy") is expected


async def test_somebody_outside_the_team_is_no_member(api: Api, github: FakeGitHub) -> None:
    github.on("GET", ORGANISATION, Reply(200, {"state": "active", "role": "member", "user": AMY}))
    github.on("GET", TEAM, Reply(404))

    assert not await teams.is_member(api, 8, 31, "amy")


@pytest.mark.parametrize(
    ("state", "role", "number", "expected"),
    [
        ("active", "admin", 31, True),
        ("active", "member", 31, False),
        ("pending", "admin", 31, False),
        ("active", "admin", 99, False),
    ],
)
async def test_an_owner_is_an_active_admin_and_the_same_user_by_number(
    api: Api, github: FakeGitHub, state: str, role: str, number: int, expected: bool
) -> None:
    github.on("GET", ORGANISATION, Reply(200, {"state": state, "role": role, "user": AMY}))

    assert await teams.is_owner(api, number, "amy") is expected


async def test_members_and_owners_are_listed(api: Api, github: FakeGitHub) -> None:
    github.on("GET", "/organizations/5/team/8/members", Reply(200, [AMY]))
    github.on("GET", "/orgs/prog1/members", Reply(200, [AMY]))

    assert await teams.members(api, 8) == [Person(31, "amy", "User")]
    assert await teams.owners(api) == [Person(31, "amy", "User")]
    assert github.asked[-1].query["role"] == "admin"


async def test_students_are_the_people_added_to_the_repository_itself(api: Api, github: FakeGitHub) -> None:
    bot = {"id": 40, "login": "helper[bot]", "type": "Bot", "role_name": "write"}
    github.on("GET", "/repositories/1/collaborators", Reply(200, [{**AMY, "role_name": "maintain"}, bot]))

    assert await repositories.students(api, 1) == [Person(31, "amy", "User", "maintain")]
    assert github.asked[-1].query["affiliation"] == "direct"

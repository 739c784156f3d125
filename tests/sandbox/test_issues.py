"""Issues, comments, reactions."""

import pytest

from sandbox import World
from sandbox.errors import Refused
from sandbox.organisation import Organisation
from sandbox.repository import Repository

from .caller import Caller, Received


async def test_comments_are_listed_oldest_first_and_can_be_changed_and_deleted(
    github: Caller, world: World, repo: Repository
) -> None:
    issue = repo.open_issue(world.user("prof"), "Lab 1")
    issue.comment(world.user("prof"), "/status")
    path = f"/repositories/{repo.id}/issues/{issue.number}/comments"
    made = await github.call("POST", path, {"body": "open"})
    one = f"/repositories/{repo.id}/issues/comments/{made.body['id']}"
    await github.call("PATCH", one, {"body": "closed"})
    assert [comment["body"] for comment in (await github.get(path)).body] == ["/status", "closed"]
    assert (await github.call("DELETE", one)).status == 204
    assert (await github.get(one)).status == 404


async def test_a_reaction_is_made_once(github: Caller, world: World, repo: Repository) -> None:
    comment = repo.open_issue(world.user("prof"), "Lab 1").comment(world.user("prof"), "/status")
    path = f"/repositories/{repo.id}/issues/comments/{comment.id}/reactions"
    answers = [await github.call("POST", path, {"content": "eyes"}) for _ in range(2)]
    assert [answer.status for answer in answers] == [201, 200]
    assert answers[0].body["id"] == answers[1].body["id"]
    assert [one["content"] for one in (await github.get(path)).body] == ["eyes"]
    assert (await github.call("POST", path, {"content": "shrug"})).status == 422


async def test_an_archived_repository_is_mute(github: Caller, world: World, repo: Repository) -> None:
    issue = repo.open_issue(world.user("prof"), "Lab 1")
    await github.call("PATCH", f"/repositories/{repo.id}", {"archived": True})
    refused = await github.call("POST", f"/repositories/{repo.id}/issues/1/comments", {"body": "x"})
    assert (refused.status, refused.message) == (403, "Repository was archived so is read-only.")
    dispatched = await github.call("POST", f"/repositories/{repo.id}/dispatches", {"event_type": "grade-final"})
    assert (dispatched.status, repo.dispatches) == (403, [])
    with pytest.raises(Refused, match="read-only"):
        issue.comment(world.user("prof"), "x")
    assert (await github.call("PATCH", f"/repositories/{repo.id}", {"archived": False})).status == 200
    assert (await github.call("POST", f"/repositories/{repo.id}/issues/1/comments", {"body": "x"})).status == 201


async def test_a_body_has_a_length(github: Caller, world: World, repo: Repository) -> None:
    repo.open_issue(world.user("prof"), "Lab 1")
    refused = await github.call("POST", f"/repositories/{repo.id}/issues/1/comments", {"body": "x" * 65_537})
    assert refused.status == 422


async def test_an_issue_is_edited_and_closed(
    github: Caller, world: World, repo: Repository, inbox: list[Received]
) -> None:
    repo.open_issue(world.user("prof"), "Lab 1")
    path = f"/repositories/{repo.id}/issues/1"
    changed = await github.call("PATCH", path, {"body": "board", "state": "closed"})
    assert (changed.body["body"], changed.body["state"]) == ("board", "closed")
    await world.hook.idle()
    told = sorted(one.payload["action"] for one in inbox if one.event == "issues")
    assert told == ["closed", "edited", "opened"]
    assert (await github.get(f"/repositories/{repo.id}/issues")).body == []


async def test_a_persons_place_is_read_from_team_and_organisation(
    github: Caller, world: World, org: Organisation, repo: Repository
) -> None:
    team = org.team("Staff of Lab", [world.user("assi")], secret=True)
    team.add(world.user("new"), pending=True)
    team.add(world.user("prof"))
    path = f"/organizations/{org.id}/team/{team.id}/memberships"
    places = [(await github.get(f"{path}/{login}")).body for login in ("assi", "new", "prof")]
    assert [(one["role"], one["state"]) for one in places] == [
        ("member", "active"),
        ("member", "pending"),
        ("maintainer", "active"),
    ]
    world.user("stranger")
    assert (await github.get(f"{path}/stranger")).status == 404
    assert (await github.get(f"{path}/nobody-at-all")).status == 404
    assert (await github.get("/orgs/prog1/memberships/prof")).body["role"] == "admin"
    assert [one["login"] for one in (await github.get("/orgs/prog1/members?role=admin")).body] == ["prof"]
    assert (await github.get("/orgs/prog1/teams/staff-of-lab")).body["privacy"] == "secret"


async def test_permission_is_the_greatest_of_all_grants(
    github: Caller, world: World, org: Organisation, repo: Repository
) -> None:
    team = org.team("staff", [world.user("assi")])
    team.grant(repo, "maintain")
    repo.collaborator(world.user("assi"), "read")
    path = f"/repositories/{repo.id}/collaborators"
    assi = (await github.get(f"{path}/assi/permission")).body
    assert (assi["permission"], assi["role_name"]) == ("write", "maintain")
    assert (await github.get(f"{path}/prof/permission")).body["permission"] == "admin"
    everybody = {one["login"] for one in (await github.get(path)).body}
    direct = {one["login"] for one in (await github.get(f"{path}?affiliation=direct")).body}
    outside = {one["login"] for one in (await github.get(f"{path}?affiliation=outside")).body}
    assert (everybody, direct, outside) == ({"prof", "assi", "amy"}, {"assi", "amy"}, {"amy"})

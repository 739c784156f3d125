"""Names change, ids stay."""

import pytest

from sandbox import World
from sandbox.organisation import Organisation
from sandbox.repository import Repository

from .caller import Caller, Received


@pytest.mark.parametrize("method", ["GET", "POST", "PATCH"])
async def test_an_old_name_answers_301_to_the_id_for_every_method(
    github: Caller, world: World, repo: Repository, method: str
) -> None:
    repo.rename("lab-amy")
    path = "/issues" if method != "PATCH" else ""
    moved = await github.call(method, f"/repos/prog1/lab1-amy{path}", {"title": "x"} if method == "POST" else {})
    assert moved.status == 301
    assert moved.headers["Location"] == f"{world.url}/repositories/{repo.id}{path}"
    assert repo.issues == {}


async def test_the_redirect_keeps_the_query_and_leads_to_the_repository(github: Caller, repo: Repository) -> None:
    repo.rename("lab-amy")
    moved = await github.get("/repos/prog1/lab1-amy/issues?state=all&page=1")
    assert moved.headers["Location"].endswith(f"/repositories/{repo.id}/issues?state=all&page=1")
    assert (await github.get(moved.headers["Location"])).status == 200


async def test_by_id_and_by_name_are_one_repository_and_case_does_not_matter(github: Caller, repo: Repository) -> None:
    by_name, by_id = await github.get("/repos/PROG1/Lab1-Amy"), await github.get(f"/repositories/{repo.id}")
    assert by_name.body == by_id.body
    assert by_id.body["id"] == repo.id


async def test_a_new_repository_of_an_old_name_ends_the_redirect_for_good(
    github: Caller, org: Organisation, repo: Repository
) -> None:
    repo.rename("lab-amy")
    new = org.repository("lab1-amy")
    assert (await github.get("/repos/prog1/lab1-amy")).body["id"] == new.id
    new.delete()
    assert (await github.get("/repos/prog1/lab1-amy")).status == 404


async def test_a_deleted_repository_is_gone_by_name_and_id(
    github: Caller, world: World, repo: Repository, inbox: list[Received]
) -> None:
    repo.delete()
    assert (await github.get(f"/repositories/{repo.id}")).status == 404
    assert (await github.get("/repos/prog1/lab1-amy")).status == 404
    await world.hook.idle()
    assert [(one.event, one.payload["action"]) for one in inbox][-1] == ("repository", "deleted")


async def test_a_transfer_is_told_to_the_new_owner_only(
    github: Caller, world: World, repo: Repository, inbox: list[Received]
) -> None:
    there = world.organisation("prog2")
    repo.transfer(there)
    await world.hook.idle()
    assert "transferred" not in [one.payload.get("action") for one in inbox]
    assert (await github.get(f"/repositories/{repo.id}")).status == 404

    installed = there.install(world.app)
    back = world.organisation("prog3")
    back.install(world.app)
    repo.transfer(back)
    await world.hook.idle()
    told = [one.payload for one in inbox if one.payload.get("action") == "transferred"]
    assert [one["organization"]["login"] for one in told] == ["prog3"]
    assert told[0]["installation"]["id"] != installed.id
    assert told[0]["changes"]["owner"]["from"]["organization"]["login"] == "prog2"


async def test_a_rename_tells_the_old_name(world: World, repo: Repository, inbox: list[Received]) -> None:
    repo.rename("lab-amy")
    await world.hook.idle()
    renamed = inbox[-1].payload
    assert renamed["changes"] == {"repository": {"name": {"from": "lab1-amy"}}}
    assert renamed["repository"]["full_name"] == "prog1/lab-amy"


def test_no_two_objects_share_an_id_and_the_many_are_beyond_32_bits(world: World, repo: Repository) -> None:
    issue = repo.open_issue(world.user("amy"), "Lab 1")
    comment = issue.comment(world.user("amy"), "/status")
    ids = [repo.id, repo.owner.id, world.app.id, world.user("amy").id, issue.id, comment.id]
    assert len(set(ids)) == len(ids)
    assert min(issue.id, comment.id) > 2**32 > repo.id

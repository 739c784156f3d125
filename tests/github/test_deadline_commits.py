"""Commits without a clone: made twice without harm, moved to only ahead, and looked for before they are made again."""

import json

import pytest

from bot.github import commits, deadline_commits
from bot.github.api import Api
from bot.github.failures import NotFound, Refused, ServerBroken
from bot.github.gate import Urgency

from .conftest import OpenGate
from .fake import FakeGitHub, Reply

HEAD, SHA = "a" * 40, "b" * 40
REF = "/repositories/1/git/refs/heads/feature/x"
COMPARE = f"/repositories/1/compare/{SHA}...{HEAD}"


async def test_an_empty_commit_has_the_tree_of_its_only_parent(api: Api, github: FakeGitHub, gate: OpenGate) -> None:
    github.on("GET", f"/repositories/1/git/commits/{HEAD}", Reply(200, {"sha": HEAD, "tree": {"sha": "t"}}))
    github.on("POST", "/repositories/1/git/commits", Reply(502), Reply(201, {"sha": SHA}))

    assert await deadline_commits.make_empty(api, 1, HEAD, "Deadline of lab1") == SHA

    assert json.loads(github.asked[-1].body) == {"message": "Deadline of lab1", "tree": "t", "parents": [HEAD]}
    assert {call.urgency for call in gate.calls} == {Urgency.DEADLINE}
    assert {call.repository_ids for call in gate.calls} == {(1,)}


async def test_a_branch_moves_without_force_and_again_where_the_answer_was_lost(api: Api, github: FakeGitHub) -> None:
    github.on("PATCH", REF, Reply(instead="drop"), Reply(502), Reply(200, {"object": {"sha": SHA}}))

    await deadline_commits.move(api, 1, "feature/x", SHA)

    assert [json.loads(asked.body) for asked in github.asked if asked.method == "PATCH"] == [
        {"sha": SHA, "force": False}
    ] * 3


@pytest.mark.parametrize(
    ("status", "failure"), [(422, Refused), (409, Refused), (403, Refused), (404, NotFound), (500, ServerBroken)]
)
async def test_a_move_that_did_not_happen_says_so(
    api: Api, github: FakeGitHub, status: int, failure: type[Exception]
) -> None:
    github.on("PATCH", REF, Reply(status, {"message": "Update is not a fast forward"}))

    with pytest.raises(failure):
        await deadline_commits.move(api, 1, "feature/x", SHA)


@pytest.mark.parametrize(
    ("reply", "there"),
    [
        (Reply(200, {"status": "ahead"}), True),
        (Reply(200, {"status": "identical"}), True),
        (Reply(200, {"status": "diverged"}), False),
        (Reply(200, {"status": "behind"}), False),
        (Reply(404), False),
    ],
)
async def test_a_commit_is_on_a_branch_if_its_head_is_that_commit_or_ahead_of_it(
    api: Api, github: FakeGitHub, reply: Reply, there: bool
) -> None:
    github.on("GET", COMPARE, reply)

    assert await commits.reaches(api, 1, HEAD, SHA, urgency=Urgency.READ) is there

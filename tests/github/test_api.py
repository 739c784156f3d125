"""What is tried again, what never is, and how pages are read."""

import json
from datetime import UTC, datetime

import pytest

from bot.github import dispatches, issues, rulesets
from bot.github.api import Api
from bot.github.door import kind_of
from bot.github.failures import GitHubFailure, NoAnswer, ServerBroken
from bot.github.hub import Hub

from .fake import FakeGitHub, Reply

DISPATCHES = "/repositories/1/dispatches"
RULESET = "/orgs/prog1/rulesets/9"


@pytest.mark.parametrize("broken", [Reply(500), Reply(502, text="<html>"), Reply(instead="drop")])
async def test_a_read_is_repeated_until_github_is_well(api: Api, github: FakeGitHub, broken: Reply) -> None:
    github.on("GET", "/repositories/1", broken, broken, Reply(200, {"id": 1}))

    assert await api.read("/repositories/1") == {"id": 1}


async def test_a_read_gives_up_after_three_tries(api: Api, github: FakeGitHub) -> None:
    github.on("GET", "/repositories/1", Reply(503))

    with pytest.raises(ServerBroken):
        await api.read("/repositories/1")

    assert github.count("GET", "/repositories/1") == 3


@pytest.mark.parametrize(
    ("reply", "kind"),
    [
        (Reply(502), ServerBroken),
        (Reply(500, {"message": "Server Error"}), ServerBroken),
        (Reply(instead="drop"), NoAnswer),
        (Reply(instead="silence"), NoAnswer),
    ],
)
async def test_a_dispatch_of_unknown_outcome_is_sent_exactly_once(
    api: Api, github: FakeGitHub, reply: Reply, kind: type[GitHubFailure]
) -> None:
    github.on("POST", DISPATCHES, reply, Reply(204))

    with pytest.raises(kind) as caught:
        await dispatches.send(api, 1, "grade-final", {"sha": "a" * 40})

    assert caught.value.ambiguous
    assert github.count("POST", DISPATCHES) == 1


async def test_a_dispatch_dropped_on_a_used_connection_is_not_repeated_below_us(api: Api, github: FakeGitHub) -> None:
    github.on("POST", DISPATCHES, Reply(204), Reply(instead="drop"))
    await dispatches.send(api, 1, "grade-final", {})

    with pytest.raises(NoAnswer):
        await dispatches.send(api, 1, "grade-final", {})

    assert github.count("POST", DISPATCHES) == 2


async def test_a_dispatch_carries_its_payload_and_brings_githubs_date(api: Api, github: FakeGitHub) -> None:
    github.on("POST", DISPATCHES, Reply(204, headers={"Date": "Tue, 01 Dec 2026 23:00:07 GMT"}))

    answer = await dispatches.send(api, 1, "grade-final", {"nonce": "n1"})

    assert (answer.status, answer.date) == (204, datetime(2026, 12, 1, 23, 0, 7, tzinfo=UTC))
    sent = json.loads(github.last("POST", DISPATCHES).body)
    assert sent == {"event_type": "grade-final", "client_payload": {"nonce": "n1"}}


async def test_a_definite_refusal_of_a_dispatch_is_not_repeated(api: Api, github: FakeGitHub) -> None:
    github.on("POST", DISPATCHES, Reply(422, {"message": "Validation Failed"}))

    with pytest.raises(GitHubFailure) as caught:
        await dispatches.send(api, 1, "grade-final", {})

    assert not caught.value.ambiguous
    assert github.count("POST", DISPATCHES) == 1


async def test_a_ruleset_is_replaced_again_where_the_outcome_is_unknown(api: Api, github: FakeGitHub) -> None:
    github.on("PUT", RULESET, Reply(502), Reply(instead="drop"), Reply(200, {"id": 9}))

    await rulesets.replace(api, 9, {"name": "x"}, [1])

    assert json.loads(github.last("PUT", RULESET).body) == {"name": "x"}


async def test_a_comment_is_written_once_where_the_outcome_is_unknown(api: Api, github: FakeGitHub) -> None:
    github.on("POST", "/repositories/1/issues/3/comments", Reply(502))

    with pytest.raises(ServerBroken):
        await issues.comment(api, 1, 3, "done")

    assert github.count("POST", "/repositories/1/issues/3/comments") == 1


async def test_pages_are_full_ones_and_all_of_them_are_read(api: Api, github: FakeGitHub) -> None:
    more = {"Link": f'<{github.url}/things?page=2&per_page=100>; rel="next", <{github.url}/x>; rel="last"'}
    github.on("GET", "/things", Reply(200, {"total_count": 3, "things": [1, 2]}, more), Reply(200, {"things": [3]}))

    assert await api.pages("/things?state=open", key="things") == [1, 2, 3]
    assert dict(github.asked[-2].query) == {"state": "open", "per_page": "100"}
    assert dict(github.asked[-1].query) == {"page": "2", "per_page": "100"}


@pytest.mark.parametrize(("key", "page"), [("runs", {"total_count": 1, "things": [1]}), (None, {"things": [1]})])
async def test_a_page_without_its_list_is_an_error_not_a_list_of_keys(
    api: Api, github: FakeGitHub, key: str | None, page: object
) -> None:
    github.on("GET", "/things", Reply(200, page))

    with pytest.raises(ServerBroken):
        await api.pages("/things", key=key)


async def test_every_exchange_is_counted_by_kind_and_status(
    api: Api, github: FakeGitHub, counted: list[tuple[str, int | str]]
) -> None:
    dropped = Reply(instead="drop")  # twice, since aiohttp itself repeats a GET that a used connection loses
    github.on("GET", "/orgs/prog1/rulesets", Reply(502), dropped, dropped, Reply(200, []))

    await rulesets.find(api, "x")

    kinds = [("rulesets", 502), ("rulesets", "no answer"), ("rulesets", 200)]
    assert counted == [("access_tokens", 201), *kinds]
    assert kind_of("/repositories/1/check-runs/7/annotations") == "annotations"
    assert kind_of("/elsewhere") == "other"


async def test_githubs_clock_is_known_from_its_first_answer_on(hub: Hub, api: Api, github: FakeGitHub) -> None:
    github.on("GET", "/repositories/1", Reply(200, {"id": 1}))
    assert hub.github_date() is None

    await api.read("/repositories/1")

    now = hub.github_date()
    assert now is not None
    assert 0 <= (now - datetime(2026, 12, 1, 22, 59, tzinfo=UTC)).total_seconds() < 60

"""GitHub's own list of pushes: read page by page until it is old, in the order in which things happened."""

from datetime import UTC, datetime, timedelta
from typing import Any

from bot.github import activities
from bot.github.api import Api

from .fake import FakeGitHub, Reply

PATH = "/repositories/1/activity"
NOON = datetime(2026, 12, 1, 12, tzinfo=UTC)
NOTHING = "0" * 40


def entry(number: int, minutes: int, **also: Any) -> dict[str, Any]:
    """A push to `main` so many minutes after noon."""
    at = (NOON + timedelta(minutes=minutes)).strftime("%Y-%m-%dT%H:%M:%SZ")
    plain = {"id": number, "before": "b" * 40, "after": "a" * 40, "ref": "refs/heads/main", "activity_type": "push"}
    return plain | {"timestamp": at, "actor": {"id": 11, "login": "amy", "type": "User"}} | also


def next_page(github: FakeGitHub, number: int) -> dict[str, str]:
    """The Link header to another page."""
    return {"Link": f'<{github.url}{PATH}?page={number}>; rel="next"'}


async def test_entries_come_in_the_order_of_githubs_time_and_then_of_its_numbers(api: Api, github: FakeGitHub) -> None:
    github.on("GET", PATH, Reply(json=[entry(3, 1), entry(1, 2), entry(2, 1)]))

    listed = await activities.read(api, 1, None)

    assert [it.id for it in listed.entries] == [2, 3, 1]
    assert listed.whole


async def test_it_is_read_until_a_whole_page_is_old_and_what_is_old_is_left_out(api: Api, github: FakeGitHub) -> None:
    pages = [[entry(9, 30), entry(1, -90)], [entry(8, 20), entry(7, 10)], [entry(6, -61), entry(5, -62)]]
    replies = [Reply(json=page, headers=next_page(github, number)) for number, page in enumerate(pages, start=2)]
    github.on("GET", PATH, *replies)

    listed = await activities.read(api, 1, NOON - timedelta(hours=1))

    assert [it.id for it in listed.entries] == [7, 8, 9]
    assert not listed.whole
    assert github.count("GET", PATH) == 3


async def test_a_list_without_end_is_read_to_two_thousand_pushes(api: Api, github: FakeGitHub) -> None:
    github.on("GET", PATH, Reply(json=[entry(1, 0)], headers=next_page(github, 2)))

    listed = await activities.read(api, 1, None)

    assert github.count("GET", PATH) == activities.MOST_PAGES
    assert not listed.whole


async def test_what_is_left_out_of_the_end_of_the_list_leaves_it_incomplete(api: Api, github: FakeGitHub) -> None:
    github.on("GET", PATH, Reply(json=[entry(2, 0), entry(1, -61)]))

    assert not (await activities.read(api, 1, NOON - timedelta(hours=1))).whole


async def test_a_deletion_leaves_no_head_and_a_missing_account_is_no_fault(api: Api, github: FakeGitHub) -> None:
    deletion = entry(1, 0, after=NOTHING, activity_type="branch_deletion")
    github.on("GET", PATH, Reply(json=[deletion, entry(2, 1, actor=None), entry(3, 2, ref="refs/tags/v1")]))

    listed = await activities.read(api, 1, None)

    assert [(it.id, it.is_push) for it in listed.entries] == [(1, False), (2, True), (3, False)]
    assert listed.entries[1].actor is None

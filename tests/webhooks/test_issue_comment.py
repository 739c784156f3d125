"""Which comments are kept to be answered (docs/design.md section 11)."""

import pytest

from bot.webhooks.issue_comment import may_hold_commands
from tests.store import rows

from . import bodies
from .bodies import Body
from .conftest import GitHub


async def kept(github: GitHub, body: Body) -> int:
    """How many comments are kept after this event."""
    async with github.pool.acquire() as conn:
        await rows.installation(conn)
    await github.tell("issue_comment", body)
    count: int = await github.pool.fetchval("SELECT count(*) FROM commands")
    return count


async def test_a_persons_new_comment_is_kept_as_it_was_written(github: GitHub) -> None:
    assert await kept(github, bodies.comment("Hello,\n/deadline +2d\n/status")) == 1

    row = await github.pool.fetchrow("SELECT * FROM commands")
    assert row is not None
    assert (row["comment_id"], row["repository_id"], row["issue_number"]) == (1, 9, 3)
    assert (row["author_id"], row["author_login"], row["body"]) == (11, "amy", "Hello,\n/deadline +2d\n/status")


@pytest.mark.parametrize("action", ["edited", "deleted"])
async def test_an_edited_or_deleted_comment_runs_nothing(github: GitHub, action: str) -> None:
    assert await kept(github, bodies.comment("/deadline +2d", action=action)) == 0


async def test_an_edit_does_not_change_what_was_written_first(github: GitHub) -> None:
    await kept(github, bodies.comment("/status"))

    await github.tell("issue_comment", bodies.comment("/deadline +2d", action="edited"))

    assert [row["body"] for row in await github.pool.fetch("SELECT body FROM commands")] == ["/status"]


async def test_a_bots_comment_is_not_a_command_not_even_our_own(github: GitHub) -> None:
    bot = {"id": 99, "login": "pencils-down[bot]", "type": "Bot"}

    assert await kept(github, bodies.comment("/status", author=bot)) == 0


async def test_the_comment_of_an_account_that_is_gone_is_nobodys_command(github: GitHub) -> None:
    body = bodies.comment("/status")
    body["comment"]["user"] = None

    assert await kept(github, body) == 0


async def test_a_comment_without_words_is_none(github: GitHub) -> None:
    body = bodies.comment("/status")
    body["comment"]["body"] = None

    assert await kept(github, body) == 0


async def test_the_same_comment_told_twice_is_kept_once(github: GitHub) -> None:
    await kept(github, bodies.comment())
    await github.tell("issue_comment", bodies.comment())

    assert await github.pool.fetchval("SELECT count(*) FROM commands") == 1


@pytest.mark.parametrize(
    ("text", "may"),
    [
        ("/status", True),
        ("  /status", True),
        ("well\n/status", True),
        ("see a/b", False),
        ("", False),
        ("> /no", False),
    ],
)
def test_only_a_line_that_begins_with_a_slash_may_hold_a_command(text: str, may: bool) -> None:
    assert may_hold_commands(text) is may

"""Events that only say of what they speak: what it is now is read from GitHub (docs/design.md sections 4 and 14)."""

from typing import Any

import pytest

from bot.store import clock
from bot.webhooks.events import HANDLERS
from tests.store import rows
from tests.store.rows import ACCOUNT, DEADLINE, INSTALLATION, TICK

from . import bodies
from .conftest import GitHub

LISTED = {"id": 9, "name": "lab1-amy", "full_name": "prog1/lab1-amy", "private": True}


async def installed(github: GitHub, **project: Any) -> None:
    """The App is installed; a draft takes `lab1-*`, and its deadline lies ahead."""
    async with github.pool.acquire() as conn:
        await rows.installation(conn)
        await clock.stand(conn, DEADLINE - TICK)
        await rows.project(conn, **({"state": "draft"} | project))


async def to_be_read(github: GitHub) -> list[tuple[int, str, str | None]]:
    """The repositories that are to be read, and what was heard of them."""
    found = await github.pool.fetch("SELECT id, name, heard_as FROM repositories WHERE read_due_at IS NOT NULL")
    return [(row["id"], row["name"], row["heard_as"]) for row in found]


@pytest.mark.parametrize(
    ("action", "heard_as"),
    [("renamed", None), ("deleted", "deleted"), ("transferred", "transferred"), ("archived", None), ("created", None)],
)
async def test_a_repository_of_ours_is_read_again_whatever_is_said_of_it(
    github: GitHub, action: str, heard_as: str | None
) -> None:
    await installed(github)
    async with github.pool.acquire() as conn:
        await rows.repository(conn, id=9, name="as it was")

    await github.tell("repository", bodies.envelope(9, "another name", action=action))

    assert await to_be_read(github) == [(9, "as it was", heard_as)]


async def test_a_late_rename_does_not_undo_that_it_was_deleted(github: GitHub) -> None:
    await installed(github)
    async with github.pool.acquire() as conn:
        await rows.repository(conn, id=9)

    await github.tell("repository", bodies.envelope(9, action="deleted"))
    await github.tell("repository", bodies.envelope(9, action="renamed"))

    assert [heard for *_, heard in await to_be_read(github)] == ["deleted"]


async def test_a_new_repository_that_a_project_takes_is_read(github: GitHub) -> None:
    await installed(github)

    await github.tell("repository", bodies.envelope(9, "LAB1-amy", action="created"))

    assert await to_be_read(github) == [(9, "LAB1-amy", None)]


@pytest.mark.parametrize(
    ("name", "project"),
    [
        ("lab2-amy", {}),
        ("lab1-amy", {"deadline_at": DEADLINE - TICK}),
        ("lab1-amy", {"state": "closed"}),
        ("lab1-amy", {"archived_at": DEADLINE}),
    ],
)
async def test_a_new_repository_that_no_project_takes_is_left_alone(
    github: GitHub, name: str, project: dict[str, Any]
) -> None:
    await installed(github, **project)

    await github.tell("repository", bodies.envelope(9, name, action="created"))

    assert await to_be_read(github) == []


async def test_who_works_in_a_repository_is_read_when_it_changes(github: GitHub) -> None:
    await installed(github)
    async with github.pool.acquire() as conn:
        await rows.repository(conn, id=9)

    await github.tell("member", bodies.envelope(9, action="added", member=bodies.AMY))

    assert len(await to_be_read(github)) == 1


async def test_repositories_given_to_the_app_are_read_and_those_taken_from_it_are_believed_only_once_unreachable(
    github: GitHub,
) -> None:
    await installed(github)
    async with github.pool.acquire() as conn:
        await rows.repository(conn, id=8, name="lab1-bo")
    lists: dict[str, Any] = {"repositories_added": [LISTED], "repositories_removed": [LISTED | {"id": 8}]}

    await github.tell("installation_repositories", bodies.envelope(None, action="added", **lists))

    assert sorted(await to_be_read(github)) == [(8, "lab1-bo", "removed"), (9, "lab1-amy", None)]
    assert await github.pool.fetchval("SELECT gone_at IS NULL FROM repositories WHERE id = 8")


@pytest.mark.parametrize("action", ["created", "deleted", "suspend", "unsuspend", "new_permissions_accepted"])
async def test_an_event_of_an_installation_only_has_it_read(github: GitHub, action: str) -> None:
    await installed(github)
    account = {"id": ACCOUNT, "login": "prog1", "type": "Organization"}
    body = bodies.envelope(None, action=action, installation={"id": INSTALLATION, "account": account})

    await github.tell("installation", body)

    row = await github.pool.fetchrow("SELECT state, read_due_at IS NOT NULL FROM installations")
    assert row is not None
    assert tuple(row) == ("active", True)


@pytest.mark.parametrize("event", [event for event, handler in HANDLERS.items() if handler is None])
async def test_an_event_that_no_rule_reads_is_kept_as_evidence(github: GitHub, event: str) -> None:
    await installed(github)

    await github.tell(event, bodies.envelope(action="x"))

    assert await github.outcomes() == [(event, "recorded")]

"""The marks of deadlines: recorded before a branch moves, one for each branch and round (docs/design.md section 4)."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from bot.model import Project
from bot.rules.deadline_commits import Mark
from bot.store import deadline_commits, enforcement, enrolments, leases, projects, receipts
from bot.store.deadline_commits import MISSING, PUSHED
from bot.store.records import Conn

from . import rows
from .rows import ACCOUNT, DEADLINE
from .sessions import beside
from .work import LEASE_SECONDS

COMMIT: dict[str, Any] = {"strategy": "commit", "state": "closed", "deadline_applied_at": DEADLINE}
APPLIED: dict[str, Any] = {"deadline_applied_at": DEADLINE}
LATER = DEADLINE + timedelta(hours=1)
WAITS = "SELECT extract(epoch FROM deadline_commit_due_at - now())::integer FROM enrolments"


async def applied(conn: Conn, **columns: Any) -> tuple[int, int]:
    """A closed project of the strategy `commit` with one repository whose deadline is applied; the ids of both."""
    await rows.installation(conn)
    project = await rows.project(conn, **(COMMIT | columns))
    return project, await rows.enrolment(conn, project, **APPLIED)


async def mark_of(conn: Conn, project: int, repository: int, branch: str = "main") -> Mark:
    """The mark as it stands."""
    found = await deadline_commits.mark(conn, ACCOUNT, project, repository, branch)
    assert found is not None
    return found


async def recorded(conn: Conn, mark: Mark, sha: str = "m", parent: str = "a") -> Mark:
    """A commit was made on `parent`, and recorded."""
    made = replace(mark, sha=sha, parent_sha=parent)
    async with conn.transaction():
        assert await deadline_commits.record(conn, made, DEADLINE)
    return made


async def due(conn: Conn, project: int) -> list[int]:
    """The repositories to be marked now."""
    return await enforcement.marks_due(conn, ACCOUNT, project)


async def reopen(conn: Conn, project: int) -> Project:
    """The deadline moves an hour ahead."""
    held = await projects.hold(conn, ACCOUNT, project)
    await conn.execute("UPDATE projects SET deadline_at = $1", LATER)
    await enrolments.reopen(conn, held, DEADLINE)
    return held


async def test_a_mark_is_due_from_the_deadline_on_until_each_tracked_branch_is_settled(conn: Conn) -> None:
    project, repository = await applied(conn, branches=["dev", "main"])
    assert await due(conn, project) == [repository]
    assert await deadline_commits.branches(conn, ACCOUNT, project, repository) == ["dev", "main"]

    assert await deadline_commits.settle(conn, await mark_of(conn, project, repository, "dev"), MISSING, DEADLINE)
    await deadline_commits.finish(conn, ACCOUNT, project, repository, DEADLINE)
    assert await due(conn, project) == [repository], "the other branch waits"
    assert await deadline_commits.branches(conn, ACCOUNT, project, repository) == ["main"]

    made = await recorded(conn, await mark_of(conn, project, repository))
    assert await deadline_commits.settle(conn, made, PUSHED, DEADLINE)
    assert not await deadline_commits.settle(conn, made, PUSHED, LATER)
    await deadline_commits.finish(conn, ACCOUNT, project, repository, DEADLINE)
    assert await due(conn, project) == []
    assert await conn.fetchval("SELECT deadline_committed_at FROM enrolments") == DEADLINE


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE projects SET strategy = 'lock'",
        "UPDATE projects SET archived_at = now()",
        "UPDATE courses SET mode = 'shadow'",
        "UPDATE enrolments SET deadline_applied_at = NULL",
        "UPDATE enrolments SET withdrawn_at = now()",
        "UPDATE enrolments SET deadline_committed_at = now()",
        "UPDATE enrolments SET deadline_commit_due_at = now() + interval '1 minute'",
        "UPDATE repositories SET gone_at = now(), gone_as = 'deleted'",
        "UPDATE repositories SET lock_kind = 'archive', rulesets = 2, wanted_lock = true",
    ],
)
async def test_no_mark_is_due_where_none_is_wanted_or_none_can_be_made(conn: Conn, change: str) -> None:
    project, _ = await applied(conn)

    await conn.execute(change)

    assert await due(conn, project) == []
    assert await enforcement.claim(conn, await rows.process(conn), LEASE_SECONDS) == []


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE installations SET state = 'suspended'",
        "UPDATE installations SET paused_until = now() + interval '1 minute'",
    ],
)
async def test_no_process_takes_what_cannot_be_asked_for_now(conn: Conn, change: str) -> None:
    await applied(conn)

    await conn.execute(change)

    assert await enforcement.claim(conn, await rows.process(conn), LEASE_SECONDS) == []


async def test_marks_and_locks_of_one_project_are_one_piece_of_work_under_one_lease(conn: Conn) -> None:
    project, repository = await applied(conn)
    await conn.execute("UPDATE installations SET lock_refused = 'Upgrade to GitHub Team'")
    await conn.execute("UPDATE repositories SET staff_lock = true")
    process = await rows.process(conn)

    (lease,) = await enforcement.claim(conn, process, LEASE_SECONDS)

    assert (lease.kind, lease.key) == ("enforcement", project)
    assert await enforcement.locks_due(conn, ACCOUNT, project) == await due(conn, project) == [repository]
    assert await enforcement.claim(conn, process, LEASE_SECONDS) == []
    assert await leases.release_strays(conn, process, "enforcement", [project]) == 0


async def test_what_was_recorded_is_found_again_and_is_ours_before_any_branch_moves(conn: Conn) -> None:
    project, repository = await applied(conn)

    await recorded(conn, await mark_of(conn, project, repository))

    found = await mark_of(conn, project, repository)
    assert (found.sha, found.parent_sha, found.round, found.by_default) == ("m", "a", 1, True)
    assert (found.timezone, found.effective_at) == ("Europe/Zurich", DEADLINE)
    assert await conn.fetchval("SELECT sha FROM bot_commits WHERE repository_id = $1", repository) == "m"


async def test_a_commit_that_takes_the_place_of_another_leaves_both_known_as_ours(conn: Conn) -> None:
    project, repository = await applied(conn)
    await recorded(conn, await mark_of(conn, project, repository))

    await recorded(conn, await mark_of(conn, project, repository), "n", "b")

    found = await mark_of(conn, project, repository)
    assert (found.sha, found.parent_sha) == ("n", "b")
    assert [row["sha"] for row in await conn.fetch("SELECT sha FROM bot_commits ORDER BY sha")] == ["m", "n"]


async def test_what_is_settled_is_not_replaced(conn: Conn) -> None:
    project, repository = await applied(conn)
    made = await recorded(conn, await mark_of(conn, project, repository))
    await deadline_commits.settle(conn, made, PUSHED, DEADLINE)

    await deadline_commits.record(conn, replace(made, sha="n", parent_sha="m"), LATER)
    await deadline_commits.refuse(conn, made, "late news")

    row = await conn.fetchrow("SELECT sha, outcome, refused, settled_at FROM deadline_commits")
    assert row is not None
    assert tuple(row) == ("m", PUSHED, None, DEADLINE)
    assert await deadline_commits.mark(conn, ACCOUNT, project, repository, "main") is None


async def test_a_record_that_waits_for_a_reopen_is_not_written(conn: Conn, other: Conn) -> None:
    project, repository = await applied(conn)
    made = replace(await mark_of(conn, project, repository), sha="m", parent_sha="a")

    async with conn.transaction():
        await reopen(conn, project)
        recording = await beside(conn, other, deadline_commits.record(other, made, DEADLINE))
        assert not recording.done(), "it waits for the repository's row"

    assert await recording is False
    assert await conn.fetchval("SELECT count(*) FROM deadline_commits") == 0


async def test_a_reopen_begins_a_new_round_in_which_each_branch_is_marked_again(conn: Conn) -> None:
    project, repository = await applied(conn)
    old = await recorded(conn, await mark_of(conn, project, repository))
    await deadline_commits.settle(conn, old, PUSHED, DEADLINE)
    await deadline_commits.finish(conn, ACCOUNT, project, repository, DEADLINE)

    await reopen(conn, project)
    assert await due(conn, project) == []
    assert await conn.fetchval("SELECT deadline_committed_at FROM enrolments") is None
    await conn.execute("UPDATE enrolments SET deadline_applied_at = $1", LATER)

    again = await mark_of(conn, project, repository)
    assert (again.round, again.sha, again.effective_at) == (2, None, LATER)
    await deadline_commits.settle(conn, old, PUSHED, LATER)
    await deadline_commits.finish(conn, ACCOUNT, project, repository, LATER)
    assert await due(conn, project) == [repository], "the old round's mark is not the new one's"


async def test_a_refusal_is_news_once_and_puts_the_repository_off_longer_each_time_up_to_an_hour(conn: Conn) -> None:
    project, repository = await applied(conn)
    mark = await mark_of(conn, project, repository)
    waits, news = [], []

    for _ in range(9):
        async with conn.transaction():
            news.append(await deadline_commits.refuse(conn, mark, "no"))
            waits.append(await conn.fetchval(WAITS))

    assert waits == [0, 30, 90, 210, 450, 930, 1890, 3600, 3600]
    assert news == [True] + [False] * 8
    assert await deadline_commits.refuse(conn, mark, "another no")
    assert await due(conn, project) == []
    await conn.execute("UPDATE enrolments SET deadline_commit_due_at = now() - interval '1 second'")
    assert await due(conn, project) == [repository]


async def test_an_own_commit_is_the_apps_whoever_is_said_to_have_pushed_it(conn: Conn) -> None:
    project, repository = await applied(conn)
    await recorded(conn, await mark_of(conn, project, repository))
    student = {"user_id": 11, "login": "amy", "role": "write"}
    await rows.insert(conn, "students", "login", account_id=ACCOUNT, repository_id=repository, **student)
    await rows.receipt(conn, repository, "m", DEADLINE, pusher="unknown")
    await rows.receipt(conn, repository, "b", DEADLINE, pusher="unknown", sender_id=11, sender_login="amy")

    await receipts.classify(conn, ACCOUNT, [repository], "app[bot]")

    found = {row["head_sha"]: row["pusher"] for row in await conn.fetch("SELECT head_sha, pusher FROM receipts")}
    assert found == {"m": "app", "b": "student"}
    assert [row["head_sha"] for row in await conn.fetch("SELECT head_sha FROM eligible_commits")] == ["b"]


async def test_a_run_on_an_own_commit_is_never_chosen_though_its_push_was_not_heard_of(conn: Conn) -> None:
    project, repository = await applied(conn)
    await recorded(conn, await mark_of(conn, project, repository))
    await rows.run(conn, repository, "m", DEADLINE)
    await reopen(conn, project)

    await enrolments.reselect(conn, ACCOUNT, [repository], DEADLINE)
    assert await conn.fetchval("SELECT current_run FROM enrolments") is None

    theirs = await rows.run(conn, repository, "b", DEADLINE - timedelta(hours=1))
    await enrolments.reselect(conn, ACCOUNT, [repository], DEADLINE)
    assert await conn.fetchval("SELECT current_run FROM enrolments") == theirs


async def test_a_project_shows_what_was_marked_what_refused_and_what_is_missing(conn: Conn) -> None:
    project, repository = await applied(conn, branches=["dev", "main"])
    await deadline_commits.settle(conn, await mark_of(conn, project, repository, "dev"), MISSING, DEADLINE)
    await deadline_commits.refuse(conn, await mark_of(conn, project, repository), "no")

    (row,) = await enrolments.of_project(conn, ACCOUNT, project)

    assert (
        row.deadline_committed_at,
        row.deadline_commit_waits,
        row.deadline_commit_missing,
        row.deadline_commit_refused,
    ) == (None, True, ["dev"], "main: no")

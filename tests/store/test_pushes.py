"""Every push of a repository as each project sees it: the order, the facts, and what nobody heard of."""

from datetime import datetime, timedelta
from typing import Any
from uuid import uuid4

import pytest

from bot.rules.pushes import PushFacts
from bot.store import past_verdicts, pushes
from bot.store.past_verdicts import Why
from bot.store.receipts import Heard
from bot.store.records import Conn

from . import rows
from .rows import ACCOUNT, DEADLINE, MAIN

MINUTE = timedelta(minutes=1)


async def heard(conn: Conn, project: int, repository: int) -> list[PushFacts]:
    """The pushes of one repository as one project sees them."""
    return await pushes.heard(conn, ACCOUNT, await pushes.parts(conn, ACCOUNT, [repository], project))


async def returned(conn: Conn, repository: int, sha: str, arrived_at: datetime, **columns: Any) -> None:
    """A head that came back to `main`."""
    row = {"ref": MAIN, "before_sha": "x", "forced": True, "pusher": "student", "guid": uuid4()}
    keys = {"account_id": ACCOUNT, "repository_id": repository, "head_sha": sha, "arrived_at": arrived_at}
    await rows.insert(conn, "returned_heads", "id", **(keys | row | columns))


async def test_pushes_stand_in_order_of_their_earliest_times_and_what_nothing_dates_is_last(conn: Conn) -> None:
    project = await rows.project(conn)
    repository = await rows.enrolment(conn, project)
    await rows.run(conn, repository, "unheard", DEADLINE - 60 * MINUTE)
    await rows.receipt(conn, repository, "late news", DEADLINE + MINUTE, pushed_at=DEADLINE - 5 * MINUTE)
    await rows.receipt(conn, repository, "prompt", DEADLINE - 2 * MINUTE)
    await returned(conn, repository, "prompt", DEADLINE + 9 * MINUTE, activity_at=DEADLINE + 3 * MINUTE)
    await rows.receipt(conn, repository, "side", DEADLINE - 3 * MINUTE, ref="refs/heads/side")

    found = await heard(conn, project, repository)

    assert [(row.sha, row.returned, row.tracked) for row in found] == [
        ("late news", False, True),
        ("side", False, False),
        ("prompt", False, True),
        ("prompt", True, True),
        ("unheard", False, True),
    ]
    assert [row.evidence for row in found] == ["pushed_at", "arrival", "arrival", "activity", None]


async def test_of_pushes_in_one_second_the_last_is_the_one_that_would_count(conn: Conn) -> None:
    project = await rows.project(conn)
    repository = await rows.enrolment(conn, project)
    second = DEADLINE - MINUTE
    for place, sha, before in ((1, "b", "a"), (2, "c", "b"), (3, "a", "0")):
        arrived = DEADLINE + place * MINUTE
        await rows.receipt(conn, repository, sha, arrived, pushed_at=second, before_sha=before)

    (part,) = await pushes.parts(conn, ACCOUNT, [repository], project)
    found = await heard(conn, project, repository)

    assert found[-1].sha == part.counts_sha == "c"
    assert part.counts_at == second


async def test_all_that_is_held_of_a_push_is_told(conn: Conn) -> None:
    project = await rows.project(conn)
    repository = await rows.enrolment(conn, project)
    times = {"claimed_at": DEADLINE - 9 * MINUTE, "logged_at": DEADLINE - MINUTE, "activity_at": DEADLINE - 2 * MINUTE}
    more = {"forced": True, "sender_login": "amy", "guid": None, "asked": 1}
    await rows.receipt(conn, repository, "a", DEADLINE, **times, **more)

    (found,) = await heard(conn, project, repository)

    assert found == PushFacts(
        project_id=project,
        repository_id=repository,
        ref=MAIN,
        sha="a",
        told=False,
        forced=True,
        returned=False,
        arrived_at=DEADLINE,
        pushed_at=None,
        **times,
        received_at=DEADLINE - 2 * MINUTE,
        evidence="activity",
        login="amy",
        pusher="student",
        receipt_at=DEADLINE - 2 * MINUTE,
        receipt_claimed_at=DEADLINE - 9 * MINUTE,
        settled=True,
        tracked=True,
        first_at=DEADLINE - 2 * MINUTE,
    )


async def test_a_head_that_came_back_brings_what_its_receipt_waits_for(conn: Conn) -> None:
    project = await rows.project(conn)
    repository = await rows.enrolment(conn, project)
    await rows.receipt(conn, repository, "a", DEADLINE + MINUTE, claimed_at=DEADLINE)
    await returned(conn, repository, "a", DEADLINE + 5 * MINUTE, activity_at=DEADLINE + 5 * MINUTE)

    _, back = await heard(conn, project, repository)

    assert (back.receipt_at, back.receipt_claimed_at, back.settled) == (DEADLINE + MINUTE, DEADLINE, False)
    assert back.first_at == DEADLINE + MINUTE


async def test_a_commit_is_first_received_on_a_branch_that_counts_also_inside_another_push(conn: Conn) -> None:
    project = await rows.project(conn, branches=["main", "report"])
    repository = await rows.enrolment(conn, project)
    await rows.receipt(conn, repository, "a", DEADLINE - 9 * MINUTE, ref="refs/heads/side")
    await rows.receipt(conn, repository, "a", DEADLINE + MINUTE)
    await rows.receipt(conn, repository, "b", DEADLINE - MINUTE, ref="refs/heads/report")
    inner = {"ref": "refs/heads/report", "head_sha": "b", "sha": "a"}

    before = [row.first_at for row in await heard(conn, project, repository) if row.sha == "a"]
    await rows.insert(conn, "inner_commits", "sha", account_id=ACCOUNT, repository_id=repository, **inner)
    after = [row.first_at for row in await heard(conn, project, repository) if row.sha == "a"]

    assert before == [DEADLINE + MINUTE] * 2
    assert after == [DEADLINE - MINUTE] * 2


@pytest.mark.parametrize(
    ("run", "shown"),
    [
        ({}, True),
        ({"head_branch": "side"}, False),
        ({"head_branch": None}, False),
        ({"event": "repository_dispatch"}, False),
        ({"workflow": ".github/workflows/other.yml"}, False),
    ],
)
async def test_a_graded_head_of_a_branch_that_counts_which_was_never_heard_of_is_shown(
    conn: Conn, run: dict[str, Any], shown: bool
) -> None:
    project = await rows.project(conn)
    repository = await rows.enrolment(conn, project)
    await rows.run(conn, repository, "a", DEADLINE, **run)

    found = await heard(conn, project, repository)

    assert [(row.sha, row.received_at) for row in found] == ([("a", None)] if shown else [])


async def test_our_own_commits_are_not_missed(conn: Conn) -> None:
    project = await rows.project(conn)
    repository = await rows.enrolment(conn, project)
    await rows.run(conn, repository, "a", DEADLINE)
    ours = {"sha": "a", "made_at": DEADLINE}
    await rows.insert(conn, "bot_commits", "sha", account_id=ACCOUNT, repository_id=repository, **ours)

    assert await heard(conn, project, repository) == []


@pytest.mark.parametrize(("read_at", "settled"), [(None, False), (DEADLINE - MINUTE, False), (DEADLINE, True)])
async def test_a_head_never_heard_of_waits_until_the_activity_was_read_after_its_run_began(
    conn: Conn, read_at: datetime | None, settled: bool
) -> None:
    project = await rows.project(conn)
    repository = await rows.enrolment(conn, project)
    await rows.run(conn, repository, "a", DEADLINE)
    await conn.execute("UPDATE activities SET read_at = $1", read_at)

    (found,) = await heard(conn, project, repository)

    assert found.settled is settled


async def test_each_project_sees_the_same_pushes_by_its_own_branches(conn: Conn) -> None:
    closed = await rows.project(conn, state="closed", branches=["side"])
    repository = await rows.enrolment(conn, closed)
    opened = await rows.project(conn)
    await rows.enrolment(conn, opened, repository)
    other = await rows.enrolment(conn, opened)
    await rows.receipt(conn, repository, "a", DEADLINE)
    await rows.receipt(conn, other, "b", DEADLINE)

    found = await pushes.heard(conn, ACCOUNT, await pushes.parts(conn, ACCOUNT, [repository]))

    assert {(row.project_id, row.sha, row.tracked) for row in found} == {(closed, "a", False), (opened, "a", True)}


@pytest.mark.parametrize(
    ("project", "part", "known"),
    [
        ({}, {}, True),
        ({"state": "released"}, {}, True),
        ({"state": "draft"}, {}, False),
        ({}, {"withdrawn_at": DEADLINE}, False),
    ],
)
async def test_students_know_of_no_draft_and_of_nothing_they_were_withdrawn_from(
    conn: Conn, project: dict[str, Any], part: dict[str, Any], known: bool
) -> None:
    repository = await rows.enrolment(conn, await rows.project(conn, **project), **part)

    assert bool(await pushes.parts(conn, ACCOUNT, [repository])) is known


async def test_what_the_freeze_settled_counts_whatever_would_count_now(conn: Conn) -> None:
    project = await rows.project(conn)
    settled: dict[str, Any] = {"submission_sha": "a", "submission_at": DEADLINE - MINUTE, "frozen_at": DEADLINE}
    repository = await rows.enrolment(conn, project, deadline_applied_at=DEADLINE, **settled)
    await rows.receipt(conn, repository, "b", DEADLINE)

    (part,) = await pushes.parts(conn, ACCOUNT, [repository], project)

    assert (part.counts_sha, part.counts_at) == ("a", DEADLINE - MINUTE)


async def test_a_graded_head_counts_before_a_later_commit_without_a_run(conn: Conn) -> None:
    project = await rows.project(conn)
    repository = await rows.repository(conn)
    run = await rows.run(conn, repository, "a", DEADLINE)
    await rows.enrolment(conn, project, repository, current_run=run)
    for sha, before in (("a", 2), ("b", 1)):
        await rows.receipt(conn, repository, sha, DEADLINE - before * MINUTE)

    (part,) = await pushes.parts(conn, ACCOUNT, [repository], project)

    assert (part.counts_sha, part.counts_at) == ("a", DEADLINE - 2 * MINUTE)


async def test_the_verdicts_that_were_replaced_are_told_in_their_order(conn: Conn) -> None:
    project = await rows.project(conn)
    repository = await rows.enrolment(conn, project)
    for place, sha in enumerate("ab", 1):
        await rows.receipt(conn, repository, sha, DEADLINE)
        news = (sha, Heard("earlier", DEADLINE + place * MINUTE, DEADLINE))
        await past_verdicts.keep_of_evidence(conn, (ACCOUNT, repository), [news], [], Why("activity", DEADLINE))

    found = await pushes.replaced(conn, ACCOUNT, await pushes.parts(conn, ACCOUNT, [repository], project))

    assert [(row.sha, row.late, row.replaced_by_login, row.reason) for row in found] == [
        ("a", True, None, "evidence: activity"),
        ("b", True, None, "evidence: activity"),
    ]


async def test_a_commit_is_dated_by_a_students_push_and_not_by_a_teachers(conn: Conn) -> None:
    project = await rows.project(conn)
    repository = await rows.enrolment(conn, project)
    await rows.receipt(conn, repository, "a", DEADLINE - MINUTE, pusher="staff")
    back = {"ref": MAIN, "head_sha": "a", "before_sha": "b", "forced": True, "pusher": "student"}
    times = {"arrived_at": DEADLINE + MINUTE}
    await rows.insert(conn, "returned_heads", "id", account_id=ACCOUNT, repository_id=repository, **back, **times)

    assert {row.first_at for row in await heard(conn, project, repository)} == {DEADLINE + MINUTE}

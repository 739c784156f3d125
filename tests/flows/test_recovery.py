"""What GitHub could not deliver is fetched from its log, and judged as if it had arrived when it was first sent."""

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime

import aiohttp
import asyncpg
import pytest
from aiohttp.test_utils import TestServer

from bot.service import Ground, Service
from bot.store import delivery_logs
from bot.webhooks.events import HANDLERS
from sandbox.delivery import Delivery
from sandbox.repository import Repository
from tests.flows.course import Course, settings
from tests.flows.midway import fault, until_held
from tests.webhooks.test_outage import wired

LIST = ("GET", "/app/hook/deliveries")
FETCH = ("GET", "/app/hook/deliveries/{delivery_id}")
REDELIVER = ("POST", "/app/hook/deliveries/{delivery_id}/attempts")
ACTIVITY = ("GET", "/repos/{owner}/{repo}/activity")
LOGGED = "SELECT FROM receipts WHERE head_sha = ANY ($1) AND logged_at IS NOT NULL"
NOBODY = "http://127.0.0.1:1/webhook"
DEADLINE = datetime(2026, 12, 1, 22, 59, tzinfo=UTC)
AFTERWARDS = "2026-12-02 00:20:00"


@asynccontextmanager
async def down(course: Course) -> AsyncIterator[None]:
    """The process ends and GitHub meets nobody; then another one begins, which has not ticked yet."""
    (service,) = course.services
    await service.end()
    course.services.clear()
    door, course.world.app.webhook_url = course.world.app.webhook_url, NOBODY
    yield
    await course.world.hook.idle()
    course.world.app.webhook_url = door
    another = Service(service.config, service._ground, patience_seconds=0)
    await another.begin()
    course.services.append(another)


async def log_is_read(course: Course) -> None:
    """The period of this housekeeping is over."""
    await course.rows("UPDATE scheduled_tasks SET started_at = NULL WHERE name = 'read deliveries'")
    await course.settle()


async def receipt_of(course: Course, repo: Repository, sha: str) -> asyncpg.Record:
    """The receipt of a head."""
    query = "SELECT * FROM receipts WHERE repository_id = $1 AND head_sha = $2"
    (receipt,) = await course.rows(query, repo.id, sha)
    return receipt


async def log_of(course: Course) -> asyncpg.Record:
    """How far the log was read."""
    (row,) = await course.rows("SELECT * FROM delivery_logs")
    return row


def is_push(one: Delivery) -> bool:
    """Whether a delivery tells of a push."""
    return one.event == "push"


def last_push(course: Course) -> Delivery:
    """The newest delivery that tells of one."""
    return next(one for one in reversed(course.world.hook.log) if is_push(one))


async def test_the_pushes_of_an_outage_over_a_deadline_are_judged_by_when_they_were_first_sent(course: Course) -> None:
    logins = ["amy", "bo", "cy", "dan", "eve"]
    students = {login: course.student(login) for login in logins}
    await course.open_project()
    walls = ["2026-12-01 22:30:00", "2026-12-01 23:58:59", "2026-12-01 23:59:00", "2026-12-01 23:59:01", AFTERWARDS]
    await course.at("2026-12-01 21:59:00")
    missed: dict[str, tuple[str, datetime]] = {}
    async with down(course):
        for login, wall in zip(logins, walls, strict=True):
            user, repo = students[login]
            instant = await course.at(wall)
            missed[login] = repo.push(user), instant
            await course.world.hook.idle()
        await course.at("2026-12-02 00:59:00")

    assert (await log_of(course))["due_at"] is not None, "before the first tick"
    await course.service.meet_github()
    await course.settle()

    for login, (sha, instant) in missed.items():
        receipt = await receipt_of(course, students[login][1], sha)
        assert (receipt["received_at"], receipt["logged_at"]) == (instant, instant)
        asked_for = [review.client_payload["sha"] for review in course.reviews(students[login][1])]
        assert asked_for == ([sha] if instant <= DEADLINE else [])
        said = course.check(students[login][1], sha)
        assert said.startswith("On time" if instant <= DEADLINE else "Late by"), (login, said)
    log = await log_of(course)
    assert log["due_at"] is None
    assert re.fullmatch(r"\d+ deliveries listed, (\d+) missed: \1 recovered", log["outcome"])


@pytest.mark.parametrize("how", ["the handler raises", "the process dies"])
async def test_a_push_that_was_stored_in_time_is_in_time_whenever_it_is_understood(
    course: Course, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    amy, repo = course.student("amy")
    await course.open_project()
    await course.at("2026-12-01 23:58:00")
    sha = repo.push(amy)
    await course.world.hook.idle()
    if how == "the handler raises":
        with monkeypatch.context() as patched:
            patched.setitem(HANDLERS, "push", broken)
            await course.settle()
        await course.at(AFTERWARDS)
        await course.rows("UPDATE deliveries SET due_at = now() WHERE handled_at IS NULL")
    else:
        async with down(course):
            await course.at(AFTERWARDS)
        await course.service.meet_github()
    assert "On time" not in course.check(repo, sha)
    await course.settle()

    assert course.check(repo, sha).startswith("On time")
    added = await course.rows("SELECT detail->>'witness' AS witness FROM audit_log WHERE action = 'evidence.added'")
    assert "delivery log" not in {row["witness"] for row in added}


async def broken(*_: object) -> None:
    """A handler with a fault."""
    raise RuntimeError("a fault of ours")


async def test_what_came_while_the_database_was_away_is_asked_for_as_soon_as_it_is_back(course: Course) -> None:
    amy, repo = course.student("amy")
    await course.open_project()
    await course.settle()
    await course.rows("UPDATE scheduled_tasks SET enabled = false WHERE name = 'read deliveries'")
    async with wired(course.dsn) as (wire, pool), aiohttp.ClientSession() as session:
        front = Service(settings(course.world, course.world.url), Ground(course.dsn, pool, session))
        async with TestServer(front.make_app()) as server:
            door, course.world.app.webhook_url = course.world.app.webhook_url, str(server.make_url("/webhook"))
            await course.at("2026-12-01 23:58:00")
            await wire.cut()
            sha = repo.push(amy)
            await course.world.hook.idle()
            assert last_push(course).status_code == 503
            with pytest.raises(FileNotFoundError):
                await front.tick()
            assert (await log_of(course))["due_at"] is None

            await wire.mend()
            await course.at(AFTERWARDS)
            await front.tick()
            course.world.app.webhook_url = door
    assert (await log_of(course))["due_at"] is not None
    await course.settle()

    assert (await receipt_of(course, repo, sha))["received_at"] == datetime(2026, 12, 1, 22, 58, tzinfo=UTC)
    assert course.check(repo, sha).startswith("On time")


@pytest.mark.parametrize("gone", ["no payload", "404"])
async def test_a_delivery_whose_payload_is_not_to_be_had_comes_again_with_its_first_time_once(
    course: Course, gone: str
) -> None:
    amy, repo = course.student("amy")
    await course.open_project()
    await course.at("2026-12-01 23:20:00")
    course.world.hook.drop("push")
    sha = repo.push(amy)
    if gone == "404":
        fault(course, FETCH, status=404)
    else:
        course.world.hook.lose_payload(is_push)
    await course.at(AFTERWARDS)
    await course.settle()

    receipt = await receipt_of(course, repo, sha)
    assert receipt["arrived_at"] > DEADLINE
    assert receipt["received_at"] == receipt["logged_at"] == datetime(2026, 12, 1, 22, 20, tzinfo=UTC)
    assert course.check(repo, sha).startswith("On time")
    assert (await log_of(course))["outcome"].endswith("1 missed: 1 asked for again")
    await log_is_read(course)
    assert (course.world.count(*FETCH), course.world.count(*REDELIVER)) == (1, 1)


async def test_what_comes_again_and_is_lost_again_is_not_asked_for_for_ever(course: Course) -> None:
    amy, repo = course.student("amy")
    await course.open_project()
    course.world.hook.drop("push", times=2)
    repo.push(amy)
    course.world.hook.lose_payload(is_push)
    for _ in range(3):
        await log_is_read(course)

    assert (course.world.count(*FETCH), course.world.count(*REDELIVER)) == (1, 1)
    assert (await log_of(course))["outcome"].endswith("0 missed")


async def test_a_redelivery_is_asked_for_again_where_the_first_asking_failed(course: Course) -> None:
    amy, repo = course.student("amy")
    await course.open_project()
    course.world.hook.drop("push")
    sha = repo.push(amy)
    course.world.hook.lose_payload(is_push)
    fault(course, REDELIVER, status=502, times=3)
    await log_is_read(course)
    assert (await log_of(course))["due_at"] is not None
    await course.a_minute_passes()
    await course.settle()

    assert (await receipt_of(course, repo, sha))["logged_at"] is not None
    assert course.world.count(*REDELIVER) == 4


async def test_what_github_calls_delivered_and_we_never_stored_is_recovered_too(course: Course) -> None:
    amy, repo = course.student("amy")
    await course.open_project()
    instant = await course.at("2026-12-01 23:20:00")
    sha = repo.push(amy)
    await course.world.hook.idle()
    delivery = last_push(course)
    assert delivery.arrived
    await course.rows("DELETE FROM deliveries WHERE guid = $1", delivery.guid)
    await course.rows("DELETE FROM receipts WHERE head_sha = $1", sha)
    await course.at(AFTERWARDS)
    await course.settle()

    assert (await receipt_of(course, repo, sha))["logged_at"] == instant
    assert course.check(repo, sha).startswith("On time")


async def test_a_push_that_somebody_had_delivered_again_is_dated_by_its_first_attempt(course: Course) -> None:
    amy, repo = course.student("amy")
    fault(course, ACTIVITY, status=404, times=99)
    await course.open_project()
    await course.rows("UPDATE scheduled_tasks SET enabled = false WHERE name = 'read deliveries'")
    instant = await course.at("2026-12-01 23:20:00")
    course.world.hook.drop("push")
    sha = repo.push(amy)
    await course.at(AFTERWARDS)
    course.world.hook.redeliver(last_push(course).guid)
    await course.settle()
    assert (await receipt_of(course, repo, sha))["received_at"] > DEADLINE
    assert not course.check(repo, sha).startswith("On time")

    await course.rows("UPDATE scheduled_tasks SET enabled = true")
    await log_is_read(course)

    receipt = await receipt_of(course, repo, sha)
    assert (receipt["received_at"], receipt["logged_at"]) == (instant, instant)
    assert course.check(repo, sha).startswith("On time")
    (added,) = await course.rows("SELECT detail FROM audit_log WHERE action = 'evidence.added'")
    assert (added["detail"]["witness"], added["detail"]["news"]) == ("delivery log", "earlier")
    assert course.world.count(*FETCH) == 0
    assert (await log_of(course))["outcome"].endswith("0 missed; 1 dated earlier")


async def test_nothing_is_fetched_twice_and_only_the_news_of_the_log_is_listed(course: Course) -> None:
    amy, repo = course.student("amy")
    await course.open_project()
    # No event of ours, so many that the log has three pages more.
    comment = next(one for one in course.world.hook.log if one.event == "issue_comment")
    star = {name: comment.payload[name] for name in ("action", "repository", "sender", "organization", "installation")}
    course.world.hook.drop("star", times=250)
    for _ in range(250):
        course.world.hook.emit("star", star | {"starred_at": "2026-12-01T18:00:00Z"}, comment.installation_id, None)
    await course.at("2026-12-01 20:00:00")
    course.world.hook.drop("push", times=2)
    shas = [repo.push(amy), repo.push(amy)]
    listed = course.world.count(*LIST)
    await course.settle()
    assert course.world.count(*LIST) == listed + 3
    assert {(await receipt_of(course, repo, sha))["guid"] is not None for sha in shas} == {True}

    await course.at("2026-12-01 20:30:00")
    await course.settle()
    assert course.world.count(*LIST) == listed + 4
    assert course.world.count(*FETCH) == 2
    assert await course.rows("SELECT FROM deliveries WHERE event = 'star'") == []


async def test_a_rate_limit_in_the_middle_is_waited_for_and_what_is_stored_is_not_fetched_again(course: Course) -> None:
    amy, repo = course.student("amy")
    await course.open_project()
    await course.at("2026-12-01 20:00:00")
    course.world.hook.drop("push", times=9)
    shas = [repo.push(amy) for _ in range(9)]
    fault(course, FETCH, skip=2, status=429, headers={"retry-after": "1800"})
    await course.settle()
    stored = len(await course.rows(LOGGED, shas))
    assert 2 <= stored < 9
    asked = course.world.count(*FETCH)
    await log_is_read(course)
    assert course.world.count(*FETCH) == asked, "a mark does not cut the waiting short"

    await course.an_hour_passes()
    await course.settle()
    assert len(await course.rows(LOGGED, shas)) == 9
    assert course.world.count(*FETCH) == 10
    assert (await log_of(course))["due_at"] is None


async def test_who_asks_for_a_reading_during_one_gets_another(course: Course) -> None:
    amy, repo = course.student("amy")
    await course.open_project()
    await course.rows("UPDATE scheduled_tasks SET started_at = NULL WHERE name = 'read deliveries'")
    course.world.hook.drop("push")
    repo.push(amy)
    held = fault(course, FETCH, hold="before")
    await until_held(course.service, held)
    async with course.pool.acquire() as conn:
        await delivery_logs.due(conn)
    held.release()
    await course.service.finish_work()

    assert (await log_of(course))["due_at"] is not None
    await course.settle()
    assert (await log_of(course))["due_at"] is None
    assert course.world.count(*FETCH) == 1


async def test_a_recovered_command_asks_first(course: Course) -> None:
    course.student("amy")
    await course.open_project()
    await course.at("2026-12-01 20:00:00")
    course.world.hook.drop("issue_comment")
    course.issue.comment(course.teacher, "/extend @amy +1d")
    await course.at("2026-12-01 20:16:00")
    await course.settle()

    answer = course.issue.comments[-1].body
    assert "/confirm " in answer, answer
    assert (await course.rows("SELECT effective_at FROM enrolments"))[0]["effective_at"] == DEADLINE
    code = answer.split("/confirm ")[1][:4]
    await course.write(course.teacher, f"/confirm {code}")
    assert (await course.rows("SELECT effective_at FROM enrolments"))[0]["effective_at"] > DEADLINE

"""What the webhook answers, and what is stored by then (docs/design.md sections 2 and 14)."""

import asyncio
import hmac
import json
import logging
from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import pytest
import structlog

from bot.store import clock
from tests.store import rows
from tests.store.rows import DEADLINE

from . import bodies
from .conftest import SECRET, GitHub, Pool, signed

LARGEST = 25_000_000
BODY = json.dumps(bodies.push()).encode()
GUID = str(uuid4())


@pytest.fixture(autouse=True)
def _no_traceback(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """Whatever is sent, nothing that we log of it is a traceback."""
    with structlog.testing.capture_logs() as lines:
        yield
    assert [line for line in lines if line.get("exc_info")] == []
    assert [record for record in caplog.records if record.levelno >= logging.ERROR] == []


async def stored(pool: Pool) -> int:
    """How many deliveries and receipts there are."""
    count: int = await pool.fetchval("SELECT (SELECT count(*) FROM deliveries) + (SELECT count(*) FROM receipts)")
    return count


async def test_a_push_is_answered_once_it_and_its_receipt_are_stored(github: GitHub) -> None:
    async with github.pool.acquire() as conn:
        await rows.installation(conn)
        await clock.stand(conn, DEADLINE)

    assert await github.deliver("push", bodies.push()) == 202

    row = await github.pool.fetchrow("SELECT repository_id, ref, head_sha, sender_login, evidence FROM receipts")
    assert row is not None
    assert tuple(row) == (9, "refs/heads/main", "a" * 40, "amy", "arrival")
    assert len(github.woken) == 1


@pytest.mark.parametrize(
    "signature",
    [
        None,
        "",
        "sha256=",
        "sha256=" + "0" * 64,
        signed(BODY, "another secret"),
        signed(BODY + b" "),
        signed(BODY).removeprefix("sha256="),
        signed(BODY).upper(),
        "sha256=ſ",
    ],
)
async def test_what_github_did_not_sign_is_refused_and_not_stored(github: GitHub, signature: str | None) -> None:
    headers = {"X-GitHub-Event": "push", "X-GitHub-Delivery": GUID}
    if signature is not None:
        headers["X-Hub-Signature-256"] = signature

    assert await github.post(BODY, headers) == 401

    assert await stored(github.pool) == 0


async def test_a_signature_of_bytes_that_are_no_text_is_refused(github: GitHub) -> None:
    server = github.client.server
    reader, writer = await asyncio.open_connection(server.host, server.port)
    head = f"POST /webhook HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: {len(BODY)}\r\n".encode()
    writer.write(head + b"X-Hub-Signature-256: sha256=\xff\xfe\r\n\r\n" + BODY)

    answer = await reader.read()
    writer.close()

    assert answer.startswith(b"HTTP/1.1 401 ")
    assert await stored(github.pool) == 0


async def test_a_sha1_signature_alone_is_refused(github: GitHub) -> None:
    sha1 = "sha1=" + hmac.new(SECRET.encode(), BODY, "sha1").hexdigest()
    headers = {"X-GitHub-Event": "push", "X-GitHub-Delivery": GUID, "X-Hub-Signature": sha1}

    assert await github.post(BODY, headers) == 401
    assert await github.post(BODY, headers | {"X-Hub-Signature-256": sha1}) == 401

    assert await stored(github.pool) == 0


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"payload=%7B%7D",
        b"[]",
        b"null",
        b"7",
        b'"text"',
        b'{"action": ',
        b'{"action": 7}',
        b'{"installation": []}',
        b'{"repository": {"id": "9", "name": "lab1"}}',
        b'{"action": "\xff\xfe"}',
        b'{"action": "\\u0000"}',
        b'{"action": "\\ud800"}',
        b'{"organization": {"id": 99999999999999999999999999, "login": "big"}}',
        b'{"organization": {"id": 9223372036854775808, "login": "big"}}',
        b'{"deep": ' + b"[" * 100_000 + b"]" * 100_000 + b"}",
        b"[" * 200_000,
    ],
    ids=lambda body: repr(body[:40]),
)
async def test_a_body_that_is_not_the_json_object_of_its_event_is_refused(github: GitHub, body: bytes) -> None:
    assert await github.deliver_bytes("issue_comment", body) == 400

    assert await stored(github.pool) == 0


@pytest.mark.parametrize("missing", ["ref", "before", "after", "repository"])
async def test_a_push_that_lacks_what_makes_it_evidence_is_refused(github: GitHub, missing: str) -> None:
    body = bodies.push()
    del body[missing]

    assert await github.deliver("push", body) == 400

    assert await stored(github.pool) == 0


@pytest.mark.parametrize(
    "headers",
    [
        {"X-GitHub-Delivery": GUID},
        {"X-GitHub-Event": "push"},
        {"X-GitHub-Event": "push", "X-GitHub-Delivery": ""},
        {"X-GitHub-Event": "push", "X-GitHub-Delivery": "not a GUID"},
        {"X-GitHub-Event": "", "X-GitHub-Delivery": GUID},
    ],
)
async def test_a_request_without_its_headers_is_refused(github: GitHub, headers: dict[str, str]) -> None:
    assert await github.post(BODY, headers | {"X-Hub-Signature-256": signed(BODY)}) == 400

    assert await stored(github.pool) == 0


async def test_a_body_over_githubs_limit_is_refused_and_one_at_it_is_not(github: GitHub) -> None:
    start = b'{"padding": "'
    at_limit = start + b"x" * (LARGEST - len(start) - 2) + b'"}'

    assert await github.deliver_bytes("ping", at_limit) == 202
    assert await github.deliver_bytes("ping", at_limit + b" ") == 413
    assert await github.deliver_bytes("ping", b" " * 26_000_000) == 413

    assert await stored(github.pool) == 1


async def test_an_event_nobody_asked_for_is_answered_and_not_stored(github: GitHub) -> None:
    assert await github.deliver("watch", bodies.envelope(action="started")) == 202

    assert await stored(github.pool) == 0
    assert github.woken == []


async def test_a_repeated_delivery_is_answered_alike_and_stored_once(github: GitHub) -> None:
    async with github.pool.acquire() as conn:
        await rows.installation(conn)
    guid = uuid4()

    assert [await github.deliver("push", bodies.push(), guid) for _ in range(2)] == [202, 202]

    assert await stored(github.pool) == 2
    assert len(github.woken) == 1


async def test_one_delivery_many_times_at_once_is_stored_once(github: GitHub) -> None:
    async with github.pool.acquire() as conn:
        await rows.installation(conn)
    guid = uuid4()

    statuses = await asyncio.gather(*(github.deliver("push", bodies.push(), guid) for _ in range(10)))

    assert set(statuses) == {202}
    assert await stored(github.pool) == 2
    assert len(github.woken) == 1


async def test_one_push_in_two_deliveries_is_one_receipt(github: GitHub) -> None:
    async with github.pool.acquire() as conn:
        await rows.installation(conn)

    await asyncio.gather(*(github.deliver("push", bodies.push()) for _ in range(5)))

    assert await github.pool.fetchval("SELECT count(*) FROM receipts") == 1
    assert await github.pool.fetchval("SELECT count(*) FROM deliveries") == 5


@pytest.mark.parametrize(
    "change",
    [
        {"ref": "refs/tags/v1"},
        {"ref": "refs/pull/1/head"},
        {"after": bodies.ZERO, "deleted": True},
        {"after": bodies.ZERO},
    ],
)
async def test_what_leaves_no_head_on_a_branch_has_no_receipt(github: GitHub, change: dict[str, Any]) -> None:
    async with github.pool.acquire() as conn:
        await rows.installation(conn)

    assert await github.deliver("push", bodies.push(**change)) == 202

    assert await github.pool.fetchval("SELECT count(*) FROM receipts") == 0
    assert await github.pool.fetchval("SELECT count(*) FROM deliveries") == 1


async def test_githubs_own_time_of_the_push_is_kept_and_gits_dates_are_not_read(github: GitHub) -> None:
    async with github.pool.acquire() as conn:
        await rows.installation(conn)
        await clock.stand(conn, DEADLINE)

    await github.deliver("push", bodies.push(pushed_at=int(DEADLINE.timestamp()) - 60))

    row = await github.pool.fetchrow("SELECT extract(epoch FROM arrived_at - received_at)::int, evidence FROM receipts")
    assert row is not None
    assert tuple(row) == (60, "pushed_at")

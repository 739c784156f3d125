"""Installations, repositories, issues, checks and runs: GitHub's JSON becomes what the jobs work with."""

import json
from datetime import datetime, timedelta, timezone
from typing import Any

import pytest

from bot.github import checks, installations, issues, repositories, runs
from bot.github.api import Api
from bot.github.failures import NotFound, Refused
from bot.github.hub import Hub

from .conftest import APP_ID, OpenGate
from .fake import FakeGitHub, Reply

INSTALLATION: dict[str, Any] = {
    "id": 77,
    "account": {"id": 5, "login": "prog1", "type": "Organization"},
    "permissions": {"contents": "write"},
    "events": ["push"],
    "suspended_at": None,
}
REPOSITORY: dict[str, Any] = {
    "id": 1,
    "name": "lab1-amy",
    "full_name": "prog1/lab1-amy",
    "owner": {"id": 5, "login": "prog1", "type": "Organization"},
    "default_branch": "main",
    "private": True,
    "archived": False,
    "is_template": False,
    "description": None,
}
HEAD = "/repositories/1/git/ref/heads/feature/x"


async def test_an_installation_is_read_as_it_is_now(hub: Hub, github: FakeGitHub) -> None:
    suspended = {**INSTALLATION, "suspended_at": "2026-12-01T22:00:00Z"}
    github.on("GET", "/app/installations/77", Reply(200, INSTALLATION), Reply(200, suspended), Reply(404))

    state = await installations.read(hub, 77)

    assert state is not None
    assert (state.installation_id, state.account_id, state.login, state.account_type) == (
        77,
        5,
        "prog1",
        "Organization",
    )
    assert (state.permissions, state.events, state.suspended) == ({"contents": "write"}, ("push",), False)
    again = await installations.read(hub, 77)
    assert again is not None
    assert again.suspended
    assert await installations.read(hub, 77) is None


async def test_one_on_an_enterprise_does_not_hide_the_others(hub: Hub, github: FakeGitHub) -> None:
    enterprise = {**INSTALLATION, "id": 78, "account": {"id": 6, "slug": "uni", "name": "University"}}
    github.on("GET", "/app/installations", Reply(200, [enterprise, INSTALLATION]))

    found = await installations.read_all(hub)

    assert [(state.installation_id, state.account_type) for state in found] == [(78, ""), (77, "Organization")]


async def test_the_plan_is_named_where_we_may_see_it(api: Api, github: FakeGitHub) -> None:
    github.on("GET", "/orgs/prog1", Reply(200, {"login": "prog1", "plan": {"name": "team"}}), Reply(200, {}))

    assert await installations.plan(api) == "team"
    assert await installations.plan(api) is None


async def test_a_repository_is_read_by_its_number(api: Api, github: FakeGitHub) -> None:
    github.on("GET", "/repositories/1", Reply(200, REPOSITORY), Reply(404))
    github.on("GET", "/installation/repositories", Reply(200, {"total_count": 1, "repositories": [REPOSITORY]}))

    state = await repositories.read(api, 1)

    assert (state.full_name, state.owner_id, state.owner_login) == ("prog1/lab1-amy", 5, "prog1")
    assert await repositories.list_all(api) == [state]
    with pytest.raises(NotFound):
        await repositories.read(api, 1)


async def test_the_head_of_a_branch_is_its_commit_or_nothing(api: Api, github: FakeGitHub) -> None:
    empty = Reply(409, {"message": "Git Repository is empty."})
    github.on("GET", HEAD, Reply(200, {"object": {"sha": "a" * 40}}), Reply(404), Reply(404), empty, Reply(422))

    assert await repositories.head(api, 1, "feature/x") == "a" * 40
    assert await repositories.head(api, 1, "feature/x") is None
    assert await repositories.head(api, 1, "feature/x") is None
    with pytest.raises(Refused):
        await repositories.head(api, 1, "feature/x")


async def test_a_comment_is_ours_by_its_mark_and_its_author(api: Api, github: FakeGitHub) -> None:
    path = "/repositories/1/issues/3/comments"
    copied = {"id": 1, "body": "<!-- m1 -->", "performed_via_github_app": None}
    other_app = {"id": 2, "body": "<!-- m1 -->", "performed_via_github_app": {"id": 1}}
    other_mark = {"id": 3, "body": "<!-- m2 -->", "performed_via_github_app": {"id": APP_ID}}
    ours = {"id": 4, "body": "done <!-- m1 -->", "performed_via_github_app": {"id": APP_ID}}
    github.on(
        "GET", path, Reply(200, [copied, other_app, other_mark, ours]), Reply(200, [copied, other_app, other_mark])
    )
    since = datetime(2026, 12, 1, 23, 59, tzinfo=timezone(timedelta(hours=1)))

    assert await issues.find_comment(api, 1, 3, "<!-- m1 -->", since) == 4
    assert await issues.find_comment(api, 1, 3, "<!-- m1 -->", since) is None
    assert github.asked[-1].query["since"] == "2026-12-01T22:59:00Z"


async def test_a_comment_counts_as_content_and_a_reaction_does_not(
    api: Api, github: FakeGitHub, gate: OpenGate
) -> None:
    github.on("POST", "/repositories/1/issues/3/comments", Reply(201, {"id": 4}))
    github.on("POST", "/repositories/1/issues/comments/4/reactions", Reply(502), Reply(200, {"id": 1}))

    assert await issues.comment(api, 1, 3, "done") == 4
    await issues.react(api, 1, 4, "rocket")

    assert [call.creates_content for call in gate.calls] == [True, False, False]
    assert json.loads(github.asked[-1].body) == {"content": "rocket"}


async def test_a_check_run_is_found_made_and_updated(api: Api, github: FakeGitHub) -> None:
    listed = "/repositories/1/commits/abc/check-runs"
    runs = [{"id": 8, "external_id": "7:abc"}, {"id": 9, "external_id": "6:abc"}]
    github.on("GET", listed, Reply(200, {"check_runs": runs}), Reply(200, {"check_runs": []}))
    github.on("POST", "/repositories/1/check-runs", Reply(201, {"id": 9}))
    github.on("PATCH", "/repositories/1/check-runs/9", Reply(502), Reply(200, {"id": 9}))

    assert await checks.find(api, 1, "abc", "Deadline", "7:abc") == 8
    assert await checks.find(api, 1, "abc", "Deadline", "7:abc") is None
    asked = {"check_name": "Deadline", "app_id": str(APP_ID), "filter": "all", "per_page": "100"}
    assert dict(github.asked[-1].query) == asked
    assert await checks.create(api, 1, {"name": "Deadline", "head_sha": "abc"}) == 9
    await checks.update(api, 1, 9, {"status": "completed"})


async def test_annotations_are_those_of_the_suites_runs_that_have_any(api: Api, github: FakeGitHub) -> None:
    listed = [{"id": 1, "output": {"annotations_count": 0}}, {"id": 2, "output": {"annotations_count": 1}}]
    grade = {"title": "GRADE", "annotation_level": "notice", "message": "4.5/6", "path": ".github"}
    github.on("GET", "/repositories/1/check-suites/6/check-runs", Reply(200, {"check_runs": listed}))
    github.on("GET", "/repositories/1/check-runs/2/annotations", Reply(200, [grade]))

    assert await runs.annotations(api, 1, 6) == [runs.Annotation("GRADE", "notice", "4.5/6")]
    assert github.count("GET", "/repositories/1/check-runs/1/annotations") == 0

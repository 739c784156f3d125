"""The pages without a browser: where the bot's links lead, and what becomes of what people write."""

from collections.abc import Iterator

import aiohttp
import pytest

from sandbox import Workflow, World
from sandbox.issues import MAX_BODY
from sandbox.organisation import Organisation
from sandbox.render import actions, checks, issues, repositories
from sandbox.repository import Repository
from sandbox.web.markdown import rendered
from sandbox.web.shown import newest

from .caller import Caller

PATH = ".github/workflows/grading.yml"


@pytest.fixture
def repo(org: Organisation) -> Repository:
    """A repository with something of each kind that has a page."""
    made = org.repository("lab1-amy", collaborators={"amy": "write"}, workflows={PATH: Workflow(points="4/6")})
    amy = org.world.user("amy")
    made.push(amy)
    made.open_issue(amy, "Help").comment(amy, "/status")
    return made


def addresses(repo: Repository) -> Iterator[str]:
    """Where the API says that each has its page."""
    (comment,) = repo.comments.values()
    yield repo.owner.html_url
    yield repositories.full(repo)["html_url"]
    yield issues.issue(comment.issue)["html_url"]
    yield issues.comment(comment)["html_url"]
    yield from (checks.check_run(run)["html_url"] for run in repo.checks.runs.values())
    yield from (actions.workflow_run(run)["html_url"] for run in repo.runs)


async def test_each_page_that_the_api_names_is_there(world: World, repo: Repository, github: Caller) -> None:
    async with aiohttp.ClientSession() as session:
        for address in addresses(repo):
            async with session.get(address) as answer:
                assert (answer.status, answer.content_type) == (200, "text/html"), address


async def test_what_github_refuses_is_refused_on_the_page(world: World, repo: Repository) -> None:
    issue = repo.issues[1]
    fields = {"login": "amy", "body": "x" * (MAX_BODY + 1)}
    async with (
        aiohttp.ClientSession() as session,
        session.post(f"{issue.repo.html_url}/issues/1/comments", data=fields) as answer,
    ):
        assert answer.status == 422
    assert len(issue.comments) == 1


async def test_looking_at_pages_is_no_call_of_the_api(world: World, repo: Repository) -> None:
    async with aiohttp.ClientSession() as session, session.get(repo.html_url) as answer:
        assert answer.ok

    assert world.calls == []


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("<!-- pencils-down:reply:1 -->\nDone.", "<p>Done.</p>"),
        ("**late** by `3 s`", "<p><strong>late</strong> by <code>3 s</code></p>"),
        ("a <b>b</b>", "<p>a &lt;b&gt;b&lt;/b&gt;</p>"),
        ("<script>alert(1)</script>", "&lt;script&gt;alert(1)&lt;/script&gt;"),
        ("<details onclick=x><summary>more</summary>", "&lt;details onclick=x&gt;<summary>more</summary>"),
        ("[x](javascript:alert)", "<p>[x](javascript:alert)</p>"),
    ],
)
def test_markdown_is_shown_and_html_is_not_obeyed(written: str, shown: str) -> None:
    assert rendered(written).strip() == shown


def test_a_long_list_is_shown_from_its_end() -> None:
    assert newest(range(120), 1)[:2] == [119, 118]
    assert newest(range(120), 3) == list(range(19, -1, -1))
    assert newest(range(120), 4) == []

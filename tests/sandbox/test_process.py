"""`python -m sandbox`: a process of its own with a back door."""

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import aiohttp

from sandbox import World


class BackDoor:
    """The routes under /_sandbox."""

    def __init__(self, session: aiohttp.ClientSession, url: str) -> None:
        self._session, self._url = session, url

    async def ask(self, method: str, path: str, **fields: Any) -> Any:
        """The answer to a call that must succeed."""
        status, body = await self.try_to(method, path, **fields)
        assert status == 200, body
        return body

    async def try_to(self, method: str, path: str, **fields: Any) -> tuple[int, Any]:
        """Status and answer."""
        url = f"{self._url}/_sandbox{path}"
        async with self._session.request(method, url, json=fields) as answer:
            return answer.status, await answer.json()


@asynccontextmanager
async def back_door(url: str) -> AsyncIterator[BackDoor]:
    async with aiohttp.ClientSession() as session:
        yield BackDoor(session, url)


async def test_a_course_is_built_and_played_through_the_back_door(world: World) -> None:
    async with back_door(world.url) as door:
        app = await door.ask("POST", "/app", webhook_secret="geheim")
        assert "PRIVATE KEY" in app["private_key"]
        await door.ask("POST", "/organisations", login="prog1", plan="team", owners=["prof"])
        team = await door.ask("POST", "/teams", organisation="prog1", name="Staff", members=["assi"])
        assert team["slug"] == "staff"
        grading = {"points": "4.5/6"}
        students = [
            {"name": f"lab1-s{number}", "collaborators": {f"s{number}": "write"}, "workflow": grading}
            for number in range(3)
        ]
        made = await door.ask("POST", "/repositories", organisation="prog1", repositories=students)
        await door.ask("POST", "/installations", organisation="prog1")
        pushed = await door.ask("POST", "/pushes", repository=made[0]["id"], login="s0")
        issue = await door.ask("POST", "/issues", repository="prog1/lab1-s0", login="prof", title="Lab 1")
        await door.ask(
            "POST", "/comments", repository="prog1/lab1-s0", issue=issue["number"], login="prof", body="/help"
        )
        await door.ask("GET", "/hook/idle")

        listed = await door.ask("GET", "/repositories", organisation="prog1")
        assert (listed[0]["head"], listed[0]["open"], listed[0]["runs"]) == (pushed["sha"], True, 1)
        runs = await door.ask("GET", "/runs", repository=made[0]["id"])
        assert runs[0]["conclusion"] == "success"
        comments = await door.ask("GET", "/comments", repository=made[0]["id"], issue=1)
        assert [one["body"] for one in comments] == ["/help"]
        assert (await door.ask("GET", "/calls"))["total"] == 0
        assert (await door.ask("GET", "/deliveries"))["events"]["push"] == 1


async def test_a_refused_push_answers_409_with_gits_words(world: World) -> None:
    repo = world.organisation("prog1").repository("lab1-amy", collaborators={"amy": "write"})
    repo.archive()
    async with back_door(world.url) as door:
        status, body = await door.try_to("POST", "/pushes", repository=repo.id, login="amy")
        assert (status, "read-only" in body["refused"]) == (409, True)
        refused = await door.ask("GET", "/refused-pushes")
        assert [(one["repository"], one["login"]) for one in refused] == [("prog1/lab1-amy", "amy")]
        status, body = await door.try_to("POST", "/pushes", repository=1)
        assert status == 400


async def test_the_clock_is_set_from_outside(world: World) -> None:
    async with back_door(world.url) as door:
        stands = await door.ask("POST", "/clock", stand_at="2026-12-01T23:00:00+01:00", shift_seconds=60)
        assert stands["now"] == "2026-12-01T22:01:00+00:00"
        assert (await door.ask("GET", "/clock")) == stands


async def test_the_process_says_where_it_is_and_ends_with_its_parents_pipe() -> None:
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        *("-m", "sandbox", "--port", "0", "--with-parent"),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    line = (await process.stdout.readline()).decode().strip()
    assert line.startswith("sandbox ready on http://127.0.0.1:")
    async with back_door(line.rpartition(" ")[2]) as door:
        assert (await door.ask("GET", "/app"))["slug"] == "pencils-down"
    process.stdin.close()
    assert await asyncio.wait_for(process.wait(), 10) == 0

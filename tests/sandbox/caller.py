"""Someone who calls the API, and what they see."""

import json
import re
import time
from dataclasses import dataclass
from typing import Any

import aiohttp
import jwt

from sandbox import World
from sandbox.installation import Installation
from sandbox.repository import Repository


@dataclass
class Reply:
    """An answer of the API."""

    status: int
    body: Any
    headers: Any

    @property
    def message(self) -> str:
        """The reason of a refusal."""
        return str(self.body["message"])

    def link(self, rel: str) -> str:
        """Where the Link header leads for this relation; empty if nowhere."""
        found = re.search(rf'<([^>]*)>; rel="{rel}"', self.headers.get("Link", ""))
        return found[1] if found else ""


class Caller:
    """Calls the API as an installation, or as the App itself."""

    def __init__(self, session: aiohttp.ClientSession, world: World) -> None:
        self._session = session
        self._world = world
        self.token = ""

    def use(self, installation: Installation, **narrowed: Any) -> None:
        """Call with a token of this installation from now on."""
        self.token = installation.mint(**narrowed).text

    async def call(self, method: str, path: str, body: Any = None, **headers: str) -> Reply:
        """A call with the installation's token."""
        return await self._call(method, path, body, {"Authorization": f"Bearer {self.token}"} | headers)

    async def get(self, path: str) -> Reply:
        """A GET with the installation's token."""
        return await self.call("GET", path)

    async def as_app(self, method: str, path: str, body: Any = None, **claims: Any) -> Reply:
        """A call with the App's JWT; `claims` replace those of a good one."""
        now = int(time.time_ns() // 10**9)
        good = {"iat": now - 60, "exp": now + 540, "iss": str(self._world.app.id)}
        signed = jwt.encode(good | claims, self._world.app.private_key, "RS256")
        return await self._call(method, path, body, {"Authorization": f"Bearer {signed}"})

    async def _call(self, method: str, path: str, body: Any, headers: dict[str, str]) -> Reply:
        url = path if path.startswith("http") else self._world.url + path
        async with self._session.request(method, url, json=body, headers=headers, allow_redirects=False) as answer:
            text = await answer.text()
            return Reply(answer.status, json.loads(text) if text else None, answer.headers)


@dataclass
class Received:
    """A webhook as it came."""

    event: str
    guid: str
    headers: dict[str, str]
    raw: bytes

    @property
    def payload(self) -> Any:
        """The body, parsed."""
        return json.loads(self.raw)


def lock(world: World, *repos: Repository, **changes: Any) -> dict[str, Any]:
    """The organisation ruleset that closes these repositories' branches to all but the App."""
    rules = [{"type": kind} for kind in ("creation", "update", "deletion", "non_fast_forward")]
    ids = [repo.id for repo in repos]
    return {
        "name": "closed branches",
        "target": "branch",
        "enforcement": "active",
        "bypass_actors": [{"actor_type": "Integration", "actor_id": world.app.id, "bypass_mode": "exempt"}],
        "conditions": {"ref_name": {"include": ["~ALL"], "exclude": []}, "repository_id": {"repository_ids": ids}},
        "rules": rules,
    } | changes

"""GitHub as one identity sees it: read, read all pages, write. The modules named after nouns are written with it."""

import re
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Any, Required, TypedDict, Unpack

from bot.github.client import Answer
from bot.github.door import Door
from bot.github.failures import ServerBroken
from bot.github.gate import Call, Passage, Urgency

READ_ATTEMPTS = 3
PER_PAGE = 100
"""The most that GitHub gives on a page; its default is 30."""

_REPOSITORY = re.compile(r"/repositories/(\d+)(?:/|$)")


class Manner(TypedDict, total=False):
    """How a write goes out.

    `attempts` above 1 is for what may happen twice without harm; `creates_content` for what GitHub counts against
    80 a minute and 500 an hour; `repository_ids` are the repositories that would be changed, if the path names none;
    `lifts` is for what takes a lock off: a course in shadow mode may ask for that;
    `passage` is told how far the call came.
    """

    urgency: Required[Urgency]
    repository_ids: tuple[int, ...]
    creates_content: bool
    lifts: bool
    attempts: int
    passage: Passage


@dataclass(frozen=True, slots=True)
class Api:
    """Calls as one installation, or as the App itself, whose ids are then 0. Every method raises GitHubFailure."""

    account_id: int
    installation_id: int
    login: str
    app_id: int
    door: Door = field(repr=False)

    async def read(self, path: str, *, repository_id: int | None = None, urgency: Urgency = Urgency.READ) -> Any:
        """The JSON at `path`, asked again where GitHub broke or did not answer."""
        call = self._reading(path, repository_id, urgency)
        return (await self.door.send(call, attempts=READ_ATTEMPTS)).data

    async def pages(
        self,
        path: str,
        *,
        key: str | None = None,
        repository_id: int | None = None,
        urgency: Urgency = Urgency.READ,
    ) -> list[Any]:
        """All items of all pages; `key` names the list where GitHub wraps it into an object."""
        pages = self.page_by_page(path, key=key, repository_id=repository_id, urgency=urgency)
        return [item async for page in pages for item in page]

    async def page_by_page(
        self,
        path: str,
        *,
        key: str | None = None,
        repository_id: int | None = None,
        urgency: Urgency = Urgency.READ,
    ) -> AsyncIterator[list[Any]]:
        """The items of one page after the other, each read when it is asked for."""
        call = self._reading(path, repository_id, urgency)
        url: str | None = f"{path}{'&' if '?' in path else '?'}per_page={PER_PAGE}"
        while url:
            answer = await self.door.send(call, url=url, attempts=READ_ATTEMPTS)
            yield _items(answer.data, key)
            url = answer.next_url

    async def write(self, method: str, path: str, body: object, **manner: Unpack[Manner]) -> Answer:
        """Change something on GitHub, once unless `attempts` says otherwise."""
        call = Call(
            method=method,
            path=path,
            account_id=self.account_id,
            installation_id=self.installation_id,
            repository_ids=_named(path) or manner.get("repository_ids", ()),
            urgency=manner["urgency"],
            creates_content=manner.get("creates_content", False),
            lifts=manner.get("lifts", False),
            passage=manner.get("passage", Passage()),
        )
        return await self.door.send(call, body=body, attempts=manner.get("attempts", 1))

    def _reading(self, path: str, repository_id: int | None, urgency: Urgency) -> Call:
        about = () if repository_id is None else (repository_id,)
        return Call("GET", path, self.account_id, self.installation_id, about, urgency, creates_content=False)


def _named(path: str) -> tuple[int, ...]:
    """The repository that a path is about: whoever forgets to say so has told the gate all the same."""
    found = _REPOSITORY.match(path)
    return (int(found[1]),) if found else ()


def _items(data: Any, key: str | None) -> list[Any]:
    """The list of one page. A wrong key is an error here; gidgethub's own paging would give the object's keys."""
    found = data if key is None else data.get(key) if isinstance(data, dict) else None
    if not isinstance(found, list):
        raise ServerBroken(f"a page without {key or 'a list'}")
    return found

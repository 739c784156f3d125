"""Check runs of ours on pushed heads."""

from typing import Any
from urllib.parse import urlencode

import msgspec

from bot.github.api import Api
from bot.github.gate import Urgency
from bot.github.shapes import Numbered, fit

UPDATE_ATTEMPTS = 3


class _Marked(msgspec.Struct, frozen=True):
    id: int
    external_id: str | None = None


async def find(api: Api, repository_id: int, sha: str, name: str, external_id: str) -> int | None:
    """The check run of that name that our App put on the commit under this id of ours; None where there is none."""
    query = urlencode({"check_name": name, "app_id": api.app_id, "filter": "all"})
    path = f"/repositories/{repository_id}/commits/{sha}/check-runs?{query}"
    runs = await api.pages(path, key="check_runs", repository_id=repository_id, urgency=Urgency.CHECK)
    ours = [run.id for run in fit(list[_Marked], runs) if run.external_id == external_id]
    return max(ours, default=None)


async def create(api: Api, repository_id: int, body: dict[str, Any]) -> int:
    """Put a check run on a commit, once: after an unknown outcome look for its name, then try again."""
    answer = await api.write(
        "POST",
        f"/repositories/{repository_id}/check-runs",
        body,
        repository_ids=(repository_id,),
        urgency=Urgency.CHECK,
    )
    return fit(Numbered, answer.data).id


async def update(api: Api, repository_id: int, check_run_id: int, body: dict[str, Any]) -> None:
    """Make the check run say what `body` says; repeated where the outcome is unknown."""
    await api.write(
        "PATCH",
        f"/repositories/{repository_id}/check-runs/{check_run_id}",
        body,
        repository_ids=(repository_id,),
        urgency=Urgency.CHECK,
        attempts=UPDATE_ATTEMPTS,
    )

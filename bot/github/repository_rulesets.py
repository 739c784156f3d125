"""The pair of rulesets of a single repository, and the archive, where the organisation has no rulesets.

Sources: "REST API endpoints for rules", "Update a repository" of GitHub.
"""

from collections.abc import Sequence
from typing import Any

from bot.github import repositories, rulesets
from bot.github.api import Api
from bot.github.failures import NotFound, Refused
from bot.github.gate import Urgency
from bot.github.shapes import Numbered, fit

REPLACE_ATTEMPTS = 3


def own_body(target: rulesets.Target, app_id: int, team_ids: Sequence[int], name: str) -> dict[str, Any]:
    """The organisation's lock without its list of repositories: a repository's own ruleset is about itself."""
    body = rulesets.lock_body(target=target, repository_ids=[0], app_id=app_id, team_ids=team_ids, name=name)
    return body | {"conditions": {"ref_name": body["conditions"]["ref_name"]}}


async def find(api: Api, repository_id: int, name: str) -> int | None:
    """The id of the repository's own ruleset of that name. Raises PlanRefused where the plan has none."""
    path = f"/repositories/{repository_id}/rulesets?includes_parents=false"
    found = await api.pages(path, repository_id=repository_id, urgency=Urgency.DEADLINE)
    return next((one.id for one in fit(list[rulesets.Named], found) if one.name == name), None)


async def put(api: Api, repository_id: int, body: dict[str, Any]) -> int:
    """Make the repository hold this ruleset, found by its name if an earlier try made it; its id."""
    where = f"/repositories/{repository_id}/rulesets"
    known = await find(api, repository_id, str(body["name"]))
    if known is None:
        answer = await api.write("POST", where, body, repository_ids=(repository_id,), urgency=Urgency.DEADLINE)
        return fit(Numbered, answer.data).id
    await api.write(
        "PUT",
        f"{where}/{known}",
        body,
        repository_ids=(repository_id,),
        urgency=Urgency.DEADLINE,
        attempts=REPLACE_ATTEMPTS,
    )
    return known


async def remove(api: Api, repository_id: int, name: str) -> None:
    """Take the ruleset of that name away; the one that is there now, never a blind delete. None there is done."""
    known = await find(api, repository_id, name)
    if known is None:
        return
    path = f"/repositories/{repository_id}/rulesets/{known}"
    try:
        await api.write("DELETE", path, None, repository_ids=(repository_id,), urgency=Urgency.DEADLINE, lifts=True)
    except NotFound:
        # Somebody else took it away between the two calls; whether the repository is there, the list just said.
        return


async def set_archived(api: Api, repository_id: int, archived: bool) -> None:
    """Archive the repository or bring it back; twice is the same as once."""
    try:
        await api.write(
            "PATCH",
            f"/repositories/{repository_id}",
            {"archived": archived},
            repository_ids=(repository_id,),
            lifts=not archived,
            urgency=Urgency.DEADLINE,
            attempts=REPLACE_ATTEMPTS,
        )
    except Refused:
        # GitHub refuses to archive what is archived already, as by an earlier try whose answer was lost.
        if (await repositories.read(api, repository_id)).archived is not archived:
            raise

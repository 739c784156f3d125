"""Commits without a clone, and branches that move to them. Source: "Git database" of GitHub."""

from urllib.parse import quote

import msgspec

from bot.github.api import Api
from bot.github.gate import Urgency
from bot.github.shapes import fit

ATTEMPTS = 3


class _Named(msgspec.Struct, frozen=True):
    sha: str


class _Commit(msgspec.Struct, frozen=True):
    tree: _Named


async def make_empty(api: Api, repository_id: int, parent: str, message: str) -> str:
    """Make a commit that changes nothing on top of `parent`; its sha. No ref moves, so that it may be made twice."""
    where = f"/repositories/{repository_id}/git/commits"
    read = await api.read(f"{where}/{parent}", repository_id=repository_id, urgency=Urgency.DEADLINE)
    body = {"message": message, "tree": fit(_Commit, read).tree.sha, "parents": [parent]}
    answer = await api.write(
        "POST", where, body, repository_ids=(repository_id,), urgency=Urgency.DEADLINE, attempts=ATTEMPTS
    )
    return fit(_Named, answer.data).sha


async def move(api: Api, repository_id: int, branch: str, sha: str) -> None:
    """Move a branch ahead to a commit, never by force: to the same commit twice is the same as once.

    Raises Refused where it went on meanwhile, is protected, or is there no more: which of them, its head tells.
    """
    await api.write(
        "PATCH",
        f"/repositories/{repository_id}/git/refs/heads/{quote(branch)}",
        {"sha": sha, "force": False},
        repository_ids=(repository_id,),
        urgency=Urgency.DEADLINE,
        attempts=ATTEMPTS,
    )

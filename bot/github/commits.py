"""How commits stand to each other. Source: "Compare two commits" of GitHub; the dates in its answers are never read."""

import msgspec

from bot.github.api import Api
from bot.github.failures import NotFound
from bot.github.gate import Urgency
from bot.github.shapes import fit


class _Comparison(msgspec.Struct, frozen=True):
    status: str


async def reaches(api: Api, repository_id: int, head: str, sha: str, *, urgency: Urgency) -> bool:
    """Whether `sha` is `head` or one of its ancestors."""
    path = f"/repositories/{repository_id}/compare/{sha}...{head}?per_page=1"
    try:
        found = fit(_Comparison, await api.read(path, repository_id=repository_id, urgency=urgency))
    except NotFound:
        # GitHub forgets a commit that no ref ever reached.
        return False
    return found.status in {"ahead", "identical"}

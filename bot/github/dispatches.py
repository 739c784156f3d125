"""Asking a repository's workflow for a review (docs/design.md section 7)."""

from typing import Any

from bot.github.api import Api
from bot.github.client import Answer
from bot.github.gate import Urgency


async def send(api: Api, repository_id: int, event_type: str, payload: dict[str, Any]) -> Answer:
    """Send one `repository_dispatch`, at most once: never repeated here while GitHub may have acted on it.

    The answer's `date` is GitHub's own time of it. An ambiguous failure stands: GitHub says no run id, so that only
    the run itself can confirm it.
    """
    return await api.write(
        "POST",
        f"/repositories/{repository_id}/dispatches",
        {"event_type": event_type, "client_payload": payload},
        repository_ids=(repository_id,),
        urgency=Urgency.REVIEW,
    )

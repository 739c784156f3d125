"""Asking a repository's workflow for a review (docs/design.md section 7)."""

from typing import Any

from bot.github.api import Api
from bot.github.client import Answer
from bot.github.failures import NoAnswer, Paused
from bot.github.gate import Passage, Urgency

UNREACHABLE_SECONDS = 30.0
"""A request for which no connection could be made is put off for this long."""


async def send(
    api: Api, repository_id: int, event_type: str, payload: dict[str, Any], passage: Passage | None = None
) -> Answer:
    """Send one `repository_dispatch`, at most once: never repeated here while GitHub may have acted on it.

    The answer's `date` is GitHub's own time of it. An ambiguous failure stands: GitHub says no run id, so that only
    the run itself can confirm it. Where no connection could be made nothing was sent: that is Paused.
    """
    path = f"/repositories/{repository_id}/dispatches"
    body = {"event_type": event_type, "client_payload": payload}
    try:
        return await api.write(
            "POST", path, body, repository_ids=(repository_id,), urgency=Urgency.REVIEW, passage=passage or Passage()
        )
    except NoAnswer as failure:
        if failure.sent:
            raise
        reason = f"GitHub cannot be reached: {failure.message}"
        raise Paused(reason, after_seconds=UNREACHABLE_SECONDS, method="POST", path=path) from failure

"""Comments and reactions in issues."""

from datetime import UTC, datetime

import msgspec

from bot.github.api import Api
from bot.github.gate import Urgency
from bot.github.shapes import Numbered, fit

REACTION_ATTEMPTS = 3
EDIT_ATTEMPTS = 3


class _Issue(msgspec.Struct, frozen=True):
    body: str | None = None


class _Comment(msgspec.Struct, frozen=True):
    id: int
    body: str | None = None
    performed_via_github_app: Numbered | None = None


async def find_comment(api: Api, repository_id: int, issue_number: int, mark: str, since: datetime) -> int | None:
    """The first comment of our App that carries the hidden `mark` and was written at `since` or later.

    A person could copy a mark; nobody can write as the App.
    """
    moment = since.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    path = f"/repositories/{repository_id}/issues/{issue_number}/comments?since={moment}"
    pages = await api.pages(path, repository_id=repository_id, urgency=Urgency.COMMENT)
    ours = (comment for comment in fit(list[_Comment], pages) if _is_by(comment, api.app_id))
    return next((comment.id for comment in ours if mark in (comment.body or "")), None)


def _is_by(comment: _Comment, app_id: int) -> bool:
    return comment.performed_via_github_app is not None and comment.performed_via_github_app.id == app_id


async def comment(api: Api, repository_id: int, issue_number: int, body: str) -> int:
    """Write a comment, once: after an unknown outcome look for its mark, then try again."""
    answer = await api.write(
        "POST",
        f"/repositories/{repository_id}/issues/{issue_number}/comments",
        {"body": body},
        repository_ids=(repository_id,),
        urgency=Urgency.COMMENT,
        creates_content=True,
    )
    return fit(Numbered, answer.data).id


async def react(api: Api, repository_id: int, comment_id: int, content: str) -> None:
    """React to a comment (`eyes`, `rocket`, `-1`, `confused`). GitHub keeps one of a kind, so it may be repeated."""
    await api.write(
        "POST",
        f"/repositories/{repository_id}/issues/comments/{comment_id}/reactions",
        {"content": content},
        repository_ids=(repository_id,),
        urgency=Urgency.COMMENT,
        attempts=REACTION_ATTEMPTS,
    )


async def body(api: Api, repository_id: int, issue_number: int) -> str:
    """The words of an issue itself, "" for none. Raises NotFound, and Refused where the issue was deleted (410)."""
    path = f"/repositories/{repository_id}/issues/{issue_number}"
    found = fit(_Issue, await api.read(path, repository_id=repository_id, urgency=Urgency.COMMENT))
    return found.body or ""


async def set_body(api: Api, repository_id: int, issue_number: int, text: str) -> None:
    """Give an issue these words; nobody is notified. Repeated where the outcome is unknown: twice is as once."""
    await api.write(
        "PATCH",
        f"/repositories/{repository_id}/issues/{issue_number}",
        {"body": text},
        repository_ids=(repository_id,),
        urgency=Urgency.COMMENT,
        attempts=EDIT_ATTEMPTS,
    )

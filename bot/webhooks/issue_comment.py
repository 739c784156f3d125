"""`issue_comment`: a person's new comment that may hold commands is kept for the job that answers it."""

from bot.model import Command
from bot.store import commands
from bot.store.deliveries import Delivery
from bot.store.records import Conn
from bot.webhooks import payloads
from bot.webhooks.handling import Handling, decode


def may_hold_commands(text: str) -> bool:
    """Whether any line begins with a slash; which of them are commands is read with the Markdown around them."""
    return any(line.lstrip().startswith("/") for line in text.splitlines())


async def handle(conn: Conn, delivery: Delivery, _handling: Handling) -> None:
    """Keep the comment once, as it was when it was created; an edit or a deletion runs nothing."""
    body = decode(payloads.IssueCommentBody, delivery)
    author, text = body.comment.user, body.comment.body or ""
    # A bot that answered a bot would never stop.
    if body.action != "created" or author is None or author.type != "User" or not may_hold_commands(text):
        return
    command = Command(
        account_id=delivery.account_id,
        comment_id=body.comment.id,
        repository_id=body.repository.id,
        issue_number=body.issue.number,
        author_id=author.id,
        author_login=author.login,
        body=text,
        commented_at=body.comment.created_at,
        heard_at=delivery.received_at,
    )
    await commands.record(conn, command)

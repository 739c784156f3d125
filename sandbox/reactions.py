"""Reactions to comments."""

from dataclasses import dataclass
from datetime import datetime

from sandbox.user import User

REACTIONS = ("+1", "-1", "laugh", "confused", "heart", "hooray", "rocket", "eyes")


@dataclass(eq=False)
class Reaction:
    """A user's reaction to a comment."""

    id: int
    user: User
    content: str
    created_at: datetime

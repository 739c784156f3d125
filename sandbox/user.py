"""People and bots."""

from dataclasses import dataclass


@dataclass(eq=False)
class User:
    """An account that acts. A bot's `app_id` is the App it acts for."""

    id: int
    login: str
    app_id: int | None = None

    @property
    def type(self) -> str:
        """GitHub's word for the kind of account."""
        return "User" if self.app_id is None else "Bot"

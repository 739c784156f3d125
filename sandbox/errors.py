"""What the sandbox refuses: an API call with a status, or a `git push` with GitHub's words."""

from collections.abc import Sequence
from typing import Any

DOCUMENTATION = "https://docs.github.com/rest"


class Refused(Exception):
    """An API call is answered with `status` and GitHub's error body."""

    def __init__(
        self, status: int, message: str, errors: Sequence[Any] = (), headers: dict[str, str] | None = None
    ) -> None:
        super().__init__(message)
        self.status = status
        self.message = message
        self.errors = errors
        self.headers = headers or {}

    def body(self) -> dict[str, Any]:
        """The JSON GitHub sends with it."""
        rest = {"errors": list(self.errors)} if self.errors else {"status": str(self.status)}
        return {"message": self.message, "documentation_url": DOCUMENTATION, **rest}


class PushRefused(Exception):
    """A push was declined. The text is what git prints; `violations` are the rules' sentences, if rules declined it."""

    def __init__(self, text: str, violations: Sequence[str] = ()) -> None:
        super().__init__(text)
        self.violations = tuple(violations)


def not_found() -> Refused:
    """What GitHub says of a thing that is not there, and of one the caller may not know of."""
    return Refused(404, "Not Found")


def not_accessible() -> Refused:
    """The installation lacks the permission for this endpoint."""
    return Refused(403, "Resource not accessible by integration")


def archived() -> Refused:
    """Any write to an archived repository."""
    return Refused(403, "Repository was archived so is read-only.")


def invalid(reason: str) -> Refused:
    """A body that does not fit the endpoint's schema."""
    return Refused(422, f"Invalid request.\n\n{reason}")


def unprocessable(*errors: Any) -> Refused:
    """A body that fits the schema and cannot be done."""
    return Refused(422, "Validation Failed", errors)

"""The three kinds of failure of docs/design.md section 12: told to the person, tried again, given up."""


class PencilsDownError(Exception):
    """Base of every failure this project raises on purpose."""


class Told(PencilsDownError):
    """A person asked for something that cannot be done: `code` is stable, `reason` says why, `instead` what to type.

    Raised by a command (its savepoint is rolled back), answered in the reply, never logged as an error.
    """

    def __init__(self, code: str, reason: str, instead: str = "") -> None:
        super().__init__(f"{code}: {reason}")
        self.code = code
        self.reason = reason
        self.instead = instead


class TryAgain(PencilsDownError):
    """The work could not be finished now and nothing is lost: it is due again in `after_seconds` (real time)."""

    def __init__(self, reason: str, after_seconds: float = 30.0) -> None:
        super().__init__(reason)
        self.reason = reason
        self.after_seconds = after_seconds


class GivenUp(PencilsDownError):
    """The work can never succeed as it stands; it is recorded with its reason and not tried again by itself."""

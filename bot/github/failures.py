"""What can come back instead of an answer, as types: one for each row of the table in docs/design.md section 5."""

import re
from collections.abc import Mapping
from typing import ClassVar

from bot.errors import PencilsDownError
from bot.github.dates import seconds_to_wait

_SECRET = re.compile(r"\b(?:gh[a-z]_|github_pat_|eyJ)[\w.\-]+")
_LIMIT = re.compile(r"secondary rate|rate limit|abuse detection", re.IGNORECASE)
_LONGEST_MESSAGE = 500


def mask(text: str) -> str:
    """`text` with anything that looks like one of GitHub's tokens or a JWT blotted out, cut to a readable length."""
    return _SECRET.sub("***", text)[:_LONGEST_MESSAGE]


class GitHubFailure(PencilsDownError):
    """A call that did not do what it was for. Its text is safe to log and to show to staff."""

    ambiguous: ClassVar[bool] = False
    """Whether GitHub may have acted all the same. What must never happen twice is then left to a person."""

    def __init__(self, message: str, *, status: int | None = None, method: str = "", path: str = "") -> None:
        self.message = mask(message)
        self.status = status
        self.method = method
        self.path = path
        super().__init__(" ".join(str(part) for part in (method, path, status, self.message) if part))

    @property
    def about_organisation(self) -> bool:
        """Whether the call named the organisation alone: a 404 there is a missing permission, and no repository."""
        return self.path.startswith(("/orgs/", "/organizations/"))


class Unauthorised(GitHubFailure):
    """401: the token or JWT is not accepted (any more); GitHub has not acted."""


class NotFound(GitHubFailure):
    """404: gone, not granted to us, or a missing permission (docs/design.md section 4 tells them apart)."""


class PlanRefused(GitHubFailure):
    """403 "Upgrade to GitHub …": the organisation's plan lacks the feature, today and at the next try."""


class Suspended(GitHubFailure):
    """403: an owner suspended the installation; nothing works until it is unsuspended."""


class NotInstalled(Suspended):
    """404 where a token was asked for: the installation was removed; it says nothing of what the call was about."""


class Refused(GitHubFailure):
    """Any other 4xx: a definite no, and nothing was done."""


class NotPermitted(Refused):
    """403 "Resource not accessible by integration": a permission is missing that other endpoints hide by a 404."""


class StrayRedirect(GitHubFailure):
    """Sent to another host, or in circles. The token does not go along and nothing was done."""


class HeldByShadow(GitHubFailure):
    """A write of a course in shadow mode: held by our own gate, GitHub never heard of it."""


class ServerBroken(GitHubFailure):
    """5xx, or an answer nobody can read: GitHub may have acted."""

    ambiguous = True


class NoAnswer(GitHubFailure):
    """The connection failed or the time was up. GitHub may have acted, unless `sent` is false."""

    ambiguous = True

    def __init__(self, message: str, *, sent: bool = True, method: str = "", path: str = "") -> None:
        super().__init__(message, method=method, path=path)
        self.sent = sent


class Delayed(GitHubFailure):
    """Nothing was done; it is worth another try in `after_seconds` of real time."""

    def __init__(
        self, message: str, *, after_seconds: float, status: int | None = None, method: str = "", path: str = ""
    ) -> None:
        super().__init__(message, status=status, method=method, path=path)
        self.after_seconds = after_seconds


class Limited(Delayed):
    """403 or 429 by the primary or a secondary rate limit: the installation pauses."""


class Paused(Delayed):
    """Not sent: the installation pauses, its budget is spent for too long, or there is no token to be had."""


class Closing(Delayed):
    """Not sent: this process ends. The work is free at once for another process, or for this one's successor."""

    def __init__(self, *, method: str = "", path: str = "") -> None:
        super().__init__("the process ends", after_seconds=0.0, method=method, path=path)


def classify(status: int, headers: Mapping[str, str], message: str, *, method: str, path: str) -> GitHubFailure:
    """The failure that an answer of `status` stands for. `headers` answer to lower-case names.

    The order matters: plan, suspension and limits share 403, and the last call of an hour carries
    `x-ratelimit-remaining: 0` whatever it says, so the messages are asked before the headers.
    """
    if status in (403, 429) and _is_limit(status, headers, message):
        after = seconds_to_wait(headers)
        return Limited(message, after_seconds=after, status=status, method=method, path=path)
    return _definite_or_broken(status, message)(message, status=status, method=method, path=path)


def _definite_or_broken(status: int, message: str) -> type[GitHubFailure]:
    if status == 403 and _is_plan(message):
        return PlanRefused
    if status == 403 and _is_suspension(message):
        return Suspended
    if status == 403 and message.startswith("Resource not accessible by integration"):
        return NotPermitted
    if 400 <= status < 500:
        return {401: Unauthorised, 404: NotFound}.get(status, Refused)
    return ServerBroken


def _is_limit(status: int, headers: Mapping[str, str], message: str) -> bool:
    if status == 429 or _LIMIT.search(message):
        return True
    if _is_plan(message) or _is_suspension(message) or message.startswith("Resource not accessible"):
        return False
    return "retry-after" in headers or headers.get("x-ratelimit-remaining") == "0"


def _is_plan(message: str) -> bool:
    return message.startswith("Upgrade to GitHub ")


def _is_suspension(message: str) -> bool:
    return "suspended" in message.lower()

"""What the App must be allowed to do in an organisation, against what its owner granted (docs/design.md section 13)."""

from collections.abc import Mapping
from dataclasses import dataclass

NEEDED: Mapping[str, str] = {
    "actions": "read",
    "administration": "write",
    "checks": "write",
    "contents": "write",
    "issues": "write",
    "metadata": "read",
    "members": "read",
    "organization_administration": "write",
    "organization_plan": "read",
}
"""As in app-manifest.yml, by GitHub's names."""

_LEVELS = ("", "read", "write", "admin")


@dataclass(frozen=True, slots=True)
class InstallationStanding:
    """What the staff may know of an installation; `points` were spent of GitHub's budget in the last minute."""

    installation_id: int
    state: str
    plan: str | None
    permissions: dict[str, str]
    lock_refused: str | None
    lock_failure: str | None
    paused_seconds: float | None
    points: int


def missing(granted: Mapping[str, str]) -> list[str]:
    """The permissions that are not granted as far as is needed, as `name: level`."""
    return [f"{name}: {level}" for name, level in NEEDED.items() if _rank(granted.get(name, "")) < _rank(level)]


def _rank(level: str) -> int:
    return _LEVELS.index(level) if level in _LEVELS else 0

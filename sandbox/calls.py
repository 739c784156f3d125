"""What the API was asked, in order: the ground truth of every "at most so many calls" claim."""

import re
from dataclasses import dataclass
from datetime import datetime
from typing import Any

SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})


@dataclass(frozen=True)
class Call:
    """One API call and how it ended. `effect` says whether GitHub did it, which a fault may hide from the caller."""

    number: int
    method: str
    route: str
    path: str
    body: dict[str, Any]
    status: int
    at: datetime
    effect: bool
    installation_id: int | None

    @property
    def mutating(self) -> bool:
        """Whether it asks for a change. Minting a token changes nothing that anybody sees."""
        return self.method not in SAFE_METHODS and not self.route.endswith("/access_tokens")


def normal_route(route: str) -> str:
    """A route template without its spelling: by name and by id are one route, and parameter names do not matter."""
    bare = re.sub(r"\{[^}]*\}", "{}", route)
    bare = re.sub(r"^/organizations/\{\}/team/\{\}", "/orgs/{}/teams/{}", bare)
    return re.sub(r"^/organizations/\{\}", "/orgs/{}", re.sub(r"^/repositories/\{\}", "/repos/{}/{}", bare))

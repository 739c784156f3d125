"""Numbers for new objects. No two objects of any kind share one, so that a mixed-up id can never fit by chance."""

from base64 import urlsafe_b64encode
from itertools import count

# On GitHub the ids of comments, runs, checks and deliveries are beyond 32 bits; those of accounts are not.
FIRST_SMALL = 1_000_001
FIRST_LARGE = 6_000_000_001


class Ids:
    """The two sequences that every object of a world draws from."""

    def __init__(self) -> None:
        self._small = count(FIRST_SMALL)
        self._large = count(FIRST_LARGE)

    def small(self) -> int:
        """An id that fits in 32 bits: accounts, repositories, teams, rulesets, installations."""
        return next(self._small)

    def large(self) -> int:
        """An id that does not: issues, comments, runs, checks, activities, deliveries."""
        return next(self._large)


def node_id(prefix: str, number: int | str) -> str:
    """The opaque GraphQL id beside a number or a sha."""
    return f"{prefix}_{urlsafe_b64encode(f'{prefix}:{number}'.encode()).decode().rstrip('=')}"

"""When work that could not be finished is tried again, and when it is given up."""

FIRST_SECONDS = 2.0
LONGEST_SECONDS = 300.0
MOST_ATTEMPTS = 12
"""About half an hour of trying, after which a person must look."""


def next_try_seconds(attempts: int) -> float | None:
    """Seconds (real time) until try number `attempts` + 1, doubling up to five minutes; None to give up."""
    if attempts >= MOST_ATTEMPTS:
        return None
    return min(LONGEST_SECONDS, FIRST_SECONDS * float(1 << attempts))

"""What is measured (docs/design.md section 13). Times in seconds; labels only from closed lists."""

from collections.abc import Mapping
from datetime import UTC, datetime

from prometheus_client import Counter, Gauge, Histogram

PREFIX = "pencils_down_"
SHORT = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)
DUE = (0.1, 0.25, 0.5, 1, 2, 5, 10, 30, 60, 300, 1800, 7200)

deliveries_total = Counter(PREFIX + "deliveries_total", "Webhook deliveries answered", ["event", "outcome"])
receipt_seconds = Histogram(PREFIX + "receipt_seconds", "From the first byte to a stored receipt", buckets=SHORT)
due_to_claimed_seconds = Histogram(PREFIX + "due_to_claimed_seconds", "From a deadline to its claim", buckets=DUE)
due_to_locked_seconds = Histogram(PREFIX + "due_to_locked_seconds", "From a deadline to the recorded lock", buckets=DUE)
leases_total = Counter(PREFIX + "leases_total", "Leased jobs by how they ended", ["kind", "outcome"])
github_requests_total = Counter(PREFIX + "github_requests_total", "Calls to GitHub", ["kind", "status"])
clock_skew_seconds = Gauge(PREFIX + "clock_skew_seconds", "A clock against the database's, at each beat", ["clock"])
dispatches_total = Counter(PREFIX + "dispatches_total", "repository_dispatch calls", ["outcome"])
tasks_open = Gauge(PREFIX + "tasks_open", "What waits for a person", ["kind"])
tick_seconds = Histogram(PREFIX + "tick_seconds", "One tick of the sweeper", buckets=SHORT)


def set_tasks_open(counts: Mapping[str, int]) -> None:
    """How many tasks of each kind are open; a kind that is not named has none."""
    tasks_open.clear()
    for kind, count in counts.items():
        tasks_open.labels(kind=kind).set(count)


def count_request(kind: str, status: int | str) -> None:
    """One call to GitHub: what it was about, and its status or that no answer came."""
    github_requests_total.labels(kind=kind, status=str(status)).inc()


def process_now() -> datetime:
    """This process's own clock, UTC: looked at only to measure how far it lies from the database's."""
    return datetime.now(UTC)

"""How many examples, and how they are found: the same at each `make test`, others at each `make soak`."""

from hypothesis import HealthCheck, settings

SHARDS = 4
"""The examples are spread over so many tests, each with examples of its own, for workers to share."""

settings.register_profile(
    "course",
    max_examples=100 // SHARDS,
    stateful_step_count=5,
    derandomize=True,
    database=None,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)
settings.register_profile(
    "soak", settings.get_profile("course"), max_examples=2_000 // SHARDS, stateful_step_count=20, derandomize=False
)

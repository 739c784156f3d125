"""How many examples, and how they are found: the same at each `make test`, others at each `make soak`."""

from hypothesis import HealthCheck, settings

SHARDS = {"course": 4, "soak": 20}
"""The examples of a profile are spread over so many tests, each with examples of its own, for workers to share."""

settings.register_profile(
    "course",
    max_examples=100 // SHARDS["course"],
    stateful_step_count=5,
    derandomize=True,
    database=None,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)
settings.register_profile(
    "soak",
    settings.get_profile("course"),
    max_examples=5_000 // SHARDS["soak"],
    stateful_step_count=20,
    derandomize=False,
    print_blob=True,
)


def profile_in_use() -> str:
    """`soak` where pytest was told so, else `course`, whatever other profile is loaded for the other tests."""
    return "soak" if settings.get_current_profile_name() == "soak" else "course"

"""How many examples, and how they are found: the same at each `make test`, others at each `make soak`."""

from hypothesis import HealthCheck, settings

settings.register_profile(
    "course",
    max_examples=100,
    stateful_step_count=15,
    derandomize=True,
    database=None,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)
settings.register_profile(
    "soak", settings.get_profile("course"), max_examples=2_000, stateful_step_count=20, derandomize=False
)

"""What can go wrong between the service and GitHub: each kind, on each route that changes something."""

from typing import Any

from hypothesis import strategies as st

from sandbox.faults import Fault
from tests.machine.story import DISPATCHES

COMMENTS = "/repos/{owner}/{repo}/issues/{issue_number}/comments"
REACTIONS = "/repos/{owner}/{repo}/issues/comments/{comment_id}/reactions"
CHECKS = "/repos/{owner}/{repo}/check-runs"
CHECK = "/repos/{owner}/{repo}/check-runs/{check_run_id}"
SETS = "/orgs/{org}/rulesets"
SET = "/orgs/{org}/rulesets/{id}"

ROUTES = [
    ("POST", SETS),
    ("PUT", SET),
    ("DELETE", SET),
    ("POST", DISPATCHES),
    ("POST", DISPATCHES),
    ("POST", COMMENTS),
    ("POST", REACTIONS),
    ("POST", CHECKS),
    ("PATCH", CHECK),
]
BROKEN: list[dict[str, Any]] = [
    {"status": 500},
    {"status": 502, "after_effect": True},
    {"drop": "before"},
    {"drop": "after"},
    {"status": 401},
    {"status": 429, "headers": {"retry-after": "60"}},
    {
        "status": 403,
        "headers": {"retry-after": "30"},
        "body": {"message": "You have exceeded a secondary rate limit. Please wait a few minutes."},
    },
]
REFUSED: list[dict[str, Any]] = [{"status": 409}, {"status": 422}]
"""Words that GitHub refuses are given up for good; a lock or a review that it refuses is tried again."""


def _fault(call: tuple[str, str], how: dict[str, Any], times: int, skip: int) -> Fault:
    # A token that is refused twice is a wrong key, which nothing mends.
    return Fault(call[0], call[1], times=1 if how.get("status") == 401 else times, skip=skip, **how)


FAULTS = st.builds(_fault, st.sampled_from(ROUTES), st.sampled_from(BROKEN), st.integers(1, 4), st.integers(0, 1)) | (
    st.builds(_fault, st.sampled_from(ROUTES[:5]), st.sampled_from(REFUSED), st.integers(1, 2), st.integers(0, 1))
)
CRASHES = st.builds(
    lambda hold, skip: Fault(hold=hold, skip=skip), st.sampled_from(["before", "after"]), st.integers(0, 9)
)

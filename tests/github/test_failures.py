"""Every row of the table in docs/design.md section 5, as GitHub words it."""

import pytest

from bot.github.failures import (
    Delayed,
    GitHubFailure,
    Limited,
    NoAnswer,
    NotFound,
    NotPermitted,
    PlanRefused,
    Refused,
    ServerBroken,
    Suspended,
    Unauthorised,
    classify,
)

SPENT = {"x-ratelimit-remaining": "0", "x-ratelimit-reset": "1796166000", "date": "Tue, 01 Dec 2026 22:59:00 GMT"}
"""Reset at 23:00:00 UTC, one minute after the answer."""

ROWS: list[tuple[int, dict[str, str], str, type[GitHubFailure]]] = [
    (401, {}, "Bad credentials", Unauthorised),
    (404, {}, "Not Found", NotFound),
    (403, {}, "Upgrade to GitHub Team to enable this feature.", PlanRefused),
    (403, {}, "Upgrade to GitHub Pro or make this repository public to enable this feature.", PlanRefused),
    (403, SPENT, "Upgrade to GitHub Team to enable this feature.", PlanRefused),
    (403, {}, "This installation has been suspended", Suspended),
    (403, SPENT, "This installation has been suspended", Suspended),
    (403, SPENT, "API rate limit exceeded for installation ID 48411.", Limited),
    (429, SPENT, "API rate limit exceeded for installation ID 48411.", Limited),
    (429, {}, "", Limited),
    (403, {}, "You have exceeded a secondary rate limit. Please wait a few minutes before you try again.", Limited),
    (403, {"retry-after": "7"}, "Slow down", Limited),
    (403, {}, "Resource not accessible by integration", NotPermitted),
    (403, SPENT, "Resource not accessible by integration", NotPermitted),
    (403, {}, "Repository was archived so is read-only.", Refused),
    (400, {}, "Problems parsing JSON", Refused),
    (409, {}, "Git Repository is empty.", Refused),
    (410, {}, "Gone", Refused),
    (422, {}, "Validation Failed", Refused),
    (500, {}, "Server Error", ServerBroken),
    (502, {}, "", ServerBroken),
    (520, {}, "", ServerBroken),
    (304, {}, "", ServerBroken),
]


@pytest.mark.parametrize(("status", "headers", "message", "kind"), ROWS)
def test_an_answer_is_classified_by_status_then_message_then_headers(
    status: int, headers: dict[str, str], message: str, kind: type[GitHubFailure]
) -> None:
    failure = classify(status, headers, message, method="POST", path="/x")

    assert type(failure) is kind
    assert (failure.status, failure.method, failure.path) == (status, "POST", "/x")


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "7", **SPENT}, 7.0),
        (SPENT, 60.0),
        ({**SPENT, "x-ratelimit-reset": "1796166060"}, 120.0),
        ({**SPENT, "x-ratelimit-reset": "1700000000"}, 1.0),
        ({"retry-after": "999999999"}, 3600.0),
        ({"retry-after": "soon"}, 60.0),
        ({**SPENT, "date": "yesterday"}, 60.0),
        ({"x-ratelimit-remaining": "17", "x-ratelimit-reset": "1796166000"}, 60.0),
    ],
)
def test_a_limit_says_how_long_by_githubs_own_clock(headers: dict[str, str], seconds: float) -> None:
    failure = classify(429, headers, "secondary rate limit", method="GET", path="/x")

    assert isinstance(failure, Delayed)
    assert failure.after_seconds == seconds


def test_only_a_broken_server_and_no_answer_leave_the_outcome_open() -> None:
    definite = [kind for _, _, _, kind in ROWS if kind is not ServerBroken]

    assert not any(kind.ambiguous for kind in definite)
    assert ServerBroken("x").ambiguous
    assert NoAnswer("x").ambiguous


@pytest.mark.parametrize(
    "secret", ["ghs_4242_eyJhbGciOi.eyJpc3M.sig-nature", "eyJhbGciOi.eyJpc3M.c2ln", "github_pat_11ABC_def"]
)
def test_a_failure_shows_no_secret_that_a_message_might_repeat(secret: str) -> None:
    failure = Refused(f"the token {secret} is odd", status=422)

    assert secret not in str(failure) + repr(failure) + failure.message
    assert str(failure) == "422 the token *** is odd"

"""A demo that broke a promise must say so: each promise is broken once."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from sandbox.demo.evidence import Effect, Evidence, Push
from sandbox.demo.ledger import Part, Receipt, Review
from sandbox.demo.proof import prove

DEADLINE = datetime(2026, 12, 1, 22, 59, tzinfo=UTC)
OWN = DEADLINE + timedelta(hours=2)
SECOND = timedelta(seconds=1)
AMY, BEN = 1, 2
DEADLINES = {AMY: DEADLINE, BEN: OWN}


def effects(late: timedelta) -> list[Effect]:
    """Both rulesets close both repositories, so long after their deadlines."""
    return [Effect(one, target, at + late) for one, at in DEADLINES.items() for target in ("branch", "tag")]


def dispatch(repository_id: int, sha: str, nonce: str) -> dict[str, Any]:
    """A review that GitHub was asked for."""
    return {"repository_id": repository_id, "client_payload": {"sha": sha, "nonce": nonce}}


def part(repository_id: int, sha: str, after_grace: bool = True) -> Part:
    """A repository that is closed and frozen."""
    at = DEADLINES[repository_id]
    return Part(repository_id, at, at + 1800 * SECOND, sha, at, at, after_grace)


GOOD = Evidence(
    students=2,
    deaths=0,
    commands=1,
    late_tries=1,
    deadline_of=DEADLINES,
    extended_id=BEN,
    repositories=[{"id": AMY, "open": False}, {"id": BEN, "open": False}],
    pushes=[
        Push(AMY, "a1", DEADLINE - 2 * SECOND, True),
        Push(AMY, "a2", DEADLINE - SECOND, True),
        Push(BEN, "b1", OWN - SECOND, True),
    ],
    refused=[{"violations": ["Cannot update this protected ref."]}],
    effects=effects(0.1 * SECOND),
    lock_calls=[{}] * 4,
    dispatches=[dispatch(AMY, "a2", "n1"), dispatch(BEN, "b1", "n2")],
    comment_marks=["pencils-down:reply:1"],
    checks=[{"head_sha": sha, "conclusion": "success"} for sha in ("a1", "a2", "b1")],
    checks_waiting=0,
    unknown_routes=[],
    calls={},
    receipts=[Receipt(one, sha, DEADLINE, True) for one, sha in ((AMY, "a1"), (AMY, "a2"), (BEN, "b1"))],
    parts=[part(AMY, "a2"), part(BEN, "b1")],
    reviews=[Review(AMY, "a2", "n1", "accepted"), Review(BEN, "b1", "n2", "accepted")],
)

FAULTS: dict[str, dict[str, Any]] = {
    "a repository is open": {"repositories": [{"id": AMY, "open": True}, {"id": BEN, "open": False}]},
    "a lock is early": {"effects": effects(-0.001 * SECOND)},
    "a lock is late": {"effects": effects(2.001 * SECOND)},
    "tags stay open": {"effects": [effect for effect in GOOD.effects if effect.target == "branch"]},
    "a call for each repository": {"lock_calls": [{}] * 5},
    "a late push is taken": {"refused": []},
    "a push is refused for another reason": {"refused": [{"violations": []}]},
    "frozen within the grace": {"parts": [part(AMY, "a2", after_grace=False), part(BEN, "b1")]},
    "another commit counts": {"parts": [part(AMY, "a1"), part(BEN, "b1")]},
    "another commit is reviewed": {"dispatches": [dispatch(AMY, "a1", "n1"), dispatch(BEN, "b1", "n2")]},
    "a review is missing": {"dispatches": GOOD.dispatches[:1], "reviews": GOOD.reviews[:1]},
    "a review is asked for twice": {"dispatches": [*GOOD.dispatches, dispatch(AMY, "a2", "n3")]},
    "a review is not confirmed": {"reviews": [GOOD.reviews[0], Review(BEN, "b1", "n2", "not confirmed")]},
    "a push left no receipt": {"receipts": GOOD.receipts[1:]},
    "a push is judged late": {"receipts": [Receipt(AMY, "a1", DEADLINE, False), *GOOD.receipts[1:]]},
    "a check contradicts": {"checks": [{"head_sha": "a1", "conclusion": "failure"}, *GOOD.checks[1:]]},
    "a check is never shown": {"checks": GOOD.checks[1:]},
    "a check is shown twice": {"checks": [*GOOD.checks, GOOD.checks[0]]},
    "an answer is given twice": {"comment_marks": ["pencils-down:reply:1"] * 2},
    "a command is not answered": {"comment_marks": []},
    "a call is not GitHub's": {"unknown_routes": ["GET /nowhere"]},
}


def held(evidence: Evidence) -> bool:
    """Whether every promise holds."""
    return all(promise.held for promise in prove(evidence))


def test_good_evidence_proves_every_promise() -> None:
    assert held(GOOD)


@pytest.mark.parametrize("fault", FAULTS)
def test_a_broken_promise_is_found(fault: str) -> None:
    assert not held(replace(GOOD, **FAULTS[fault]))


def test_a_killed_service_may_lock_late_but_never_early() -> None:
    assert held(replace(GOOD, deaths=1, effects=effects(31 * SECOND), lock_calls=[{}] * 5))
    assert not held(replace(GOOD, deaths=1, effects=effects(-0.001 * SECOND)))


def test_a_review_that_a_kill_cut_off_is_unconfirmed_whether_it_arrived_or_not() -> None:
    cut_off = replace(GOOD, deaths=1, reviews=[GOOD.reviews[0], Review(BEN, "b1", "n2", None)])
    assert held(cut_off)
    assert held(replace(cut_off, dispatches=GOOD.dispatches[:1]))
    assert not held(replace(cut_off, dispatches=[*GOOD.dispatches, GOOD.dispatches[1]]))

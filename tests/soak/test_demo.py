"""The demo's story while its service is killed again and again."""

from sandbox.demo import Playing
from tests.demo.performance import STUDENTS, broken, kill, lent_ground, perform


async def test_a_service_that_is_killed_again_and_again_ends_in_the_same_state_with_nothing_twice() -> None:
    """Between commands, between pushes, within the calls that lock, after them, and within those that dispatch."""
    slow = {
        "deadline near": {"method": "POST", "route": "/orgs/{org}/rulesets", "delay": 5.0},
        "grace ending": {"method": "POST", "route": "/repos/{owner}/{repo}/dispatches", "delay": 5.0, "times": 4},
    }
    deadly = ["drafted", "worked", "closing", "pushed late", "reviewing"]

    async with lent_ground() as ground:

        async def beat(moment: str, playing: Playing) -> None:
            if moment in slow:
                await playing.remote.post("/faults", **slow[moment])
            if moment in deadly:
                deadly.remove(moment)
                await kill(ground, playing)

        outcome, screen = await perform(ground, beat)

    evidence = outcome.evidence
    assert broken(outcome) == []
    assert evidence.deaths == 5
    assert deadly == []
    # One claimed and cut off before its call is not confirmed either, and was never sent: nobody can tell them apart.
    assert len(evidence.reviews) == STUDENTS - 1
    assert len(evidence.dispatches) <= STUDENTS - 1
    assert any(not review.confirmed for review in evidence.reviews), "cut off, so not confirmed"
    assert "is started again" in screen

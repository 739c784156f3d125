"""`make demo` in small: real processes, a real deadline, and what the summary says of them."""

from tests.demo.performance import STUDENTS, broken, lent_ground, perform


async def test_a_course_is_played_to_its_end_and_every_promise_holds() -> None:
    async with lent_ground() as ground:
        outcome, screen = await perform(ground)

    assert broken(outcome) == []
    assert outcome.held
    evidence = outcome.evidence
    assert len(evidence.lock_calls) == 4
    assert len(evidence.dispatches) == STUDENTS - 1, "one student of eight never pushes in time"
    assert len(evidence.refused) == evidence.late_tries > 0
    assert all(review.confirmed for review in evidence.reviews)
    assert "\x1b" not in screen, "no control codes without a terminal"
    assert "8/8" in screen
